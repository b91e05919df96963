package org.calando.concerto.trials;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.calando.concerto.trials.ServiceFault.Phase;
import org.calando.core.CalandoException;

/*
 *   governor starts --- faults of BEGIN ---> governs --- faults of GOVERNED ---> governs
 *        --- TERM, faults of END ---> all as before --- agents end, restore ---> nothing left
 */
/**
 * One trial of the governor's service with agents of two machines, while one to three things go
 * wrong at times that a seed draws. For one call of {@link #run}.
 */
public final class ServiceTrial {
  /**
   * From the end of a phase's faults until all is governed: a lease's 10 s and a start are in it.
   */
  private static final long GOVERNED_SECONDS = 25;

  /** From the last fault at the governor's end until all is as before: a lease's 10 s are in it. */
  private static final long RESTORED_SECONDS = 15;

  /**
   * From the begin of the phase in which the governor ends, so that faults come before and after.
   */
  private static final long TERM_NANOS = 300_000_000;

  private static final int MOST_FAULTS = 3;

  /** An HDFS takes longer to start than a whole trial without one. */
  private static final long EACH_GEARS = 10;

  /** Of a shift that a fault has paused for a minute. */
  private static final long SHIFTED_SECONDS = 150;

  private static final int MOST_STARTS = 6;
  private static final long LOOK_NANOS = 20_000_000;

  private final long seed;
  private final Path folder;
  private final Duration governed;
  private final Duration restored;
  private final Duration shifted;
  private final boolean sentinels;
  private final boolean gears;
  private final List<PlannedFault> faults = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();
  private double governedSeconds;
  private double restoredSeconds;
  private int restores;

  /**
   * A trial.
   *
   * @param seed decides on the setup, faults and times
   * @param folder for everything, of this one alone
   * @param patience times the bounds of a machine that does nothing else
   */
  public ServiceTrial(long seed, Path folder, int patience) {
    this.seed = seed;
    this.folder = folder;
    this.governed = Duration.ofSeconds(patience * GOVERNED_SECONDS);
    this.restored = Duration.ofSeconds(patience * RESTORED_SECONDS);
    this.shifted = Duration.ofSeconds(patience * SHIFTED_SECONDS);
    SplittableRandom random = new SplittableRandom(seed);
    this.sentinels = random.nextBoolean();
    this.gears = Math.floorMod(seed, EACH_GEARS) == EACH_GEARS - 1;
    List<ServiceFault> kinds = new ArrayList<>(List.of(ServiceFault.values()));
    int count = 1 + random.nextInt(MOST_FAULTS);
    int next = (int) Math.floorMod(seed, (long) kinds.size());
    for (int i = 0; i < count; i++) {
      faults.add(new PlannedFault(kinds.remove(next), random));
      next = random.nextInt(kinds.size());
    }
  }

  /**
   * Does it; takes about half a minute.
   *
   * @throws CalandoException if the servers or agents do not start, so that nothing was tried
   */
  public ServiceTrialResult run() {
    long begun = System.nanoTime();
    List<Integer> disks = faults.stream().map(PlannedFault::disk).toList();
    try (ServiceBed bed = new ServiceBed(folder, sentinels, gears, disks)) {
      try {
        run(bed);
      } catch (CalandoException e) {
        damage.add("the trial broke off: " + e.getMessage());
      }
      damage.addAll(bed.judge().damage());
    }
    return new ServiceTrialResult(
        seed,
        sentinels,
        gears,
        faults.stream().map(PlannedFault::done).toList(),
        governedSeconds,
        restoredSeconds,
        restores,
        damage,
        (System.nanoTime() - begun) / 1e9);
  }

  private void run(ServiceBed bed) {
    bed.startGovernor();
    play(bed, Phase.BEGIN);
    awaitGoverned(bed, Phase.BEGIN);
    play(bed, Phase.GOVERNED);
    awaitGoverned(bed, Phase.GOVERNED);
    bed.gears().ifPresent(this::awaitPlan);
    play(bed, Phase.END);
    awaitRestored(bed);
    bed.gears().ifPresent(each -> damage.addAll(each.finish()));
    Leftovers left = bed.endAgents();
    damage.addAll(left.restore());
    restores = left.restores();
    if (!bed.judge().isAsBefore()) {
      damage.add("not as before once the agents have ended: " + bed.judge().differences());
    }
  }

