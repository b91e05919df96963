package org.calando.study;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.clock.LeaseFolders;
import org.calando.control.DecisionJournal;
import org.calando.control.Lease;
import org.calando.control.LoopListener;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.SystemClock;
import org.calando.engine.Finding;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.studyfile.ServiceSpec;

/**
 * Governs the knobs of a user's own cluster that are found as services: each is set, or its policy
 * sets it, until this is closed or the process ends in whatever way; then they are as before. Its
 * methods are for one thread.
 */
public final class KnobGovernor implements AutoCloseable {
  private final Target cluster;
  private final RealTimeScheduler scheduler;
  private final DecisionJournal journal;
  private final KnobHolder holder;

  private KnobGovernor(
      Target cluster, RealTimeScheduler scheduler, DecisionJournal journal, KnobHolder holder) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.journal = journal;
    this.holder = holder;
  }

  /**
   * Begins to govern.
   *
   * @param spec what the governor's file says, which is right
   * @param base folder that relative paths in it are relative to
   * @param folders where it is noted how knobs were
   * @param owner who has them, for others who are refused
   * @param decisions folder of what policies decide
   * @param news takes lines for people, from any thread
   * @param decided hears of each decision, on the policies' thread; is not to block
   * @throws BadRequestException if the cluster does not offer a knob, or it has another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  public static KnobGovernor begin(
      ServiceSpec.Cluster spec,
      Path base,
      LeaseFolders folders,
      String owner,
      Path decisions,
      Consumer<String> news,
      Consumer<Decision<?>> decided)
      throws InterruptedException {
    Target cluster = reach(spec, base);
    DecisionJournal journal = DecisionJournal.open(decisions, owner, Instant::now);
    RealTimeScheduler scheduler = new RealTimeScheduler("calando-govern");
    KnobHolder.Means means =
        new KnobHolder.Means(
            scheduler,
            spec.periodNanos(),
            Optional.of(folders),
            owner,
            Optional.of(noting(journal, news, decided)),
            Optional.of(decisions),
            news);
    boolean begun = false;
    try {
      KnobHolder holder = KnobHolder.start(spec.control(), where(spec), cluster, means);
      begun = true;
      return new KnobGovernor(cluster, scheduler, journal, holder);
    } finally {
      if (!begun) {
        scheduler.close();
        journal.close();
        cluster.close();
      }
    }
  }

  /** Where a cluster's knobs stand, by its name: it is the same whatever comes before it. */
  private static String where(ServiceSpec.Cluster spec) {
    return "clusters." + spec.name() + ".control";
  }

  private static Target reach(ServiceSpec.Cluster spec, Path base) {
    StoreSpec store = spec.store();
    return store.kind().reach(store, Profiles.byName(Profiles.DEFAULT).orElseThrow(), base);
  }

  private static LoopListener noting(
      DecisionJournal journal, Consumer<String> news, Consumer<Decision<?>> decided) {
    return (decision, inForce) -> {
      journal.decided(decision, inForce);
      decided.accept(decision);
      if (decision.changed()) {
        news.accept(words(decision));
      }
    };
  }

  private static String words(Decision<?> decision) {
    List<String> settings = new ArrayList<>();
    decision
        .step()
        .settings()
        .forEach(
            each ->
                settings.add(each.knob().name() + " of " + each.target() + ": " + each.value()));
    return String.join(", ", settings) + " (" + String.join("; ", decision.step().reasons()) + ")";
  }

  /**
   * Reports what would be set now, and what of it would be refused; changes nothing. Policies
   * decide from where the last governor's ended.
   *
   * @param decisions folder of what policies decided
   * @param news takes lines for people
   * @throws BadRequestException if a knob would be refused, once all are reported
   */
  public static void dryRun(
      ServiceSpec.Cluster spec, Path base, Path decisions, Consumer<String> news) {
    Optional<BadRequestException> refused = Optional.empty();
    try (Target cluster = reach(spec, base)) {
      for (KnobAxis<?> knob : KnobHolder.of(spec.control())) {
        try {
          dryRun(knob, spec, cluster, decisions, news);
        } catch (BadRequestException e) {
          news.accept("it would be refused: " + e.problem());
          refused = refused.or(() -> Optional.of(e));
        }
      }
    }
    if (refused.isPresent()) {
      throw refused.get();
    }
  }

  private static <V> void dryRun(
      KnobAxis<V> axis,
      ServiceSpec.Cluster spec,
      Target cluster,
      Path decisions,
      Consumer<String> news) {
    Knob<V> knob = axis.bind(cluster, where(spec) + "." + axis.axis());
    V now = knob.current();
    KnobChoice<V> choice = spec.control().get(axis.axis());
    Optional<V> wanted = choice.held();
    if (wanted.isEmpty()) {
      DecisionJournal.Resumed<?> policy =
          KnobHolder.policy(choice.controller().orElseThrow(), knob.target(), decisions, news);
      wanted =
          KnobHolder.sensor(axis, cluster, knob)
              .look(SystemClock.INSTANCE.nanos())
              .flatMap(observed -> policy.loop().decide(observed).value(knob.id()));
    }
    news.accept(
        "%s of %s is %s; %s would set %s"
            .formatted(
                axis.axis(),
                knob.target(),
                axis.text(now),
                choice.label(),
                wanted.map(axis::text).orElse("nothing yet")));
    wanted.ifPresent(to -> Lease.dryRun(knob.plan(now, to)).forEach(news));
  }

  /** Whether the cluster offers the knobs, and what each is set to; changes nothing. */
  public static List<Finding> examine(ServiceSpec.Cluster spec, Path base) {
    try (Target cluster = reach(spec, base)) {
      return KnobHolder.of(spec.control()).stream()
          .map(
              knob ->
                  Finding.of(
                      "knob " + knob.axis(),
                      () -> knob.examine(cluster, where(spec) + "." + knob.axis())))
          .toList();
    }
  }

  /** Why a policy decides no more, or is not noted; empty if all is well. */
  public Optional<String> failure() {
    return holder.failure().or(journal::failure);
  }

  /** Decides no more; the knobs are as they were before. */
  @Override
  public void close() {
    try (cluster;
        journal;
        scheduler) {
      holder.close();
    }
  }
}
