package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is a folder of its own is in the build, in the command, and in the plan of the house. */
class HouseFoldersTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

  @Test
  void everyKnobIsBuiltAndInTheCommandAndInTheHouse() throws IOException {
    String pom = Files.readString(ROOT.resolve("knobs/pom.xml"));
    String house = Files.readString(ROOT.resolve("docs/architecture.md"));
    List<String> knobs = folders(ROOT.resolve("knobs"));
    assertThat(knobs).contains("level", "gear", "frequency", "buffer");
    for (String knob : knobs) {
      assertThat(pom)
          .contains("<module>" + knob + "</module>")
          .contains("<artifactId>calando-knob-" + knob + "</artifactId>");
      assertThat(house).contains("`knobs/" + knob + "/`");
    }
  }

  /** The command builds itself without tests, and so without the tests' jars of other modules. */
  @Test
  void noModuleOfTheCommandNeedsTestsOfAnother() throws IOException {
    List<Path> poms;
    try (Stream<Path> files = Files.walk(ROOT, 4)) {
      poms =
          files
              .filter(file -> file.endsWith("pom.xml"))
              .filter(file -> !file.startsWith(ROOT.resolve("it")))
              .filter(file -> !file.equals(ROOT.resolve("pom.xml")))
              .toList();
    }
    assertThat(poms).contains(ROOT.resolve("session/pom.xml"));
    for (Path pom : poms) {
      String text = Files.readString(pom);
      int needed = text.indexOf("<type>test-jar</type>");
      assertThat(needed < 0 || text.lastIndexOf("!maven.test.skip", needed) >= 0)
          .as("%s: put it into the profile that is not there where tests are skipped", pom)
          .isTrue();
    }
  }

  /** The agent's carries out the plan of a knob of its own machine. */
  private static final Set<String> WITHOUT_KIT = Set.of("AgentKnob");

  private static final Pattern KNOB = Pattern.compile("\\bimplements (.*\\W)?Knob<|new OffKnob\\(");

  @Test
  void everyKnobHasATestThatCutsItsPlansOff() throws IOException {
    StringBuilder kits = new StringBuilder();
    List<String> knobs = new ArrayList<>();
    for (Path file : sources()) {
      String text = Files.readString(file);
      String name = String.valueOf(file.getFileName()).replace(".java", "");
      boolean test = file.toString().contains("/src/test/");
      boolean own = name.equals(HouseFoldersTest.class.getSimpleName());
      if (test && !own && text.contains("new KnobKit<")) {
        kits.append(text);
      }
      // OffKnob is that of whoever makes it.
      if (!test && !name.equals("OffKnob") && KNOB.matcher(text).find()) {
        knobs.add(name);
      }
    }
    assertThat(knobs).contains("RackShifter", "IdleShifter", "CompactionKnob");
    List<String> words = List.of(kits.toString().split("\\W+"));
    assertThat(knobs)
        .filteredOn(
            knob -> !words.contains(knob) && !words.contains(knob.replaceFirst("Knob$", "Type")))
        .as("with a KnobKit of control's tests")
        .containsExactlyElementsOf(WITHOUT_KIT);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !ROOT.relativize(file).toString().matches("(bench|it|bindings)/.*"))
          .toList();
    }
  }

  private static List<String> folders(Path parent) throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files
          .filter(file -> Files.exists(file.resolve("pom.xml")))
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
