package org.calando.governor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Setting;
import org.calando.governor.order.ClusterOrders;
import org.calando.governor.told.Decided;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.Point;
import org.calando.study.KnobHolder;

/** What was decided of a cluster's knobs. Thread safe. */
final class KnobStates implements Consumer<Decision<?>> {
  private static final String CLOCK = "clock";
  private static final Optional<String> OVERRULED = Optional.of(ClusterOrders.OVERRULED);
  private static final int MOST_LINES = 6;

  /** Accounts of processors are looked at each second. */
  private static final long SPENT_NANOS = Duration.ofSeconds(10).toNanos();

  private final InstantSource clock;
  private final BiFunction<String, String, Optional<String>> barred;
  private final Consumer<Decided> changed;
  private final Map<Of, ClusterState.Knob> knobs = new LinkedHashMap<>();
  private final SavingAccount saving;
  private Optional<GovernedEnergy> spent = Optional.empty();
  private Map<String, String> roles = Map.of();

  /** Of which the last decision was set in spite of an order. */
  private final Set<Of> overruled = new HashSet<>();

  private final Deque<String> shiftLines = new ArrayDeque<>();

  /** A knob of a target; of none before something is decided. */
  private record Of(String knob, String target) {}

  /** Of knobs that are set as is decided, or that nobody sets. */
  KnobStates(InstantSource clock) {
    this(clock, (knob, target) -> Optional.empty(), decided -> {});
  }

  /**
   * Of knobs that operators give orders of.
   *
   * @param barred why what was decided of a knob and its target just now is not set, as {@link
   *     ClusterOrders#barred}
   * @param changed hears of decisions that changed something, and is not to block
   */
  KnobStates(
      InstantSource clock,
      BiFunction<String, String, Optional<String>> barred,
      Consumer<Decided> changed) {
    this.clock = clock;
    this.barred = barred;
    this.changed = changed;
    this.saving = new SavingAccount(clock, ZoneId.systemDefault(), System.nanoTime());
  }

  /** What is saved by knobs that have a model; empty if none has. */
  Optional<Saving> saving() {
    return saving.saving(System.nanoTime());
  }

  /**
   * What the gear in force saves against all nodes on.
   *
   * @param watts as modelled; empty if unknown
   * @param heldNanos so long that holds, unless something newer is heard
   */
  void gearSaves(OptionalDouble watts, long heldNanos) {
    saving.saves(GovernedGear.NAME, watts, watts, heldNanos, System.nanoTime());
  }

  /** What governed processors spent so far: between two of these is what their clocks saved. */
  synchronized void spent(GovernedEnergy now) {
    GovernedEnergy before = spent.filter(one -> one.seconds() < now.seconds()).orElse(now);
    double seconds = now.seconds() - before.seconds();
    spent = Optional.of(now);
    double i0 = now.savedJoulesI0() - before.savedJoulesI0();
    double i1 = now.savedJoulesI1() - before.savedJoulesI1();
    boolean known = seconds > 0 && Double.isFinite(i0) && Double.isFinite(i1);
    saving.saves(
        CLOCK,
        known ? OptionalDouble.of(Math.min(i0, i1) / seconds) : OptionalDouble.empty(),
        known ? OptionalDouble.of(Math.max(i0, i1) / seconds) : OptionalDouble.empty(),
        SPENT_NANOS,
        System.nanoTime());
  }

  /** What the gear's shift has reported, the newest last; nothing of one that has ended. */
  synchronized List<String> shiftLines() {
    return List.copyOf(shiftLines);
  }

  /** Takes a line that a shift of the gear reports. */
  synchronized void shiftLine(String line) {
    shiftLines.addLast(line);
    if (shiftLines.size() > MOST_LINES) {
      shiftLines.removeFirst();
    }
  }

  /** The gear's plan has ended: what it reported is not of the next one, which may be ordered. */
  synchronized void shiftEnded() {
    shiftLines.clear();
  }

  /** What nodes say to be, as far as their clocks go by that. */
  synchronized Map<String, String> roles() {
    return roles;
  }

  /** Takes what nodes say to be. */
  synchronized void roles(Map<String, String> byNode) {
    roles = Map.copyOf(byNode);
  }

  /** The knobs are set from now on: values that are held are in force. */
  synchronized void begin(Point control) {
    KnobHolder.of(control).forEach(axis -> begin(axis, control));
    control
        .find(ManagedClocksSchema.AXIS)
        .ifPresent(policy -> begin(CLOCK, policy, Optional.empty()));
  }

  private <V> void begin(KnobAxis<V> axis, Point control) {
    KnobChoice<V> choice = control.get(axis.axis());
    begin(axis.axis().name(), choice.label(), choice.held().map(axis::text));
  }

  /** A knob is set from now on; a value that is held is in force. What was before has ended. */
  synchronized void begin(String knob, String choice, Optional<String> held) {
    end(knob);
    knobs.put(
        new Of(knob, ""),
        new ClusterState.Knob(
            knob,
            "",
            choice,
            held,
            held.map(value -> List.of("held by the file")).orElse(List.of()),
            clock.instant(),
            0,
            Optional.empty(),
            OptionalDouble.empty(),
            ClusterState.Order.NONE));
  }

  /** The knobs are as before. */
  synchronized void end(Point control) {
    KnobHolder.of(control).forEach(axis -> end(axis.axis().name()));
    end(CLOCK);
  }

  /** A knob is not set any more. */
  synchronized void end(String knob) {
    knobs.keySet().removeIf(of -> of.knob().equals(knob));
    saving.ended(knob, System.nanoTime());
  }

