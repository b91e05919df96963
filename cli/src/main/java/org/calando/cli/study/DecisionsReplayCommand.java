package org.calando.cli.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.cli.OutputOptions;
import org.calando.study.DecisionReplay;
import org.calando.study.DecisionReplay.Replayed;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code calando decisions replay DIR}: makes the decisions of a study again. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description =
        "Repeats every decision of a study's runs from the signals in decisions.csv, with the"
            + " policies of its study.yaml, and reports where they differ. Changes nothing. Exit"
            + " code 1 if one differs.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class DecisionsReplayCommand implements Callable<Integer> {
  /** Differences of a run that are printed; JSON has all. */
  private static final int MOST_LINES = 5;

  @Parameters(paramLabel = "DIR", description = "A study's folder, such as out/demo.")
  private Path folder;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    List<Replayed> replayed = DecisionReplay.of(folder);
    boolean same = replayed.stream().allMatch(each -> each.differences().isEmpty());
    if (output.json()) {
      System.out.println(json(replayed, same).toPrettyString());
    } else {
      replayed.forEach(DecisionsReplayCommand::print);
      System.out.println(
          same ? "All decisions are the same." : "Decisions differ, or are not there.");
    }
    return same ? 0 : 1;
  }

  private static void print(Replayed replayed) {
    int differ = replayed.differences().size();
    System.out.printf(
        "%s%s%s%s: %s%n",
        replayed.run(),
        replayed.knobs().isEmpty() ? "" : ": " + replayed.knobs(),
        replayed.target().isEmpty() ? "" : " of " + replayed.target(),
        replayed.policy().isEmpty() ? "" : " by " + replayed.policy(),
        differ == 0
            ? replayed.decisions() + " decisions, the same"
            : replayed.decisions() == 0
                ? "nothing to repeat"
                : "%d of %d decisions differ".formatted(differ, replayed.decisions()));
    replayed.differences().stream()
        .limit(MOST_LINES)
        .forEach(line -> System.out.println("  " + line));
    if (differ > MOST_LINES) {
      System.out.println("  and " + (differ - MOST_LINES) + " more");
    }
  }

  private static ObjectNode json(List<Replayed> replayed, boolean same) {
    ObjectNode answer = new ObjectMapper().createObjectNode().put("same", same);
    ArrayNode parts = answer.putArray("decisions");
    for (Replayed each : replayed) {
      ObjectNode part = parts.addObject().put("run", each.run()).put("knobs", each.knobs());
      part.put("target", each.target()).put("policy", each.policy());
      part.put("decisions", each.decisions());
      each.differences().forEach(part.putArray("differences")::add);
    }
    return answer;
  }
}
