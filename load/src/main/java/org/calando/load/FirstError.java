package org.calando.load;

import org.calando.core.store.Outcome;
import org.calando.core.workload.OperationKind;

/**
 * The first error of its sort in a run, warm-up included.
 *
 * @param kind operation that failed
 * @param outcome how
 * @param key its key id
 * @param atNanos when, on the run's clock
 */
public record FirstError(OperationKind kind, Outcome outcome, long key, long atNanos) {}