  private List<PlannedFault> of(Phase phase) {
    return faults.stream().filter(each -> each.phase() == phase).toList();
  }

  private record Action(long nanos, Runnable work) {}

  /** Does the faults of a phase and mends them, each at its time. */
  private void play(ServiceBed bed, Phase phase) {
    long begun = System.nanoTime();
    List<PlannedFault> now = of(phase);
    List<Action> actions = new ArrayList<>();
    if (phase == Phase.END) {
      actions.add(new Action(TERM_NANOS, () -> bed.governor().signal("TERM")));
    }
    for (PlannedFault fault : now) {
      actions.add(new Action(fault.beginNanos(), () -> fault.begin(bed)));
      actions.add(
          new Action(
              fault.mendNanos(),
              () -> {
                String wrong = fault.mend(bed, phase != Phase.END, now.size() == 1);
                if (!wrong.isEmpty()) {
                  damage.add(phase + ": " + wrong);
                }
              }));
    }
    actions.sort(Comparator.comparingLong(Action::nanos));
    for (Action action : actions) {
      awaitTrue(Duration.ofNanos(action.nanos()), begun, () -> false);
      action.work().run();
    }
  }

  /** Waits until it holds, or that much time is over since. */
  private static boolean awaitTrue(Duration most, long sinceNanos, BooleanSupplier holds) {
    boolean held = holds.getAsBoolean();
    while (!held && System.nanoTime() - sinceNanos < most.toNanos()) {
      LockSupport.parkNanos(LOOK_NANOS);
      held = holds.getAsBoolean();
    }
    return held;
  }

  /**
   * Waits until the first governor governs; one that was refused is started again, as a service is.
   */
  private void awaitGoverned(ServiceBed bed, Phase phase) {
    long since = System.nanoTime();
    boolean mayEnd = of(phase).stream().anyMatch(PlannedFault::mayRefuseBegin);
    boolean governs = false;
    for (int starts = 0; !governs && starts < MOST_STARTS; starts++) {
      governs = awaitTrue(governed, since, () -> bed.isGoverned() || !bed.governor().isAlive());
      if (bed.governor().isAlive()) {
        break;
      }
      governs = false;
      String end = bed.governor().exitCode() + ", " + bed.governor().lastWords();
      if (!mayEnd) {
        damage.add(phase + ": the governor ended by itself: " + end);
      }
      bed.startGovernor();
    }
    governedSeconds = Math.max(governedSeconds, (System.nanoTime() - since) / 1e9);
    if (!governs) {
      damage.add(
          phase
              + ": does not govern "
              + governed.toSeconds()
              + " s after the last fault; the governor said: "
              + bed.governor().lastWords());
    }
  }

  /**
   * Waits until the plan is begun, or by the seed until it is through; else the end has it open.
   */
  private void awaitPlan(GearedHdfs hdfs) {
    boolean through = Math.floorMod(seed / EACH_GEARS, 2L) == 0;
    long since = System.nanoTime();
    if (!awaitTrue(shifted, since, () -> hdfs.isThrough() || (!through && hdfs.isOpen()))) {
      damage.add("no shift of gears within " + shifted.toSeconds() + " s");
    }
  }

  /** Waits for the governor's end, and until all is as before. */
  private void awaitRestored(ServiceBed bed) {
    long since = System.nanoTime();
    int code = bed.governor().exitCode();
    boolean quiet = of(Phase.END).isEmpty();
    if (code < 0 || (quiet && code != 143)) {
      damage.add("the governor ended with " + code + " after TERM: " + bed.governor().lastWords());
    }
    if (!awaitTrue(restored, since, () -> bed.judge().isAsBefore())) {
      damage.add("not as before after the governor's end: " + bed.judge().differences());
    }
    restoredSeconds = (System.nanoTime() - since) / 1e9;
  }
}
