package org.calando.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearShifter;
import org.calando.gears.OffloadAudit;
import org.calando.gears.OffloadAudit.Verdict;
import org.calando.gears.OffloadRebuild;
import org.calando.gears.StoredBlock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code calando gear log ...}: the log of writes that were off-loaded. */
@Command(
    name = "log",
    mixinStandardHelpOptions = true,
    description =
        "Checks and rebuilds the off-load log, which records blocks that were written while"
            + " their home nodes were off; see docs/gears.md.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {GearLogCommand.Check.class, GearLogCommand.Rebuild.class})
final class GearLogCommand extends CommandGroup {
  private static final int EXAMPLES = 5;

  /** What both need. */
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  abstract static class Part extends ShiftPart<GearAccess> {
    @Mixin GearOptions options;

    @Mixin OutputOptions output;

    @Override
    OutputOptions output() {
      return output;
    }

    @Override
    GearAccess open(GearProgress news) {
      return options.files(CatchUpPace.FOREGROUND, news);
    }
  }

  /** Compares it. */
  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description =
          "Reads the log with its checksums, and compares each record with the layout's plan and"
              + " with where the NameNode has the block. Changes nothing. Exit code 1 if lines are"
              + " damaged, records are wrong or some are missing.")
  static final class Check extends Part {
    @Override
    int answer(GearAccess access) {
      OffloadAudit audit = OffloadAudit.of(access.means());
      ObjectNode json = Answer.object().put("right", audit.isRight());
      show(new Answer(found(json, audit), lines(audit)));
      return audit.isRight() ? 0 : 1;
    }
  }

  /** Writes it anew. */
  @Command(
      name = "rebuild",
      mixinStandardHelpOptions = true,
      description =
          "Writes the log anew: the records that are needed, and those that are missing with homes"
              + " by the layout's plan. The old log is kept beside it as .old.")
  @SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
  static final class Rebuild extends Part {
    @Option(names = "--dry-run", description = "Prints what would be written and changes nothing.")
    private boolean dryRun;

    @Override
    int answer(GearAccess access) throws InterruptedException {
      OffloadRebuild rebuilt =
          new GearShifter(access.means(), "./calando gear log rebuild").rebuildLog(dryRun);
      int records = rebuilt.records().size();
      int added = rebuilt.audit().missing().size();
      ObjectNode json =
          Answer.object()
              .put("dry_run", dryRun)
              .put("log", rebuilt.log().toString())
              .put("written", records)
              .put("kept", records - added)
              .put("added", added);
      rebuilt.old().ifPresent(old -> json.put("old", old.toString()));
      List<String> lines = new ArrayList<>(lines(rebuilt.audit()));
      lines.add(
          String.format(
              Locale.ROOT,
              "%s %d records: %d kept, %d added",
              dryRun ? "would write" : "wrote",
              records,
              records - added,
              added));
      rebuilt.old().ifPresent(old -> lines.add("the log of before is " + old));
      show(new Answer(found(json, rebuilt.audit()), lines));
      return 0;
    }
  }

  /** Adds what was found. */
  private static ObjectNode found(ObjectNode json, OffloadAudit audit) {
    Map<Verdict, Integer> counts = audit.counts();
    json.put("blocks", audit.blocks()).put("records", audit.verdicts().size());
    counts.forEach((verdict, count) -> json.put(name(verdict), count));
    json.put("damaged_lines", audit.log().damaged()).put("torn", audit.log().isTorn());
    json.put("missing", audit.missing().size());
    for (StoredBlock block : examples(audit)) {
      json.withArray("missing_examples")
          .addObject()
          .put("path", block.path())
          .put("block", block.index());
    }
    return json;
  }

  private static String name(Verdict verdict) {
    return switch (verdict) {
      case AGREES -> "agreeing";
      case SETTLED -> "settled";
      case ELSEWHERE -> "elsewhere";
      case NO_HOMES -> "without_homes";
    };
  }

  private static List<String> lines(OffloadAudit audit) {
    Map<Verdict, Integer> counts = audit.counts();
    List<String> lines = new ArrayList<>();
    lines.add(
        audit.verdicts().size()
            + " records of "
            + audit.blocks()
            + " blocks; "
            + audit.log().damaged()
            + " damaged lines"
            + (audit.log().isTorn() ? ", the last one is torn" : ""));
    lines.add(counts.get(Verdict.AGREES) + " agree with plan and NameNode");
    lines.add(counts.get(Verdict.SETTLED) + " are settled, and not needed any more");
    lines.add(counts.get(Verdict.ELSEWHERE) + " tell of blocks that are elsewhere");
    lines.add(counts.get(Verdict.NO_HOMES) + " name homes that the layout does not have");
    lines.add(audit.missing().size() + " blocks off home have no record");
    for (StoredBlock block : examples(audit)) {
      lines.add("  " + block.path() + " block " + block.index());
    }
    return lines;
  }

  private static List<StoredBlock> examples(OffloadAudit audit) {
    return audit.missing().subList(0, Math.min(EXAMPLES, audit.missing().size()));
  }
}
