package org.calando;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How large packages, records and files are at most, and where threads are made. What was larger
 * when a limit was set is listed with its size, and may only shrink; who is within the limit leaves
 * the list.
 */
class HouseSizesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final int CLASSES = 40;
  private static final int COMPONENTS = 10;
  private static final int LINES = 400;

  private static final Map<String, Integer> LARGER_PACKAGES = Map.of("org.calando.sim.cluster", 53);

  private static final Map<String, Integer> LARGER_RECORDS =
      Map.ofEntries(
          Map.entry("AdaptiveConfig", 14),
          Map.entry("AdaptiveState", 12),
          Map.entry("CanarySettings", 12),
          Map.entry("ClusterConfig", 28),
          Map.entry("ClusterCounts", 19),
          Map.entry("FileLoadResult", 13),
          Map.entry("Interval", 13),
          Map.entry("InventorySpec.Node", 12),
          Map.entry("LoadResult", 12),
          Map.entry("LoadSpec", 13),
          Map.entry("Observation", 14),
          Map.entry("SampleRow", 14),
          Map.entry("Scenario", 11),
          Map.entry("ServiceTimes", 11),
          Map.entry("SimModel", 18),
          Map.entry("SimPart", 13),
          Map.entry("Staleness", 12),
          Map.entry("StudySpec", 15),
          Map.entry("Workload", 13),
          Map.entry("WorkloadSpec", 16));

  private static final Map<String, Integer> LARGER_FILES =
      Map.ofEntries(
          Map.entry("Lease.java", 406),
          Map.entry("SimCluster.java", 504),
          Map.entry("StalenessOracle.java", 431),
          Map.entry("WriteBuffers.java", 403));

  /** Files that make threads of their own where one could be handed in. */
  private static final int THREAD_MAKERS = 24;

  private static final Pattern THREADS =
      Pattern.compile(
          "new Thread\\(|Executors\\.new|new (Scheduled)?ThreadPoolExecutor\\(|new"
              + " ForkJoinPool\\(");

  @Test
  void packagesAreSmall() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Path file : sources()) {
      if (!file.endsWith("package-info.java")) {
        sizes.merge(packageOf(file), 1, Integer::sum);
      }
    }
    requireAtMost(CLASSES, LARGER_PACKAGES, sizes);
  }

  @Test
  void recordsHaveFewComponents() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Path file : sources()) {
      String type = file.getFileName().toString().replace(".java", "");
      String code = withoutComments(Files.readString(file));
      Matcher record = Pattern.compile("\\brecord (\\w+)(<[^({]*>)?\\s*\\(").matcher(code);
      while (record.find()) {
        String name = record.group(1);
        sizes.merge(
            name.equals(type) ? name : type + "." + name,
            components(code, record.end()),
            Math::max);
      }
    }
    requireAtMost(COMPONENTS, LARGER_RECORDS, sizes);
  }

  @Test
  void filesAreShort() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    for (Path file : sources()) {
      sizes.merge(file.getFileName().toString(), Files.readAllLines(file).size(), Math::max);
    }
    requireAtMost(LINES, LARGER_FILES, sizes);
  }

  @Test
  void threadsAreMadeInFewPlaces() throws IOException {
    List<String> makers =
        sources().stream()
            .filter(file -> !packageOf(file).equals("org.calando.core.time"))
            .filter(file -> THREADS.matcher(text(file)).find())
            .map(file -> ROOT.relativize(file).toString())
            .sorted()
            .toList();
    assertThat(makers)
        .as("take a Scheduler or an executor; lower the number when there are fewer")
        .hasSize(THREAD_MAKERS);
  }

  /** Of two that share a name the larger counts. */
  private static void requireAtMost(
      int most, Map<String, Integer> larger, Map<String, Integer> sizes) {
    Map<String, Integer> beyond =
        sizes.entrySet().stream()
            .filter(entry -> entry.getValue() > most)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertThat(beyond)
        .as("at most %s; list what has shrunk with its new size, or no longer", most)
        .containsExactlyInAnyOrderEntriesOf(larger);
  }

  private static int components(String code, int start) {
    int depth = 1;
    int angle = 0;
    int count = code.substring(start).stripLeading().startsWith(")") ? 0 : 1;
    for (int i = start; depth > 0; i++) {
      switch (code.charAt(i)) {
        case '(' -> depth++;
        case ')' -> depth--;
        case '<' -> angle++;
        case '>' -> angle--;
        case ',' -> count += depth == 1 && angle == 0 ? 1 : 0;
        default -> {}
      }
    }
    return count;
  }

  private static String withoutComments(String code) {
    return Pattern.compile("/\\*.*?\\*/", Pattern.DOTALL)
        .matcher(code)
        .replaceAll("")
        .replaceAll("//[^\n]*", "");
  }

  private static String packageOf(Path file) {
    String path = file.toString().replace('\\', '/');
    String inside = path.substring(path.indexOf("/src/main/java/") + "/src/main/java/".length());
    return inside.substring(0, inside.lastIndexOf('/')).replace('/', '.');
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .toList();
    }
  }
}
