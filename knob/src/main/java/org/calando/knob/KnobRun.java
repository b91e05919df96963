package org.calando.knob;

import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.calando.control.DecisionLog;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.Workload;

/**
 * A run as what drives a knob in it sees it, on a real cluster or on a simulated one.
 *
 * @param id its name
 * @param configuration what it is set to
 * @param seed of what is random in it
 * @param workload what its clients do
 * @param cluster the cluster, the store on it, and the run's session: what is driven is asked for
 *     by capability
 * @param decisions where decisions are noted; asked for only by who decides
 * @param files begins a file of the run by its name and its header, and takes rows
 * @param schedulers a scheduler of the run's own by its thread's name, which ends with the run; of
 *     a simulated cluster always the one of its events
 * @param ends takes what is to be closed after the part that is begun, the last first
 * @param stop throws if the study is to end; called by who waits
 */
public record KnobRun(
    String id,
    Configuration configuration,
    long seed,
    Workload workload,
    Capable cluster,
    Supplier<DecisionLog> decisions,
    BiFunction<String, String, Consumer<String>> files,
    Function<String, Scheduler> schedulers,
    Consumer<Runnable> ends,
    Runnable stop) {
  /** What it is set to, on each axis. */
  public Point point() {
    return configuration.point();
  }
}
