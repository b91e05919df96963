package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import org.calando.control.HeldGear;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearGovernor;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.studyfile.GearGovernSpec;

/** Governs the gear of an HDFS until it is told to end; the gear stays as it is then. */
final class GearGovern extends GovernorWatch {
  private static final String OWNER = "./calando govern";

  private final GearGovernSpec spec;

  GearGovern(GearGovernSpec spec, boolean dryRun, boolean json, PrintStream out) {
    super(json, dryRun, out);
    this.spec = spec;
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
                policy(access),
                spec.periodNanos(),
                0,
                StateFolder.decisions("gear", access.means().cluster().target()),
                OWNER,
                (scheduler, executor) ->
                    new GearGovernor(
                        access.means(),
                        access::traffic,
                        scheduler,
                        executor,
                        LocalSeconds::now,
                        OWNER));
          }
        });
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
  void fill(ObjectNode node, HeldGear.Look look) {
    node.put("gear", look.shifted() ? look.decided() : look.before());
    node.put("decided", look.decided());
    load(look).ifPresent(load -> node.put("mb_per_s", load));
    node.put("dry_run", dryRun);
  }

  @Override
  String words(HeldGear.Look look) {
    if (look.decision().isEmpty()) {
      return look.notNow().orElse("") + "; gear " + look.before() + " stays meanwhile";
    }
    String load =
        load(look)
            .map(mega -> String.format(Locale.ROOT, "%.1f MB/s", mega))
            .orElse("load not known yet");
    String does = dryRun ? "would shift" : look.shifted() ? "shifted" : "not now";
    String to = look.before() == look.decided() ? "" : ", " + does + " to " + look.decided();
    String failed = failedNodes(look) == 0 ? "" : ", " + failedNodes(look) + " nodes do not serve";
    String not = look.notNow().map(why -> "; not now: " + why).orElse("");
    String reasons = String.join("; ", reasons(look));
    return "gear " + look.before() + to + ", " + load + failed + ": " + reasons + not;
  }

  @Override
  void answersAgain() {
    line("the cluster can be observed again");
  }
}
