package org.calando.kept;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A capability of engines: clusters that {@code calando local start} leaves running. Stateless and
 * thread safe.
 */
public interface LocalEngine {
  /**
   * A cluster that is to be started.
   *
   * @param label what is started, for people, such as {@code 3 cassandra nodes}
   * @param starter starts it in a folder of its own
   */
  record Plan(String label, Function<Path, KeptCluster> starter) {
    /**
     * Starts it; blocks. It stays until it is shut down.
     *
     * @param folder where it keeps its data and state; empty or not there yet
     * @throws org.calando.core.BadRequestException if there is one already, or the machine lacks
     *     something
     * @throws org.calando.core.FailedWorkException if it does not come up; nothing is left then
     */
    public KeptCluster start(Path folder) {
      return starter.apply(folder);
    }
  }

  /** What help says of settings that are not as under {@code store.local}; mostly nothing. */
  default String settings() {
    return "";
  }

  /**
   * Reads what a cluster is to be like.
   *
   * @param settings each {@code KEY=VALUE}
   * @throws org.calando.core.BadRequestException naming everything that is wrong
   */
  Plan plan(List<String> settings);

  /**
   * Finds a cluster that was started, whether or not its processes run.
   *
   * @param folder where it keeps its state
   * @throws org.calando.core.BadRequestException if there is none
   */
  KeptCluster attach(Path folder);
}
