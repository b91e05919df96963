package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.calando.control.ControlLoopBuilder;
import org.calando.control.ShiftActor;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.gears.idle.IdleGovernor;
import org.calando.gears.idle.IdleSetting;
import org.jspecify.annotations.Nullable;

/** Prints what a governor does with servers that sleep. */
final class IdleWatch extends GovernorWatch<IdleSetting> {
  private static final Pattern GEAR = Pattern.compile("gear (\\d{1,4})");

  private final boolean dryRun;
  private final IdleOptions options;
  private @Nullable IdleGovernor governor;
  private int least;

  IdleWatch(boolean json, boolean dryRun, PrintStream out, IdleOptions options) {
    super(json, dryRun, out);
    this.dryRun = dryRun;
    this.options = options;
  }

  /**
   * Resumes what a former governor left, and prepares the loop.
   *
   * @param fewest nodes that are always up
   */
  ControlLoopBuilder<?> begin(
      IdleGovernor begun, int fewest, GearPolicy policy, GovernorJournal journal)
      throws InterruptedException {
    governor = begun;
    least = fewest;
    begun
        .resume(dryRun)
        .ifPresent(
            to -> line((dryRun ? "there is" : "resumed") + " an unfinished plan: " + to.words()));
    return begun
        .loop(journal.resume(policy, begun.target()), dryRun, this::heard)
        .listener(journal)
        .listener(this);
  }

  private void heard(ShiftActor.Look<IdleSetting> look) {
    looked(look);
    if (look.shifted()) {
      options.noteProcesses();
    }
  }

  private IdleGovernor governor() {
    return Objects.requireNonNull(governor);
  }

  @Override
  String wrong(ShiftActor.Look<IdleSetting> look) {
    return super.wrong(look) + " " + governor().troubles();
  }

  @Override
  void fill(ObjectNode node, ShiftActor.Look<IdleSetting> look) {
    GearObservation seen = seen(look);
    fill(node, look.before(), look.decided());
    seen.load().ifPresent(load -> node.put("rows_per_s", load.perSecond()));
    node.put("failed_nodes", seen.failedNodes());
    node.put("shifted", look.shifted());
    governor().troubles().forEach(node.putArray("troubles")::add);
  }

  private static void fill(ObjectNode node, IdleSetting before, IdleSetting decided) {
    before.asleep().forEach(node.putArray("before")::add);
    decided.asleep().forEach(node.putArray("decided")::add);
  }

  @Override
  String words(ShiftActor.Look<IdleSetting> look) {
    GearObservation seen = seen(look);
    String load =
        seen.load()
            .map(known -> String.format(Locale.ROOT, "%.0f rows/s", known.perSecond()))
            .orElse("load not known yet");
    String does =
        look.before().equals(look.decided())
            ? up(look.before())
            : (dryRun ? "would have " : look.shifted() ? "now " : "not now: ")
                + look.decided().words();
    String failed = seen.failedNodes() == 0 ? "" : ", " + seen.failedNodes() + " do not serve";
    List<String> why = new ArrayList<>();
    look.decision().step().reasons().forEach(reason -> why.add(inNodes(reason, least)));
    why.addAll(governor().troubles());
    look.notNow().ifPresent(why::add);
    return does + ", " + load + failed + ": " + String.join("; ", why);
  }

  private String up(IdleSetting now) {
    String asleep = now.asleep().isEmpty() ? "" : " (" + now.words() + ")";
    return options.cluster().nodes().size() - now.asleep().size() + " up" + asleep;
  }

  @Override
  String missedWords(String why) {
    return up(governor().current()) + ", load not known yet: " + why;
  }

  @Override
  void fillMissed(ObjectNode node, String why) {
    IdleSetting now = governor().current();
    fill(node, now, now);
    node.put("failed_nodes", 0).put("shifted", false).putArray("reasons").add(why);
    node.putArray("troubles");
  }

  /** A reason of a policy of gears, in nodes: gear 1 has the fewest of them up. */
  static String inNodes(String reason, int least) {
    String bare = reason.replaceFirst("^[^:]*: gear \\d+: ", "").replace(" ops/s", " rows/s");
    return GEAR.matcher(bare)
        .replaceAll(gear -> least - 1 + Integer.parseInt(gear.group(1)) + " up");
  }
}
