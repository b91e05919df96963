package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.CalandoException;
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
final class GearGovern {
  private static final long STATUS_NANOS = Duration.ofMinutes(1).toNanos();

  private final GearGovernSpec spec;
  private final boolean dryRun;
  private final boolean json;
  private final PrintStream out;

  GearGovern(GearGovernSpec spec, boolean dryRun, boolean json, PrintStream out) {
    this.spec = spec;
    this.dryRun = dryRun;
    this.json = json;
    this.out = out;
  }

  /**
   * Governs; in a dry run until there are two looks, of which the second knows the load.
   *
   * @param base what the inventory is relative to
   * @throws CalandoException if the cluster cannot be reached, or a shift fails: the plan is open
   */
  void run(Path base, StopSignal stop, Progress progress) throws InterruptedException {
    Thread caller = Thread.currentThread();
    StopSignal.Registration registration = stop.onRequest(caller::interrupt);
    try (GearAccess access = open(base, progress);
        GovernorJournal journal =
            GovernorJournal.of(
                StateFolder.decisions("gear", access.means().cluster().target()),
                "./calando govern",
                dryRun,
                this::line)) {
      GearGovernor governor = governor(access, journal);
      Optional<Integer> unfinished = governor.resume();
      unfinished.ifPresent(
          gear ->
              line(
                  dryRun
                      ? "there is an unfinished plan to gear " + gear + ", which would be resumed"
                      : "resumed an unfinished plan to gear " + gear));
      watch(governor, stop);
    } catch (InterruptedException | CalandoException e) {
      if (!stop.isRequested()) {
        throw e;
      }
      line("ended; a shift that was under way is resumed by ./calando gear up --resume");
    } finally {
      registration.close();
    }
  }

  private void watch(GearGovernor governor, StopSignal stop) throws InterruptedException {
    long told = System.nanoTime() - STATUS_NANOS;
    int looks = 0;
    boolean silent = false;
    while (!stop.isRequested()) {
      GearGovernor.Look look = governor.look();
      looks++;
      long now = System.nanoTime();
      if (look.answersAgain()) {
        line("the NameNode answers again");
      }
      boolean news = look.silence().isPresent() != silent;
      silent = look.silence().isPresent();
      if (news
          || look.gear() != look.decided()
          || look.failedNodes() > 0
          || now - told >= STATUS_NANOS) {
        tell(look);
        told = now;
      }
      if (dryRun && looks == 2) {
        if (told != now) {
          tell(look);
        }
        return;
      }
      Thread.sleep(Duration.ofNanos(spec.periodNanos()).toMillis());
    }
  }

  private GearAccess open(Path base, Progress progress) {
    CatchUpPace pace =
        spec.bandwidth()
            .map(bytes -> new CatchUpPace(bytes, CatchUpPace.BACKGROUND.perNode()))
            .orElse(CatchUpPace.FOREGROUND);
    return GearAccess.of(spec.inventory().map(base::resolve), pace, new GearProgress(progress));
  }

  private GearGovernor governor(GearAccess access, GovernorJournal journal) {
    NodeProfile profile = Profiles.byName(spec.profile()).orElseThrow();
    GearModel model =
        LayoutGears.hdfs(
            access.means().file().layout(),
            profile,
            spec.nodeMegabytesPerSecond(),
            spec.inventory().isPresent()
                ? GearModel.MACHINE_OFF_SECONDS
                : GearModel.PROCESS_OFF_SECONDS);
    String target = access.means().cluster().target();
    GearPolicy policy = spec.policy().policy(model, 1, spec.periodNanos());
    return new GearGovernor(
        access.means(),
        journal.resume(policy, target),
        access::traffic,
        System::nanoTime,
        LocalSeconds::now,
        dryRun,
        journal,
        "./calando govern");
  }

  private void tell(GearGovernor.Look look) {
    if (json) {
      ObjectNode node = object();
      node.put("gear", look.shifted() ? look.decided() : look.gear());
      node.put("decided", look.decided());
      look.megabytesPerSecond().ifPresent(load -> node.put("mb_per_s", load));
      node.put("failed_nodes", look.failedNodes());
      node.put("dry_run", dryRun);
      look.silence().ifPresent(why -> node.put("silence", why));
      look.notNow().ifPresent(why -> node.put("not_now", why));
      look.reasons().forEach(node.putArray("reasons")::add);
      out.println(node);
      return;
    }
    if (look.silence().isPresent()) {
      line(look.silence().get() + "; gear " + look.gear() + " stays until it answers");
      return;
    }
    String load =
        look.megabytesPerSecond()
            .map(mega -> String.format(Locale.ROOT, "%.1f MB/s", mega))
            .orElse("load not known yet");
    String gear =
        look.gear() == look.decided()
            ? "gear " + look.gear()
            : "gear "
                + look.gear()
                + (dryRun
                    ? ", would shift to "
                    : look.shifted() ? ", shifted to " : ", not now to ")
                + look.decided();
    String failed =
        look.failedNodes() == 0 ? "" : ", " + look.failedNodes() + " nodes do not serve";
    String not = look.notNow().map(why -> "; not now: " + why).orElse("");
    line(gear + ", " + load + failed + ": " + String.join("; ", look.reasons()) + not);
  }

  private void line(String text) {
    if (json) {
      out.println(object().put("told", text));
    } else {
      out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }
  }

  private static ObjectNode object() {
    return new ObjectMapper()
        .createObjectNode()
        .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
