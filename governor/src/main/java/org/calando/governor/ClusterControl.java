package org.calando.governor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.calando.clock.ClockOutcome;
import org.calando.clock.Drift;
import org.calando.concerto.ManagerListener;
import org.calando.control.order.KnobOrders;
import org.calando.core.Closing;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.RoleEvent;
import org.calando.core.store.GovernorClaim;
import org.calando.engine.Target;
import org.calando.knob.ManagedClocksSchema;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;

/**
 * Controls the knobs of a cluster until it is closed: those that are found as services, and the
 * clocks of its nodes by their roles. Its methods are for one thread.
 */
final class ClusterControl implements AutoCloseable {
  private static final long STATUS_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Consumer<GovernedEnergy> spent;
  private long reportedNanos = System.nanoTime();
  private final List<AutoCloseable> parts;
  private final Optional<KnobGovernor> knobs;
  private final Optional<Governor> clocks;
  private final Optional<GovernorClaim> claim;

  private ClusterControl(
      Consumer<GovernedEnergy> spent,
      List<AutoCloseable> parts,
      Optional<GovernorClaim> claim,
      Optional<KnobGovernor> knobs,
      Optional<Governor> clocks) {
    this.spent = spent;
    this.parts = parts;
    this.claim = claim;
    this.knobs = knobs;
    this.clocks = clocks;
  }

  /**
   * Begins to control.
   *
   * @param decided hears of each decision, on the policies' thread; is not to block
   * @param orders what operators order of the knobs
   * @param stopping whether it is to end meanwhile
   * @throws org.calando.core.BadRequestException if the cluster does not offer a knob, or it has
   *     another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  static ClusterControl begin(
      ServiceSpec.Cluster spec,
      GovernedCluster.Means means,
      Consumer<Decision<?>> decided,
      KnobOrders orders,
      BooleanSupplier stopping)
      throws InterruptedException {
    Consumer<String> news = line -> means.news().accept(spec.name() + ": " + line);
    List<AutoCloseable> parts = new ArrayList<>();
    boolean begun = false;
    try {
      Optional<GovernorClaim> claim = claim(spec, means, parts);
      if (stopping.getAsBoolean()) {
        // A claim may have been waited for, and another control of this cluster begun since.
        throw new FailedWorkException("ends before it has begun", spec.name(), "start it again");
      }
      Optional<KnobGovernor> knobs = Optional.empty();
      if (!KnobHolder.of(spec.control()).isEmpty()) {
        knobs =
            Optional.of(
                KnobGovernor.begin(
                    spec,
                    means.base(),
                    means.folders(),
                    means.owner(),
                    claim,
                    means.decisions().knobs().apply(spec.name()),
                    news,
                    decided,
                    orders));
        parts.add(knobs.get());
      }
      Optional<Governor> clocks = Optional.empty();
      if (spec.control().find(ManagedClocksSchema.AXIS).isPresent()) {
        clocks = Optional.of(clocks(spec, means, news, decided, orders, parts));
      }
      begun = true;
      return new ClusterControl(spent(spec, means), parts, claim, knobs, clocks);
    } finally {
      if (!begun) {
        close(parts);
      }
    }
  }

  private static Optional<GovernorClaim> claim(
      ServiceSpec.Cluster spec, GovernedCluster.Means means, List<AutoCloseable> parts) {
    Target target = KnobGovernor.reach(spec, means.base());
    parts.add(target);
    Optional<GovernorClaim> claim = KnobGovernor.claims(target).map(GovernorClaim.Source::claim);
    claim.ifPresent(parts::add);
    return claim;
  }

  /** Who sees to it is told the account of clocks each minute, and at the end. */
  private static Consumer<GovernedEnergy> spent(
      ServiceSpec.Cluster spec, GovernedCluster.Means means) {
    return means.attended() ? energy -> means.news().energy(spec.name(), energy) : energy -> {};
  }

