package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.studyfile.Golden;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** What the command says of itself, and of words that it does not know. */
class HelpTest {
  private final StringWriter errors = new StringWriter();
  private final StringWriter answer = new StringWriter();
  private final CommandLine command =
      Main.commandLine(new Main(), new PrintWriter(errors, true))
          .setOut(new PrintWriter(answer, true));

  static List<CommandSpec> commands() {
    CommandSpec root =
        Main.commandLine(new Main(), new PrintWriter(new StringWriter())).getCommandSpec();
    return Stream.concat(Stream.of(root), CommandErrors.below(root)).toList();
  }

  static List<String> examples() {
    return HelpCommand.examples();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasTwoExamples(CommandSpec each) {
    long shown = HelpCommand.of(each, HelpCommand.examples()).count();
    boolean alone = each.subcommands().size() == 1;
    assertThat(shown)
        .as("lines of examples.txt for " + each.qualifiedName())
        .isGreaterThanOrEqualTo(alone ? 1 : 2);
    assertThat(each.commandLine().getUsageMessage()).contains("Examples:");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpFitsEightyColumnsAndBreaksNoName(CommandSpec each) {
    String help = each.commandLine().getUsageMessage(Ansi.OFF);
    assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(help).doesNotContainPattern("(docs/[\\w-]+|store|store\\.local|KEYSPACE)\\.\\n");
  }

  @Test
  @Tag(Golden.TAG)
  void everyHelpIsThatOfItsGoldenFile() {
    Locale locale = Locale.getDefault();
    try {
      // picocli orders options by upper case, in which Turkish i is another letter.
      Locale.setDefault(Locale.ROOT);
      Golden.check(
          Path.of(System.getProperty("basedir", ".")).resolve("src/test/golden/help"),
          commands().stream()
              .collect(
                  Collectors.toMap(
                      each -> each.qualifiedName("-") + ".txt",
                      each -> each.commandLine().getUsageMessage(Ansi.OFF))));
    } finally {
      Locale.setDefault(locale);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyExampleIsACommand(String line) {
    List<String> words = words(line);
    assertThat(words.get(0)).isEqualTo("./calando");
    assertThatCode(() -> command.parseArgs(words.subList(1, words.size()).toArray(String[]::new)))
        .doesNotThrowAnyException();
  }

  /** The words of a line as a shell takes it apart. */
  static List<String> words(String line) {
    return Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)")
        .matcher(line)
        .results()
        .map(HelpTest::word)
        .toList();
  }

  private static String word(MatchResult found) {
    return Stream.of(1, 2, 3).map(found::group).filter(each -> each != null).findFirst().orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "studdy mine.yaml | there is no command 'studdy' | did you mean ./calando study?",
        "predict stael --n 3 | there is no command 'stael' | did you mean ./calando predict stale?",
        "lag 127.0.0.1:6379 | there is no command 'lag' | did you mean ./calando redis lag?",
        "fly | there is no command 'fly' | use one of demo, study, report",
        "help studdy | there is no command 'studdy' | did you mean ./calando study?",
        "study a.yaml --resum | there is no option '--resum' | did you mean --resume?",
        "study a.yaml b.yaml | 'b.yaml' is one argument too many | see ./calando study --help",
      })
  void anUnknownWordIsRefusedWithTheNearest(String line, String what, String remedy) {
    assertThat(command.execute(line.split(" ", -1))).isEqualTo(2);
    assertThat(errors.toString()).contains("calando: " + what, "remedy: ", remedy);
    assertThat(answer.toString()).isEmpty();
  }

  @Test
  void helpSaysWhatTheOptionSays() {
    assertThat(command.execute("help", "predict", "stale")).isZero();
    assertThat(answer.toString())
        .isEqualTo(
            command.getSubcommands().get("predict").getSubcommands().get("stale").getUsageMessage())
        .contains("./calando predict stale --n 5");
  }

  @Test
  void helpAloneListsAllCommands() {
    assertThat(command.execute("help")).isZero();
    assertThat(answer.toString()).contains("demo", "govern", "Shows the help of a command");
  }

  @Test
  void optionsStandInTheOrderInWhichOneExplainsTheNext() {
    String help =
        command.getSubcommands().get("predict").getSubcommands().get("stale").getUsageMessage();
    assertThat(help.substring(help.indexOf("Replicas of each key")))
        .containsSubsequence("--reads-per-s", "--keys", "--popularity", "--live", "--table");
  }

  @Test
  void withJsonEveryProblemHasItsPlaceAndRemedy() throws IOException {
    String line = "predict stale --n 3 --reads-per-s many --propagation 100ms --json";
    assertThat(command.execute(line.split(" ", -1))).isEqualTo(2);
    JsonNode error = new ObjectMapper().readTree(errors.toString()).path("error");
    assertThat(error.path("what").asText()).contains("\n");
    assertThat(error.path("problems")).hasSize(2);
    JsonNode first = error.path("problems").get(0);
    assertThat(first.path("where").asText()).isEqualTo("--reads-per-s");
    assertThat(first.path("what").asText()).isEqualTo("'many' is not a number");
    assertThat(first.path("remedy").asText()).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "predict stale --n 3 --fly --json,there is no option '--fly'",
    "report none --json,no such folder",
    "studdy --json,there is no command 'studdy'"
  })
  void withJsonAnErrorIsOneLineOfJson(String line, String what) throws IOException {
    assertThat(command.execute(line.split(" ", -1))).isEqualTo(2);
    assertThat(errors.toString().lines()).hasSize(1);
    JsonNode error = new ObjectMapper().readTree(errors.toString()).path("error");
    assertThat(error.path("what").asText() + error.path("where").asText()).contains(what);
    assertThat(error.path("remedy").asText()).isNotEmpty();
    assertThat(error.path("exit_code").asInt()).isEqualTo(2);
  }
}
