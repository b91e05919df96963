package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every message that a shift of gears can end with stands in docs/gears.md, as the code has it. */
class ShiftRunbookTest {
  private static final Path ROOT = Path.of("..", "..");

  /** Where those messages are made, beside the package of gears. */
  private static final List<String> OTHERS =
      List.of(
          "control/src/main/java/org/calando/control/Journal.java",
          "control/src/main/java/org/calando/control/KnobOwner.java",
          "control/src/main/java/org/calando/control/PlanExecutor.java",
          "control/src/main/java/org/calando/control/Shifter.java",
          "power/src/main/java/org/calando/power/onoff/Sight.java",
          "engines/hdfs/src/main/java/org/calando/store/hdfs/internal/Beans.java",
          "engines/hdfs/src/main/java/org/calando/store/hdfs/internal/HostsFile.java",
          "engines/hdfs/src/main/java/org/calando/store/hdfs/internal/NameNode.java");

  /** Not of shifts: what starts a local cluster. */
  private static final List<String> NOT_OF_SHIFTS = List.of("LocalGears.java", "GearSpec.java");

  private static final Pattern MADE =
      Pattern.compile("(?:new (?:FailedWork|BadRequest)Exception|wrong)\\(");

  /** What a wait lacks at its end. */
  private static final Pattern LACKING = Pattern.compile("\\(\\) ->\\s*(?=\")");

  /** Shorter texts are joints between the parts of a message. */
  private static final int SHORTEST = 9;

  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

  @Test
  void eachMessageThatAShiftCanEndWithStandsInTheRunbook() throws IOException {
    String runbook = runbook();
    List<String> messages = messages();
    assertThat(messages).as("found in the code").hasSizeGreaterThan(40);
    assertThat(messages)
        .allSatisfy(message -> assertThat(runbook).contains(message))
        .contains("no full report of blocks yet from", "does not read back as done");
  }

  private static String runbook() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/gears.md"));
    int begin = page.indexOf("## For the night");
    assertThat(begin).as("the runbook").isPositive();
    String section = page.substring(begin, page.indexOf("\n## ", begin));
    return section.replaceAll("\\s+", " ");
  }

  private static List<String> messages() throws IOException {
    List<Path> files = new ArrayList<>(OTHERS.stream().map(ROOT::resolve).toList());
    try (Stream<Path> own = Files.list(Path.of("src/main/java/org/calando/gears"))) {
      own.filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !NOT_OF_SHIFTS.contains(file.getFileName().toString()))
          .forEach(files::add);
    }
    List<String> messages = new ArrayList<>();
    for (Path file : files) {
      String code = Files.readString(file);
      for (Pattern pattern : List.of(MADE, LACKING)) {
        Matcher made = pattern.matcher(code);
        while (made.find()) {
          longest(firstArgument(code.substring(made.end()))).ifPresent(messages::add);
        }
      }
    }
    return messages;
  }

  /** Up to the comma or parenthesis that ends it; commas in texts do not. */
  private static String firstArgument(String code) {
    int depth = 0;
    boolean text = false;
    for (int i = 0; i < code.length(); i++) {
      char c = code.charAt(i);
      if (c == '"' && (i == 0 || code.charAt(i - 1) != '\\')) {
        text = !text;
      } else if (!text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0 || (c == ',' && depth == 0)) {
          return code.substring(0, i);
        }
      }
    }
    return code;
  }

  /** The longest text in an argument, which tells the message from others. */
  private static Optional<String> longest(String argument) {
    String longest = "";
    Matcher text = TEXT.matcher(argument);
    while (text.find()) {
      String one = text.group(1).replace("%d", "N").strip().replaceAll("[:(;,]+$", "").strip();
      longest = one.length() > longest.length() ? one : longest;
    }
    return longest.length() < SHORTEST ? Optional.empty() : Optional.of(longest);
  }
}