  private static Governor clocks(
      ServiceSpec.Cluster spec,
      GovernedCluster.Means means,
      Consumer<String> news,
      Consumer<Decision<?>> decided,
      KnobOrders orders,
      List<AutoCloseable> parts) {
    Target target = KnobGovernor.reach(spec, means.base());
    parts.add(target);
    Governor governor =
        Governor.begin(
            Governor.Managed.of(spec, target, means.attended()),
            means.folders(),
            means.owner(),
            means.decisions().knobs().apply(spec.name() + " clocks"),
            new Heard(means.news().clocks(spec.name()), decided),
            orders,
            news);
    parts.add(governor);
    return governor;
  }

  /**
   * Reports what would be done to a cluster's clocks, and does nothing of it; nothing where they
   * are not controlled.
   *
   * @throws org.calando.core.BadRequestException if they cannot be set
   * @throws org.calando.core.FailedWorkException if no node answers
   */
  static void dryRun(ServiceSpec.Cluster spec, Path base, GovernorNews news) {
    if (spec.clocks().isEmpty()) {
      return;
    }
    Consumer<String> lines = line -> news.accept(spec.name() + ": " + line);
    try (Target target = KnobGovernor.reach(spec, base)) {
      ClockDryRun.of(Governor.Managed.of(spec, target, true), news.clocks(spec.name()), lines)
          .report(lines);
    }
  }

  /** Whether a cluster's clocks can be set, in words; changes nothing. */
  static String examineClocks(ServiceSpec.Cluster spec, Path base) {
    try (Target target = KnobGovernor.reach(spec, base)) {
      return Governor.Managed.of(spec, target, true).examine();
    }
  }

  /** Hands on what a manager of clocks does. */
  private record Heard(ManagerListener news, Consumer<Decision<?>> noted)
      implements ManagerListener {
    @Override
    public void decided(Decision<?> decision, List<ClockOutcome> outcomes) {
      noted.accept(decision);
      news.decided(decision, outcomes);
    }

    @Override
    public void raised(RoleEvent event, long afterNanos) {
      news.raised(event, afterNanos);
    }

    @Override
    public void drifted(List<Drift> drifts) {
      news.drifted(drifts);
    }

    @Override
    public void trouble(String what) {
      news.trouble(what);
    }
  }

  /** What nodes say to be, where their clocks go by that. */
  Map<String, String> roles() {
    return clocks.map(Governor::roles).orElse(List.of()).stream()
        .collect(
            Collectors.toMap(NodeView::node, view -> view.role().name().toLowerCase(Locale.ROOT)));
  }

  /** What governed processors spent so far; empty if there are none. */
  Optional<GovernedEnergy> energy() {
    return clocks.map(Governor::energy);
  }

  /** Why a policy decides no more; empty if all do. */
  Optional<String> failure() {
    return claim
        .flatMap(GovernorClaim::lost)
        .map(why -> "the claim on the cluster " + why)
        .or(() -> knobs.flatMap(KnobGovernor::failure))
        .or(() -> clocks.flatMap(Governor::failure));
  }

  /** What is amiss though all decide, one sentence each; notes decisions of clocks. */
  List<String> problems() {
    List<String> problems = new ArrayList<>(knobs.map(KnobGovernor::astray).orElse(List.of()));
    clocks.map(Governor::problems).ifPresent(problems::addAll);
    if (System.nanoTime() - reportedNanos >= STATUS_NANOS) {
      reportedNanos += STATUS_NANOS;
      report();
    }
    return problems;
  }

  private void report() {
    clocks.map(Governor::energy).ifPresent(spent);
  }

  /**
   * {@inheritDoc} All knobs are as before.
   *
   * @throws org.calando.core.CalandoException if one is not
   */
  @Override
  public void close() {
    Closing.all(List.of(this::report, () -> close(parts)));
  }

  /** The last first. */
  private static void close(List<AutoCloseable> parts) {
    List<AutoCloseable> lastFirst = new ArrayList<>(parts);
    Collections.reverse(lastFirst);
    Closing.all(lastFirst);
  }
}
