package org.calando.engine;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleSource;
import org.calando.core.replication.WorkSource;

/**
 * A capability of clusters with a master and replicas: who is what, and what each does, so that
 * clocks can go by roles. Nodes go by their names. Thread safe.
 */
public interface RoledServers {
  /**
   * Asks, where somebody else decides about the master, whether that knows these nodes.
   *
   * @throws org.calando.core.BadRequestException if it knows others
   */
  void requireKnown();

  /**
   * What each node runs, in words; asks them.
   *
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  Map<String, String> builds();

  /**
   * What stands against placing each node's threads for requests and answers apart from its main
   * thread; asks them.
   *
   * @param processors how many this machine has
   * @return empty lists where nothing does
   * @throws org.calando.core.FailedWorkException if one does not answer
   */
  Map<String, List<String>> offloadRefusals(int processors);

  /**
   * How roles are watched.
   *
   * @param pollNanos between two questions for a node's role
   * @param silenceNanos how long an answer may take before the node counts as silent
   * @param clock of the watch's times
   * @return begins the watch with a listener
   */
  Function<Consumer<RoleEvent>, RoleSource> roles(
      long pollNanos, long silenceNanos, LongSupplier clock);

  /**
   * Begins to measure what nodes do; returns at once.
   *
   * @param kiloHertz the clock of a node's processors now, in kHz; 0 if it is not known
   * @param clock of the figures' times
   */
  WorkSource work(ToLongFunction<String> kiloHertz, LongSupplier clock);
}
