package org.calando.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.calando.concerto.trials.FailoverTrials;
import org.calando.concerto.trials.FailoverTrials.Kind;
import org.calando.concerto.trials.FailoverTrials.Result;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockPolicies;
import org.calando.core.policy.clock.SlackLimits;

/**
 * Fail-overs by kill -9 and by FAILOVER, of a cluster each, under the policies that lower clocks.
 */
public final class FailoverBench {
  private FailoverBench() {}

  /**
   * {@code FailoverBench [FAILOVERS=20] [agents]}: half of them of each kind, on this machine's own
   * clocks or through two agents.
   */
  public static void main(String[] arguments) throws IOException {
    int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    boolean agents = List.of(arguments).contains("agents");
    Path folder = Files.createTempDirectory("calando-failovers");
    try {
      List<Long> slow = new ArrayList<>();
      for (Kind kind : Kind.values()) {
        int half = kind == Kind.KILL ? (count + 1) / 2 : count / 2;
        Result result = trials(folder.resolve(kind.name()), half, kind, agents);
        tell(kind + ", " + half + " fail-overs", result.slowNanos());
        System.out.printf(
            Locale.ROOT,
            "  the manager's own count, from seen to set: median %.1f ms, greatest %.1f ms%n"
                + "  writes that every replica acknowledged: %d, lost %d; by fewer: %d, lost %d%n"
                + "  clocks restored: %s; troubles: %s%n",
            result.managerNanos().get(0) / 1e6,
            result.managerNanos().get(1) / 1e6,
            result.writes(),
            result.lost(),
            result.fewer(),
            result.lostOfFewer(),
            result.restored(),
            result.troubles());
        slow.addAll(result.slowNanos());
      }
      tell("all", slow);
    } finally {
      delete(folder);
    }
  }

  private static Result trials(Path folder, int count, Kind kind, boolean agents) {
    return new FailoverTrials(
            folder,
            ClockPolicies.byName(
                "concerto", ClockLimits.defaults(), SlackLimits.defaults(), "FailoverBench"),
            agents)
        .run(kind, count);
  }

  private static void tell(String what, List<Long> nanos) {
    List<Double> millis = nanos.stream().sorted().map(each -> each / 1e6).toList();
    System.out.printf(
        Locale.ROOT,
        "%s: %d changes to master; ms until the clock was fast: %s%n",
        what,
        millis.size(),
        millis.stream().map(each -> String.format(Locale.ROOT, "%.1f", each)).toList());
    if (!millis.isEmpty()) {
      System.out.printf(
          Locale.ROOT,
          "  median %.1f, 90th percentile %.1f, greatest %.1f%n",
          millis.get(millis.size() / 2),
          millis.get(Math.min(millis.size() - 1, (int) (0.9 * millis.size()))),
          millis.get(millis.size() - 1));
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
