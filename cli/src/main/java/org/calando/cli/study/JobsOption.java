package org.calando.cli.study;

import java.util.OptionalInt;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How many simulated runs go on at once. */
final class JobsOption {
  private static final int MAX_JOBS = 1024;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Simulated runs at once, each on one thread; as many as there are cores by default. Results"
              + " do not depend on it. Runs on a real cluster go one at a time.")
  private @Nullable Integer jobs;

  /**
   * The number that was given.
   *
   * @throws BadRequestException if it is none
   */
  OptionalInt jobs() {
    if (jobs == null) {
      return OptionalInt.empty();
    }
    if (jobs < 1 || jobs > MAX_JOBS) {
      throw new BadRequestException(
          jobs + " runs at once cannot be", "--jobs", "write 1 to " + MAX_JOBS);
    }
    return OptionalInt.of(jobs);
  }
}
