package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.junit.jupiter.api.Test;

/** An engine is a folder and a line in a list: nothing else has its name but its own commands. */
class EnginesListedTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();
  private static final List<String> BELOW =
      List.of(
          "core",
          "control",
          "engine",
          "studyfile",
          "study",
          "report",
          "predict",
          "plan",
          "papers",
          "concerto",
          "power",
          "load",
          "knob",
          "local",
          "governor",
          "session",
          "agent",
          "clock",
          "http",
          "schema",
          "sim",
          "knobs",
          "bindings",
          "cli");

  private static final String SOURCES = "/src/main/java/";

  /** The one engine that lives among files, as its cluster is of no server. */
  private static final String SIMULATED = "SimEngine.java";

  /**
   * Commands of one engine alone: {@code redis} and {@code idle} of HBase. The list only shrinks.
   */
  private static final List<String> COMMANDS = List.of("RedisCommand.java", "IdleAnswer.java");

  @Test
  void everyFolderIsInTheListAndInTheDocs() throws IOException {
    String list = Files.readString(ROOT.resolve("engines/pom.xml"));
    String docs = Files.readString(ROOT.resolve("docs/architecture.md"));
    List<Path> folders;
    try (Stream<Path> below = Files.list(ROOT.resolve("engines"))) {
      folders = below.filter(folder -> Files.exists(folder.resolve("pom.xml"))).toList();
    }
    assertThat(folders).isNotEmpty();
    for (Path folder : folders) {
      String name = folder.getFileName().toString();
      assertThat(list).contains("<module>" + name + "</module>", "calando-engine-" + name);
      assertThat(docs).contains("`engines/" + name + "/`");
      assertThat(Engines.all()).extracting(Engine::id).contains(name);
    }
  }

  @Test
  void nobodyElseHasAnEnginesName() throws IOException {
    Pattern name =
        Pattern.compile("\"(valkey|" + String.join("|", ids()) + ")\"", Pattern.CASE_INSENSITIVE);
    List<String> found = new ArrayList<>();
    for (String module : BELOW) {
      for (Path file : sources(module)) {
        String own = file.getFileName().toString();
        if (!own.equals(SIMULATED)
            && !COMMANDS.contains(own)
            && name.matcher(Files.readString(file)).find()) {
          found.add(file.toString());
        }
      }
    }
    assertThat(found).isEmpty();
  }

  /** By the text: of a constant that a compiler has put in no rule of classes sees whose it was. */
  @Test
  void noOtherCommandImportsAnEngine() throws IOException {
    Pattern engines =
        Pattern.compile(
            "import (static )?org\\.calando\\.(engine\\.[a-z]+|store|gears|local\\.(grep|%s))\\."
                .formatted(String.join("|", ids())));
    List<String> found = new ArrayList<>();
    for (Path file : sources("cli")) {
      String text = file.toString();
      String type = text.substring(text.indexOf(SOURCES) + SOURCES.length()).replace('/', '.');
      if (!type.matches(HouseRulesTest.COMMANDS_OF_ENGINES)
          && engines.matcher(Files.readString(file)).find()) {
        found.add(text);
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> sources(String module) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
      return files
          .filter(file -> file.toString().contains(SOURCES) && file.toString().endsWith(".java"))
          .toList();
    }
  }

  private static List<String> ids() {
    return Engines.all().stream().map(Engine::id).toList();
  }
}
