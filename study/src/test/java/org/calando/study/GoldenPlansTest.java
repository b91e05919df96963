package org.calando.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.studyfile.Golden;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What each study's file is read as, with the fingerprint by which {@code --resume} knows its
 * folder, and the ids of its runs in their order.
 */
@Tag(Golden.TAG)
class GoldenPlansTest {
  static final Path STUDIES = TestStudy.MODULE.resolveSibling("studies");

  private static final Path CONFIG =
      TestStudy.MODULE.resolveSibling("studyfile/src/test/resources/config/good");
  private static final Path PLANS = TestStudy.MODULE.resolve("src/test/golden/plans");

  @Test
  void everyStudyIsReadAsEver() throws IOException {
    Map<String, String> plans = new TreeMap<>();
    for (Path folder : List.of(STUDIES, CONFIG)) {
      for (String name : names(folder)) {
        plans.put(name + ".txt", plan(StudyFile.read(folder.resolve(name + ".yaml"), List.of())));
      }
    }
    Golden.check(PLANS, plans);
  }

  /** The names of a folder's studies, sorted. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList();
    }
  }

  private static String plan(StudySpec study) {
    String runs = RunPlan.of(study).stream().map(RunConfig::id).collect(Collectors.joining("\n"));
    return "fingerprint " + study.fingerprint() + "\n" + study.canonicalText() + runs + "\n";
  }
}
