package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.calando.control.HeldGear;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.gears.idle.IdleGovernor;
import org.calando.gears.idle.IdleMeans;
import org.calando.gears.idle.IdleSetting;
import org.jspecify.annotations.Nullable;

/** Prints what a governor does with servers that sleep. */
final class IdleWatch extends GovernorWatch {
  private static final String OWNER = "./calando idle watch";
  private static final Pattern GEAR = Pattern.compile("gear (\\d{1,4})");

  private final IdleOptions options;
  private @Nullable IdleGovernor governor;
  private int least;

  IdleWatch(boolean json, boolean dryRun, PrintStream out, IdleOptions options) {
    super(json, dryRun, out);
    this.options = options;
  }

  /**
   * Governs until the command is to end.
   *
   * @param fewest nodes that are always up
   */
  void run(IdleMeans means, int fewest, GearPolicy policy, long periodNanos)
      throws InterruptedException {
    least = fewest;
    run(
        policy,
        periodNanos,
        periodNanos,
        StateFolder.decisions("idle", means.regions().name()),
        OWNER,
        (scheduler, executor) -> {
          IdleGovernor begun =
              new IdleGovernor(means, fewest, scheduler, executor, LocalSeconds::now, OWNER);
          governor = begun;
          return begun;
        });
  }

  @Override
  void shifted() {
    options.noteProcesses();
  }

  private IdleGovernor governor() {
    return Objects.requireNonNull(governor);
  }

  @Override
  String wrong(HeldGear.Look look) {
    return super.wrong(look) + " " + governor().troubles();
  }

  @Override
  void fill(ObjectNode node, HeldGear.Look look) {
    governor().asleep(look.before()).asleep().forEach(node.putArray("before")::add);
    governor().asleep(look.decided()).asleep().forEach(node.putArray("decided")::add);
    load(look).ifPresent(rate -> node.put("rows_per_s", rate));
    node.put("shifted", look.shifted());
    governor().troubles().forEach(node.putArray("troubles")::add);
  }

  @Override
  String words(HeldGear.Look look) {
    String load =
        load(look)
            .map(rate -> String.format(Locale.ROOT, "%.0f rows/s", rate))
            .orElse("load not known yet");
    IdleSetting decided = governor().asleep(look.decided());
    String does =
        look.before() == look.decided()
            ? up(decided)
            : (dryRun ? "would have " : look.shifted() ? "now " : "not now: ") + decided.words();
    String failed = failedNodes(look) == 0 ? "" : ", " + failedNodes(look) + " do not serve";
    List<String> why = new ArrayList<>();
    reasons(look).forEach(reason -> why.add(inNodes(reason, least)));
    why.addAll(governor().troubles());
    look.notNow().ifPresent(why::add);
    return does + ", " + load + failed + ": " + String.join("; ", why);
  }

  private String up(IdleSetting now) {
    String asleep = now.asleep().isEmpty() ? "" : " (" + now.words() + ")";
    return options.cluster().nodes().size() - now.asleep().size() + " up" + asleep;
  }

  /** A reason of a policy of gears, in nodes: gear 1 has the fewest of them up. */
  static String inNodes(String reason, int least) {
    String bare = reason.replaceFirst("^[^:]*: gear \\d+: ", "").replace(" ops/s", " rows/s");
    return GEAR.matcher(bare)
        .replaceAll(gear -> least - 1 + Integer.parseInt(gear.group(1)) + " up");
  }
}
