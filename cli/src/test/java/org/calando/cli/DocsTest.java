package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.ParameterException;

/** Every link of README and docs leads somewhere, and every command in them is one. */
class DocsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();
  private static final Path DOCS = ROOT.resolve("docs");
  private static final int README_LINES = 72;
  private static final int PAGES_A_PATH = 5;

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");

  /** A class, or the module of all classes before it. */
  private static final Pattern CLASS_OR_MODULE =
      Pattern.compile("`([A-Z]\\w+)`|\\(([a-z]+(?:/[a-z-]+)*)\\)");

  @TempDir private Path folder;

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(DOCS)) {
      List<Path> pages =
          new ArrayList<>(files.filter(file -> file.toString().endsWith(".md")).sorted().toList());
      pages.add(ROOT.resolve("README.md"));
      pages.add(ROOT.resolve("CONTRIBUTING.md"));
      return pages.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(Path page) {
    for (String link : links(page)) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
      assertThat(target).as("%s: %s", page, link).exists();
      if (parts.length == 2 && target.toString().endsWith(".md")) {
        assertThat(anchors(target)).as("%s: %s", page, link).contains(parts[1]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandIsOne(Path page) {
    for (String line : text(page).lines().map(String::strip).toList()) {
      // Words stand apart by one space, options may be set below each other, comments follow.
      for (String part : line.replaceAll(" \\[.*", "").split("\\s{2,}(?!-)|\\s#\\s", -1)) {
        if (line.startsWith("./calando ") && part.startsWith("./calando ")) {
          assertThat(problem(part)).as("%s: %s", page, part).isEmpty();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyStudyAndInventoryIsTaken(Path page) throws IOException {
    for (String block : text(page).split("\n\n", -1)) {
      if (block.lines().allMatch(line -> line.startsWith("    "))) {
        take(block.stripIndent() + "\n");
      }
    }
  }

  private void take(String block) throws IOException {
    if (block.startsWith("study: ")) {
      assertThatCode(() -> StudyFile.parse(block, "mine.yaml", Path.of(""), List.of()))
          .doesNotThrowAnyException();
    } else if (block.lines().anyMatch(line -> line.startsWith("nodes:"))) {
      Path file = Files.writeString(folder.resolve("cluster.yaml"), block);
      assertThat(StudyFile.readInventory(file).nodes()).isNotEmpty();
    }
  }

  private static String problem(String command) {
    try {
      Main.commandLine(new Main(), new PrintWriter(new StringWriter()))
          .parseArgs(HelpTest.words(command).stream().skip(1).toArray(String[]::new));
    } catch (ParameterException e) {
      return String.valueOf(e.getMessage());
    }
    return HelpTest.words(command).stream()
        .filter(word -> word.startsWith("studies/") && !Files.exists(ROOT.resolve(word)))
        .findFirst()
        .orElse("");
  }

  @Test
  void whereToAddNamesClassesOfTheModulesThatItSays() throws IOException {
    List<String> rows =
        text(ROOT.resolve("CONTRIBUTING.md"))
            .replaceFirst("(?s).*## Where to add", "")
            .lines()
            .filter(line -> line.startsWith("| "))
            .skip(1)
            .toList();
    assertThat(rows).isNotEmpty().allMatch(row -> row.split("\\|", -1).length == 6);
    for (String row : rows) {
      List<String> cells = List.of(row.split("\\|", -1)).subList(2, 4);
      for (String cell : cells) {
        assertThat(strangers(cell)).as(row).isEmpty();
      }
      assertThat(CLASS_OR_MODULE.matcher(cells.get(0)).results()).as(row).isNotEmpty();
    }
  }

  /** Classes of a cell that are not in the module which is named behind them. */
  private static List<String> strangers(String cell) throws IOException {
    List<String> strangers = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (MatchResult found : CLASS_OR_MODULE.matcher(cell).results().toList()) {
      if (found.group(1) != null) {
        open.add(found.group(1));
      } else {
        Set<String> classes = classes(ROOT.resolve(found.group(2)).resolve("src"));
        open.stream()
            .filter(name -> !classes.contains(name))
            .map(name -> name + " in " + found.group(2))
            .forEach(strangers::add);
        open.clear();
      }
    }
    open.forEach(name -> strangers.add(name + " without a module"));
    return strangers;
  }

  private static Set<String> classes(Path sources) throws IOException {
    if (!Files.isDirectory(sources)) {
      return Set.of();
    }
    try (Stream<Path> files = Files.walk(sources)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .collect(Collectors.toSet());
    }
  }

  @Test
  void theIndexNamesEveryPage() throws IOException {
    Path index = DOCS.resolve("README.md");
    List<Path> named =
        links(index).stream().map(link -> index.resolveSibling(link.split("#", 2)[0])).toList();
    try (Stream<Path> files = Files.list(DOCS)) {
      assertThat(files.filter(file -> file.toString().endsWith(".md") && !file.equals(index)))
          .allSatisfy(page -> assertThat(named).contains(page));
    }
  }

  @Test
  void readmeIsShortAndHasThreePaths() {
    Path readme = ROOT.resolve("README.md");
    assertThat(text(readme).lines()).hasSizeLessThanOrEqualTo(README_LINES);
    List<String> paths =
        Pattern.compile("(?ms)^- \\*\\*You .*?(?=^- |^$)")
            .matcher(text(readme))
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(paths)
        .hasSize(3)
        .allSatisfy(
            path -> assertThat(LINK.matcher(path).results()).hasSizeBetween(1, PAGES_A_PATH));
  }

  private static List<String> links(Path page) {
    return LINK.matcher(FENCED.matcher(text(page)).replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.contains("://"))
        .toList();
  }

  /** As the usual renderers make them of headings. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    HEADING
        .matcher(FENCED.matcher(text(page)).replaceAll(""))
        .results()
        .map(found -> found.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").strip())
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .forEach(
            anchor -> {
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? anchor : anchor + "-" + before);
            });
    return anchors;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
