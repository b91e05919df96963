package org.calando.knob.compaction;

import static org.calando.schema.Types.integer;

import java.util.List;
import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/*
 *   pending > most that may wait        twice as fast, at most `most`
 *   pending <= half of that             half as fast, at least `least`
 *   between                             as it is
 *
 * What compacts slowly leaves disk and CPU time to requests; what waits for long makes reads look into more files. So
 * the backlog is what has to be bounded.
 */
/**
 * Compactions as slow as their backlog allows. Its state is the limit that it decided last, 0
 * before the first. Immutable and thread safe.
 *
 * @param least MiB/s, 1 or more
 * @param most MiB/s, {@code least} or more
 * @param pending compactions that may wait on a node, 1 or more
 */
record Backlog(int least, int most, int pending) implements Controller<Integer> {
  /** Compactions that wait, on the node where most do. */
  record Pending(int most) {}

  static final SignalId<Pending> PENDING = new SignalId<>("pending-compactions", Pending.class);

  private static final int HIGHEST = 1 << 20;
  private static final Key<Integer> LEAST =
      Key.of("least", integer(1, HIGHEST), "MiB/s while few compactions wait.")
          .byDefault("16")
          .example("16");
  private static final Key<Integer> MOST =
      Key.of("most", integer(1, HIGHEST), "MiB/s at most, however many wait.")
          .byDefault("64")
          .example("64");
  private static final Key<Integer> WAITING =
      Key.of("pending", integer(1, 1_000_000), "Compactions that may wait on a node.")
          .byDefault("20")
          .example("20");

  static final Key<Controller<?>> KEY =
      Key.of(
              "backlog",
              ObjectType.named("the policy backlog", "Compactions as slow as their backlog allows.")
                  .keys(LEAST, MOST, WAITING)
                  .check(Backlog::check)
                  .<Controller<?>>build(
                      values ->
                          new Backlog(values.get(LEAST), values.get(MOST), values.get(WAITING))),
              "Compactions as slow as their backlog allows: twice as fast in each period in which more"
                  + " of them wait on a node, half as fast while half as many do.")
          .example("{least: 16, most: 64, pending: 20}");

  private static void check(Values values) {
    if (values.get(LEAST) > values.get(MOST)) {
      values.error(LEAST, "is more than most, " + values.get(MOST), "write that or less");
    }
  }

  @Override
  public String name() {
    return "backlog " + least + "-" + most + " at " + pending;
  }

  @Override
  public Set<SignalId<?>> needs() {
    return Set.of(PENDING);
  }

  @Override
  public Set<KnobId<?>> sets() {
    return Set.of(CompactionType.ID);
  }

  @Override
  public Integer initial() {
    return 0;
  }

  @Override
  public Step<Integer> decide(Integer state, Signals signals) {
    int waiting = signals.get(PENDING).most();
    int now = Math.min(most, Math.max(least, state));
    int next =
        waiting > pending
            ? Math.min(most, 2 * now)
            : waiting <= pending / 2 ? Math.max(least, now / 2) : now;
    return new Step<>(
        next,
        List.of(new Setting<>(CompactionType.ID, signals.target(), next)),
        List.of(
            "backlog: %d compactions wait on a node, %d may; %d MiB/s"
                .formatted(waiting, pending, next)));
  }

  @Override
  public String write(Integer state) {
    return "backlog/1 limit=" + state;
  }

  @Override
  public Integer read(String text) {
    return Integer.valueOf(text.replace("backlog/1 limit=", ""));
  }
}