  /**
   * A knob is not set for a while.
   *
   * @return when it is tried again
   */
  synchronized Instant paused(String knob, String why, Duration time) {
    Instant until = clock.instant().plus(time);
    pause(knob, Optional.of(new ClusterState.Paused(why, until)));
    return until;
  }

  /** A knob is set again. */
  synchronized void pauseEnded(String knob) {
    pause(knob, Optional.empty());
  }

  /** What a knob's setting would save is not known any more. */
  synchronized void savesUnknown(String knob) {
    knobs.replaceAll((of, each) -> of.knob().equals(knob) ? each.withoutSaving() : each);
  }

  private void pause(String knob, Optional<ClusterState.Paused> paused) {
    knobs.replaceAll((of, each) -> of.knob().equals(knob) ? each.with(paused) : each);
  }

  /** Takes a decision. */
  @Override
  public void accept(Decision<?> decision) {
    accept(decision, OptionalDouble.empty());
  }

  /**
   * Takes a decision that sets nothing.
   *
   * @param savesWatts what its setting would save, as modelled; empty if unknown
   */
  synchronized void accept(Decision<?> decision, OptionalDouble savesWatts) {
    Instant now = clock.instant();
    for (Setting<?> setting : decision.step().settings()) {
      take(setting, decision, savesWatts, now);
    }
    if (decision.changes().stream()
        .anyMatch(each -> each.knob().name().equals(GovernedGear.NAME))) {
      shiftLines.clear();
    }
    rows(decision).forEach((why, settings) -> changed.accept(row(decision, why, settings, now)));
  }

  /**
   * What is told of a decision: what changes, by why it is not set, and what is set in spite of an
   * order though it was decided before.
   */
  private Map<Optional<String>, List<Setting<?>>> rows(Decision<?> decision) {
    Map<Optional<String>, List<Setting<?>>> rows = new LinkedHashMap<>();
    Set<Setting<?>> changes = new HashSet<>(decision.changes());
    for (Setting<?> setting : decision.step().settings()) {
      Of of = new Of(setting.knob().name(), setting.target());
      Optional<String> why = barred.apply(of.knob(), of.target());
      boolean isNews = false;
      if (why.equals(OVERRULED)) {
        isNews = overruled.add(of);
      } else {
        overruled.remove(of);
      }
      if (isNews || changes.contains(setting)) {
        rows.computeIfAbsent(why, none -> new ArrayList<>()).add(setting);
      }
    }
    return rows;
  }

  private static Decided row(
      Decision<?> decision, Optional<String> why, List<Setting<?>> settings, Instant now) {
    boolean isOverruled = why.equals(OVERRULED);
    List<String> reasons = new ArrayList<>(decision.step().reasons());
    if (isOverruled) {
      reasons.add("set in spite of what is ordered, as the store's safety goes before");
    }
    return new Decided(
        0,
        now,
        decision.controller().name(),
        settings.stream().map(each -> each.knob().name()).distinct().toList(),
        settings.stream().map(KnobStates::words).toList(),
        reasons,
        isOverruled ? Optional.empty() : why);
  }

  /** The first decision on a target takes the place of the knob without one. */
  private void take(
      Setting<?> setting, Decision<?> decision, OptionalDouble savesWatts, Instant now) {
    String knob = setting.knob().name();
    Of of = new Of(knob, setting.target());
    Optional<ClusterState.Knob> before =
        Optional.ofNullable(knobs.get(of))
            .or(() -> Optional.ofNullable(knobs.remove(new Of(knob, ""))))
            .or(() -> ofAnotherTarget(knob));
    before.ifPresent(known -> knobs.put(of, next(known, setting, decision, savesWatts, now)));
  }

  private Optional<ClusterState.Knob> ofAnotherTarget(String knob) {
    return knobs.values().stream()
        .filter(each -> each.knob().equals(knob))
        .findFirst()
        .map(
            each ->
                new ClusterState.Knob(
                    knob,
                    "",
                    each.choice(),
                    Optional.empty(),
                    List.of(),
                    each.since(),
                    0,
                    Optional.empty(),
                    OptionalDouble.empty(),
                    ClusterState.Order.NONE));
  }

  private static ClusterState.Knob next(
      ClusterState.Knob before,
      Setting<?> setting,
      Decision<?> decision,
      OptionalDouble savesWatts,
      Instant now) {
    String value = String.valueOf(setting.value());
    boolean same = before.value().equals(Optional.of(value));
    return new ClusterState.Knob(
        before.knob(),
        setting.target(),
        before.choice(),
        Optional.of(value),
        decision.step().reasons(),
        same ? before.since() : now,
        before.decisions() + 1,
        before.paused(),
        savesWatts,
        before.order());
  }

  private static String words(Setting<?> setting) {
    return setting.knob().name() + " of " + setting.target() + ": " + setting.value();
  }

  /** What was decided, and why. */
  static String words(Decision<?> decision) {
    return decision.changes().stream().map(KnobStates::words).collect(Collectors.joining(", "))
        + " ("
        + String.join("; ", decision.step().reasons())
        + ")";
  }

  /**
   * What a setting would save, in words that follow it.
   *
   * @param watts as modelled; empty if unknown
   */
  static String saves(OptionalDouble watts) {
    if (watts.isEmpty()) {
      return "; what that saves is unknown";
    }
    double saved = watts.getAsDouble();
    return String.format(
        Locale.ROOT,
        saved < 0
            ? "; that takes %.1f W more, modelled by the nodes' profiles"
            : "; that saves %.1f W, modelled by the nodes' profiles",
        Math.abs(saved));
  }

  /** What is known of each knob. */
  synchronized List<ClusterState.Knob> knobs() {
    return List.copyOf(knobs.values());
  }
}
