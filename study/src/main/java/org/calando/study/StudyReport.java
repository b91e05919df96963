package org.calando.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.control.file.AtomicFiles;
import org.calando.report.Csv;
import org.calando.report.Paper;
import org.calando.report.PublishedClaim;
import org.calando.report.RunRows;
import org.calando.report.page.ReportWriter;

/**
 * Makes what is made of a study's runs when they are finished: {@code report.html}, and {@code
 * published.csv} where the study repeats a paper. Stateless; two writers on one folder at once
 * leave either's files, whole.
 */
public final class StudyReport {
  private static final String PUBLISHED = "published.csv";
  private static final String HEADER = "claim,source,published,ours,low,high,verdict,note,error";

  private StudyReport() {}

  /**
   * Writes the files of a study's folder anew.
   *
   * @param folder with at least {@code results.csv}
   * @return the report's path
   * @throws org.calando.core.BadRequestException if the folder is no study's, or is malformed
   * @throws org.calando.core.FailedWorkException if a file cannot be written
   */
  public static Path write(Path folder) {
    String paper = paper(folder.resolve("environment.json"));
    if (paper.isEmpty()) {
      return ReportWriter.write(folder);
    }
    List<PublishedClaim> claims = claims(paper, folder);
    AtomicFiles.write(folder.resolve(PUBLISHED), csv(claims));
    return ReportWriter.write(folder, claims);
  }

  /**
   * How a study's figures stand to those of the paper that it repeats, in a line.
   *
   * @param folder with at least {@code results.csv}
   * @return such as {@code Paper li-2013: 1 reproduced, 7 undecided; published.csv}; empty if it
   *     repeats none
   * @throws org.calando.core.BadRequestException if the folder is no study's, or is malformed
   */
  public static Optional<String> paperLine(Path folder) {
    String paper = paper(folder.resolve("environment.json"));
    if (paper.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Paper.named(paper).isEmpty()
            ? "Paper %s: not known here, so no claim is judged".formatted(paper)
            : "Paper %s: %s; %s"
                .formatted(paper, PublishedClaim.tally(claims(paper, folder)), PUBLISHED));
  }

  /** None of a paper that is not known here. */
  private static List<PublishedClaim> claims(String paper, Path folder) {
    return Paper.named(paper).map(known -> known.judge(RunRows.read(folder))).orElse(List.of());
  }

  /** The paper that the study repeats; empty if none, or if the report will say what is wrong. */
  private static String paper(Path environment) {
    try {
      return Files.isRegularFile(environment)
          ? new ObjectMapper().readTree(environment.toFile()).path("paper").asText()
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static String csv(List<PublishedClaim> claims) {
    return claims.stream()
        .map(StudyReport::line)
        .collect(Collectors.joining("\n", HEADER + "\n", "\n"));
  }

  private static String line(PublishedClaim claim) {
    return String.join(
        ",",
        Csv.quote(claim.claim()),
        Csv.quote(claim.source()),
        number(claim.published()),
        number(claim.ours()),
        number(claim.low()),
        number(claim.high()),
        claim.verdict(),
        Csv.quote(claim.note()),
        number(claim.error()));
  }

  private static String number(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4g", value) : "";
  }
}
