package org.calando.report.column;

import java.util.Optional;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;

/**
 * How stale reads of records were. Immutable.
 *
 * @param staleness by the oracle
 * @param dual by dual reads; empty for a run without
 */
public record StaleFigures(Staleness staleness, Optional<DualRead> dual) {}
