package org.calando.bench.governed;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.calando.core.policy.Decision;
import org.calando.core.policy.ReadChoice;
import org.calando.session.DecisionListener;
import org.calando.session.TableName;

/*
 * A decision has a number, the same for all sessions, and its age when the governor answered. The answer was under way for
 * as long as nobody knows: the moment of the decision is the earliest that any session's answer tells, which is late by the
 * fastest answer's way. A session that never got a decision, as there was a later one by then, has it in force, or what
 * replaced it, when it gets that.
 */
/** When which of a governor's decisions was in force for which session. Thread safe. */
final class PushTimes {
  private final Queue<InForce> all = new ConcurrentLinkedQueue<>();
  private final int sessions;

  private record InForce(int session, long number, long atNanos, long ageNanos) {}

  /**
   * How long decisions took until all sessions had them in force.
   *
   * @param slowest of each decision the slowest session's time, in milliseconds, in ascending order
   * @param each of each decision each session's time, likewise
   * @param unfinished decisions that some session did not have in force at the end
   */
  record Result(List<Double> slowest, List<Double> each, int unfinished) {
    /** A percentile; 100 for the greatest. NaN without one. */
    static double percentile(List<Double> ascending, double percent) {
      int rank = (int) Math.ceil(percent / 100 * ascending.size());
      return ascending.isEmpty() ? Double.NaN : ascending.get(Math.max(1, rank) - 1);
    }
  }

  PushTimes(int sessions) {
    this.sessions = sessions;
  }

  /** Notes what comes to a session, from 0 on. */
  DecisionListener of(int session) {
    return new DecisionListener() {
      @Override
      public void decided(TableName table, double tolerated, Decision<?> decision) {}

      @Override
      public void governed(
          TableName table, double tolerated, ReadChoice choice, long number, Duration age) {
        all.add(new InForce(session, number, System.nanoTime(), age.toNanos()));
      }
    };
  }

  /** The highest number so far; 0 without one. */
  long newest() {
    return all.stream().mapToLong(InForce::number).max().orElse(0);
  }

  /**
   * What became of the decisions of one governor with higher numbers than one.
   *
   * @param after that number
   */
  Result since(long after) {
    Map<Long, Long> decided = new TreeMap<>();
    List<InForce> noted = List.copyOf(all);
    for (InForce each : noted) {
      if (each.number() > after) {
        decided.merge(each.number(), each.atNanos() - each.ageNanos(), (a, b) -> a - b < 0 ? a : b);
      }
    }
    List<Double> slowest = new ArrayList<>();
    List<Double> each = new ArrayList<>();
    int unfinished = 0;
    for (Map.Entry<Long, Long> decision : decided.entrySet()) {
      List<Double> millis = millis(noted, decision.getKey(), decision.getValue());
      if (millis.size() < sessions) {
        unfinished++;
      } else {
        slowest.add(Collections.max(millis));
        each.addAll(millis);
      }
    }
    return new Result(ascending(slowest), ascending(each), unfinished);
  }

  /** How long each session took until a decision or a later one was in force; of those that did. */
  private List<Double> millis(List<InForce> noted, long number, long decidedNanos) {
    List<Double> millis = new ArrayList<>();
    for (int session = 0; session < sessions; session++) {
      int its = session;
      OptionalLong first =
          noted.stream()
              .filter(each -> each.session() == its && each.number() >= number)
              .mapToLong(each -> each.atNanos() - decidedNanos)
              .min();
      first.ifPresent(nanos -> millis.add(nanos / 1e6));
    }
    return millis;
  }

  private static List<Double> ascending(List<Double> values) {
    return values.stream().sorted().toList();
  }
}
