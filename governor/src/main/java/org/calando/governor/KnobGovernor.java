package org.calando.governor;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.calando.clock.LeaseFolders;
import org.calando.control.DecisionJournal;
import org.calando.control.Lease;
import org.calando.control.LoopListener;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.GovernorClaim;
import org.calando.core.store.KnobNotes;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.SystemClock;
import org.calando.engine.Finding;
import org.calando.engine.GearControl;
import org.calando.engine.InventoryTarget;
import org.calando.engine.NodeGears;
import org.calando.engine.StoreSpec;
import org.calando.engine.SwitchDoctor;
import org.calando.engine.Target;
import org.calando.knob.GearSchema;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.ManagedClocksSchema;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

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
   * @param notes where the cluster keeps how knobs were; empty if it does not
   * @param decisions folder of what policies decide
   * @param news takes lines for people, from any thread
   * @param decided hears of each decision, on the policies' thread; is not to block
   * @param orders what operators order of the knobs
   * @throws BadRequestException if the cluster does not offer a knob, or it has another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  public static KnobGovernor begin(
      ServiceSpec.Cluster spec,
      Path base,
      LeaseFolders folders,
      String owner,
      Optional<? extends KnobNotes> notes,
      Path decisions,
      Consumer<String> news,
      Consumer<Decision<?>> decided,
      KnobOrders orders)
      throws InterruptedException {
    // First, as nothing else is open then if it is refused.
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
            news,
            notes,
            orders);
    @Nullable Target cluster = null;
    boolean begun = false;
    try {
      cluster = reach(spec, base);
      KnobHolder holder = KnobHolder.start(spec.control(), where(spec), cluster, means);
      begun = true;
      return new KnobGovernor(cluster, scheduler, journal, holder);
    } finally {
      if (!begun) {
        scheduler.close();
        journal.close();
        if (cluster != null) {
          cluster.close();
        }
      }
    }
  }

  /**
   * Of clusters that keep a claim; others have one state folder, and so one machine that governs.
   */
  static Optional<GovernorClaim.Source> claims(Target cluster) {
    return cluster.find(GovernorClaim.Source.class);
  }

  /** Where a cluster's knobs stand, by its name: it is the same whatever comes before it. */
  private static String where(ServiceSpec.Cluster spec) {
    return "clusters." + spec.name() + ".control";
  }

  static InventoryTarget reach(ServiceSpec.Cluster spec, Path base) {
    StoreSpec store = spec.store();
    return store.kind().reach(store, Profiles.byName(Profiles.DEFAULT).orElseThrow(), base);
  }

  private static LoopListener noting(
      DecisionJournal journal, Consumer<String> news, Consumer<Decision<?>> decided) {
    return (decision, inForce) -> {
      journal.decided(decision, inForce);
      decided.accept(decision);
      if (decision.changed()) {
        news.accept(KnobStates.words(decision));
      }
    };
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
      if (!KnobHolder.of(spec.control()).isEmpty() || spec.clocks().isPresent()) {
        claims(cluster)
            .flatMap(GovernorClaim.Source::holder)
            .ifPresent(holder -> news.accept("is governed by " + holder));
      }
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
      wanted = wanted(axis, cluster, knob, policy.loop());
    }
    news.accept(words(axis, knob, now, choice, wanted));
    wanted.ifPresent(to -> Lease.dryRun(knob.plan(now, to)).forEach(news));
  }

  /** What a policy decides at one look. */
  static <V> Optional<V> wanted(
      KnobAxis<V> axis, Target cluster, Knob<V> knob, PolicyLoop<?> policy) {
    return KnobHolder.sensor(axis, cluster, knob)
        .look(SystemClock.INSTANCE.nanos())
        .flatMap(observed -> policy.decide(observed).value(knob.id()));
  }

  /** What would be set, for people. */
  static <V> String words(
      KnobAxis<V> axis, Knob<V> knob, V now, KnobChoice<V> choice, Optional<V> wanted) {
    return "%s of %s is %s; %s would set %s"
        .formatted(
            axis.axis(),
            knob.target(),
            axis.text(now),
            choice.label(),
            wanted.map(axis::text).orElse("nothing yet"));
  }

  /** Whether the cluster offers the knobs, and what each is set to; changes nothing. */
  public static List<Finding> examine(ServiceSpec.Cluster spec, Path base) {
    List<Finding> found = new ArrayList<>();
    try (InventoryTarget cluster = reach(spec, base)) {
      claims(cluster)
          .ifPresent(
              claims ->
                  found.add(
                      Finding.of(
                          "governor",
                          () -> claims.holder().map("is "::concat).orElse("there is none"))));
      KnobHolder.of(spec.control())
          .forEach(
              knob ->
                  found.add(
                      Finding.of(
                          "knob " + knob.axis(),
                          () -> knob.examine(cluster, where(spec) + "." + knob.axis()))));
      KnobHolder.of(spec.considered())
          .forEach(
              knob ->
                  found.add(
                      Finding.of(
                          "considered " + knob.axis(),
                          () ->
                              knob.examine(cluster, KnobShadow.where(spec) + "." + knob.axis()))));
      spec.gears()
          .ifPresent(
              gears ->
                  found.add(
                      Finding.of(
                          (GovernedGear.isOf(spec) ? "knob " : "considered ") + GearSchema.AXIS,
                          () -> examineGears(spec, base))));
      if (GovernedGear.isOf(spec)) {
        spec.store()
            .inventory()
            .ifPresent(inventory -> found.addAll(new SwitchDoctor(inventory).examine()));
        found.addAll(cluster.examine(Optional.empty()));
      }
      if (spec.clocks().isPresent()) {
        found.add(
            Finding.of(
                "knob " + ManagedClocksSchema.AXIS,
                () -> ClusterControl.examineClocks(spec, base)));
      }
    }
    return found;
  }

  private static String examineGears(ServiceSpec.Cluster spec, Path base) {
    try (NodeGears gears = gears(spec, base, "the doctor", line -> {})) {
      return "%d gears, of %d nodes"
          .formatted(gears.model().highest(), gears.model().nodes().size());
    }
  }

  /**
   * The gears of a cluster of which gear is controlled or considered; connects, and shifts nothing.
   *
   * @param base folder that relative paths of the file are relative to
   * @param owner who shifts, for others who are refused
   * @param news takes lines for people, from any thread
   * @throws BadRequestException if it has none, or not those of its file
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  public static NodeGears gears(
      ServiceSpec.Cluster spec, Path base, String owner, Consumer<String> news) {
    String where =
        (GovernedGear.isOf(spec) ? where(spec) : KnobShadow.where(spec)) + "." + GearSchema.AXIS;
    NodeGears gears =
        reach(spec, base)
            .find(GearControl.Governed.class)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "has no groups of nodes that are powered down with all data readable",
                        where,
                        "remove gear"))
            .gears(
                spec.gears().orElseThrow().keeping(kept(spec)),
                spec.power().profile(),
                owner,
                news);
    int wanted = GovernedGear.choice(spec).highest();
    int highest = gears.model().highest();
    if (wanted > highest) {
      gears.close();
      throw new BadRequestException(
          "there is no gear " + wanted, where, "write at most " + highest);
    }
    return gears;
  }

  /** The copies that each gear keeps by the clients' levels and the cluster's promise. */
  static KeptCopies kept(ServiceSpec.Cluster spec) {
    Map<Promised, Double> limits = spec.promise().limits();
    Double survive = limits.get(Promised.SURVIVE);
    return KeptCopies.promised(
        spec.clients().reads().orElse(ConsistencyLevel.QUORUM),
        spec.clients().writes(),
        survive == null ? OptionalInt.empty() : OptionalInt.of(survive.intValue()),
        limits.getOrDefault(Promised.COPIES, 0.0).intValue());
  }

  /** Why a policy decides no more, or is not noted; empty if all is well. */
  public Optional<String> failure() {
    return holder.failure().or(journal::failure);
  }

  /** Which knobs are not set as they are to be, in words; empty if all are. */
  public List<String> astray() {
    return holder.astray();
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
