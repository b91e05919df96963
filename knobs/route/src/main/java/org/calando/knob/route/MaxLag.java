package org.calando.knob.route;

import static org.calando.schema.Types.duration;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.store.ReadFrom;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Units;

/*
 *   every replica's lag known, <= limit      replica, once that has lasted for `back-after`
 *   one more late, or not known              master, at once
 *
 * A read may go to any replica, so the latest counts. A lag that is not known may be as long as can be. Nodes are asked
 * each 100 ms, so limits begin at twice that.
 */
/**
 * Reads from replicas while none is late, else from the master. Its state is since when none was,
 * in ns of the loop's clock; {@link #LATE} while one is. Immutable and thread safe.
 *
 * @param limitNanos lag that a replica may have, above 0
 * @param backNanos for how long none may have been later before reads go to replicas, 0 or more
 */
record MaxLag(long limitNanos, long backNanos) implements Controller<Long> {
  /** The state while a replica is late. */
  private static final long LATE = Long.MIN_VALUE;

  private static final String STATE = "max-lag/1 since=";

  /**
   * How far behind replicas may be.
   *
   * @param replicas how many there are
   * @param longestNanos lag of the latest at most; empty if that of one is not known, or there is
   *     none
   */
  record Lag(int replicas, OptionalLong longestNanos) {
    /**
     * That of the nodes which do not say to be the master. What one said has got as old as its
     * word: so much later it may be by now.
     */
    static Lag of(List<NodeView> nodes, long nowNanos) {
      List<NodeView> replicas = nodes.stream().filter(node -> node.role() != Role.MASTER).toList();
      List<OptionalLong> lags = replicas.stream().map(node -> node.lateNanos(nowNanos)).toList();
      return new Lag(
          replicas.size(),
          lags.stream().allMatch(OptionalLong::isPresent)
              ? lags.stream().mapToLong(OptionalLong::getAsLong).max()
              : OptionalLong.empty());
    }
  }

  static final SignalId<Lag> LAG = new SignalId<>("replica-lag", Lag.class);

  private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Key<Long> LIMIT =
      Key.of("limit", duration(LEAST, TimeUnit.HOURS.toNanos(1)), "Lag that a replica may have.")
          .byDefault("1s")
          .example("1s");
  private static final Key<Long> BACK =
      Key.of(
              "back-after",
              duration(0, TimeUnit.HOURS.toNanos(1)),
              "For how long no replica was later than that before reads go to replicas again.")
          .byDefault("5s")
          .example("5s");

  static final Key<Controller<?>> KEY =
      Key.of(
              "max-lag",
              ObjectType.named("the policy max-lag", "Reads from replicas while none is late.")
                  .keys(LIMIT, BACK)
                  .<Controller<?>>build(values -> new MaxLag(values.get(LIMIT), values.get(BACK))),
              "Reads from replicas while the lag of each is known and at most the limit; else from"
                  + " the master, at once.")
          .example("{limit: 1s, back-after: 5s}");

  @Override
  public String name() {
    return "max-lag "
        + Units.formatNanos(limitNanos)
        + " back after "
        + Units.formatNanos(backNanos);
  }

  @Override
  public Set<SignalId<?>> needs() {
    return Set.of(LAG);
  }

  @Override
  public Set<KnobId<?>> sets() {
    return Set.of(RouteType.ID);
  }

  @Override
  public Long initial() {
    return LATE;
  }

  @Override
  public Step<Long> decide(Long state, Signals signals) {
    Lag lag = signals.get(LAG);
    OptionalLong longest = lag.longestNanos();
    boolean late = longest.isEmpty() || longest.getAsLong() > limitNanos;
    long since = late ? LATE : state == LATE ? signals.atNanos() : state;
    boolean fresh = !late && signals.atNanos() - since >= backNanos;
    ReadFrom to = fresh ? ReadFrom.REPLICA : ReadFrom.MASTER;
    String seen =
        longest.isPresent()
            ? "the latest of %d replicas is at most %d ms behind"
                .formatted(lag.replicas(), TimeUnit.NANOSECONDS.toMillis(longest.getAsLong()))
            : "the lag of a replica is not known";
    return new Step<>(
        since,
        List.of(new Setting<>(RouteType.ID, signals.target(), to)),
        List.of("max-lag: " + seen + "; reads from: " + RouteType.name(to)));
  }

  @Override
  public String write(Long state) {
    return STATE + (state == LATE ? "none" : state);
  }

  @Override
  public Long read(String text) {
    String since = text.replace(STATE, "");
    return since.equals("none") ? LATE : Long.valueOf(since);
  }
}
