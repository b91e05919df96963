package org.calando.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.calando.report.ResultsFolder;
import org.calando.report.SampleStudy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sections that are found as services. */
class SectionTest {
  @TempDir Path folder;

  /** Has nothing to say of studies of one block. */
  public static final class Toy extends Section {
    public Toy() {
      super("toy", "A toy\u2019s section", 250);
    }

    @Override
    public Optional<Content> of(PageStudy study) {
      return study.results().repeats() > 1
          ? Optional.of(parts -> parts.data("toy-data", "[1]").note(study.origin()))
          : Optional.empty();
    }

    @Override
    public Optional<String> data() {
      return Optional.of("toy-data");
    }

    @Override
    public Set<String> details(ResultsFolder study) {
      return Set.of("stale");
    }
  }

  @Test
  void aSectionStandsByItsRankAndInTheContents() throws IOException {
    String page = page(SampleStudy.demo(2));
    assertThat(page)
        .containsSubsequence(
            "<a href=\"#results\">Results</a>",
            "<a href=\"#toy\">A toy\u2019s section</a>",
            "<a href=\"#charts\">",
            "<section id=\"results\"",
            "<section id=\"toy\"",
            "<h2 id=\"h-toy\">A toy\u2019s section</h2><p class=\"note\">Energy: modelled",
            "<section id=\"charts\"");
  }

  @Test
  void whatItGivesThePagesScriptIsAnEmptyArrayIfItHasNothingToSay() throws IOException {
    assertThat(page(SampleStudy.demo(2))).contains("id=\"toy-data\">[1]</script>");
    assertThat(page(SampleStudy.demo(1)))
        .contains("id=\"toy-data\">[]</script>")
        .doesNotContain("id=\"toy\"");
  }

  @Test
  void chartsThatItHasInMoreDetailAreLeftOutOfLargeStudiesOnly() throws IOException {
    assertThat(page(SampleStudy.demo(2))).contains("id=\"chart-stale\"");
    assertThat(page(SampleStudy.thesis(2)))
        .contains("id=\"chart-throughput\"")
        .doesNotContain("id=\"chart-stale\"");
  }

  private String page(SampleStudy study) throws IOException {
    Path services = Files.createDirectories(folder.resolve("services/META-INF/services"));
    Files.writeString(services.resolve(Section.class.getName()), Toy.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.resolve("services").toUri().toURL()}, getClass().getClassLoader())) {
      thread.setContextClassLoader(loader);
      return Files.readString(ReportWriter.write(study.write(folder.resolve("study"))));
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
