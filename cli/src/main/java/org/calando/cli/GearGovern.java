package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executor;
import org.calando.control.ControlLoop;
import org.calando.control.ShiftActor;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.core.time.Scheduler;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearGovernor;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.studyfile.GearGovernSpec;

/** Governs the gear of an HDFS until it is told to end; the gear stays as it is then. */
final class GearGovern extends GovernorWatch<Integer> {
  private static final String OWNER = "./calando govern";

  private final GearGovernSpec spec;
  private final boolean dryRun;
  private int gear;

  GearGovern(GearGovernSpec spec, boolean dryRun, boolean json, PrintStream out) {
    super(json, dryRun, out);
    this.spec = spec;
    this.dryRun = dryRun;
  }

  /**
   * Governs; in a dry run until there are two looks, of which the second knows the load.
   *
   * @param base what the inventory is relative to
   * @throws org.calando.core.CalandoException if the cluster cannot be reached, or a shift fails:
   *     the plan is open
   */
  void run(Path base, StopSignal stop, Progress progress) throws InterruptedException {
    until(
        stop,
        "./calando gear up --resume",
        () -> {
          try (GearAccess access = open(base, progress)) {
            run(
                StateFolder.decisions("gear", access.means().cluster().target()),
                OWNER,
                (scheduler, executor, journal) -> begin(access, scheduler, executor, journal));
          }
        });
  }

  private ControlLoop<?> begin(
      GearAccess access, Scheduler scheduler, Executor executor, GovernorJournal journal)
      throws InterruptedException {
    GearGovernor governor =
        new GearGovernor(
            access.means(), access::traffic, scheduler, executor, LocalSeconds::now, OWNER);
    governor
        .resume(dryRun)
        .ifPresent(
            to ->
                line(
                    dryRun
                        ? "there is an unfinished plan to gear " + to + ", which would be resumed"
                        : "resumed an unfinished plan to gear " + to));
    gear = governor.current();
    return governor
        .loop(
            journal.resume(policy(access), access.means().cluster().target()), dryRun, this::looked)
        .periodNanos(spec.periodNanos())
        .listener(journal)
        .listener(this)
        .start();
  }

  private GearAccess open(Path base, Progress progress) {
    CatchUpPace pace =
        spec.bandwidth()
            .map(bytes -> new CatchUpPace(bytes, CatchUpPace.BACKGROUND.perNode()))
            .orElse(CatchUpPace.FOREGROUND);
    return GearAccess.of(spec.inventory().map(base::resolve), pace, new GearProgress(progress));
  }

  private GearPolicy policy(GearAccess access) {
    NodeProfile profile = Profiles.byName(spec.profile()).orElseThrow();
    GearModel model =
        LayoutGears.hdfs(
            access.means().file().layout(),
            profile,
            spec.nodeMegabytesPerSecond(),
            spec.inventory().isPresent()
                ? GearModel.MACHINE_OFF_SECONDS
                : GearModel.PROCESS_OFF_SECONDS);
    return spec.policy().policy(model, 1, spec.periodNanos());
  }

  @Override
  void fill(ObjectNode node, ShiftActor.Look<Integer> look) {
    node.put("gear", now(look));
    node.put("decided", look.decided());
    seen(look).load().ifPresent(load -> node.put("mb_per_s", load.perSecond()));
    node.put("failed_nodes", seen(look).failedNodes());
    node.put("dry_run", dryRun);
  }

  private int now(ShiftActor.Look<Integer> look) {
    gear = look.shifted() ? look.decided() : look.before();
    return gear;
  }

  @Override
  String words(ShiftActor.Look<Integer> look) {
    int unused = now(look);
    GearObservation seen = seen(look);
    String load =
        seen.load()
            .map(known -> String.format(Locale.ROOT, "%.1f MB/s", known.perSecond()))
            .orElse("load not known yet");
    String does =
        look.before().equals(look.decided())
            ? "gear " + look.before()
            : "gear "
                + look.before()
                + (dryRun
                    ? ", would shift to "
                    : look.shifted() ? ", shifted to " : ", not now to ")
                + look.decided();
    String failed =
        seen.failedNodes() == 0 ? "" : ", " + seen.failedNodes() + " nodes do not serve";
    String not = look.notNow().map(why -> "; not now: " + why).orElse("");
    return does
        + ", "
        + load
        + failed
        + ": "
        + String.join("; ", look.decision().step().reasons())
        + not;
  }

  @Override
  String missedWords(String why) {
    return why + "; gear " + gear + " stays until it answers";
  }

  @Override
  void fillMissed(ObjectNode node, String why) {
    node.put("gear", gear).put("decided", gear).put("failed_nodes", 0).put("dry_run", dryRun);
    node.put("silence", why).putArray("reasons");
  }

  @Override
  void answersAgain() {
    line("the NameNode answers again");
  }
}
