package org.calando.report.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.report.PublishedClaim;
import org.calando.report.ResultsFolder;

/**
 * Makes a study's {@code report.html}: one file that needs no network and no other file.
 *
 * <p>Thread safe; two writers on one folder at once leave either's page, whole.
 */
public final class ReportWriter {
  private ReportWriter() {}

  /**
   * Reads a study's output folder and writes {@code report.html} into it, in place of an older one.
   * A page is replaced whole or not at all.
   *
   * @param outDir the folder, with at least {@code results.csv}
   * @return the page's path
   * @throws org.calando.core.BadRequestException if the folder is no study's, or is malformed
   * @throws FailedWorkException if the page cannot be written
   */
  public static Path write(Path outDir) {
    return write(outDir, List.of());
  }

  /**
   * The same as {@link #write(Path)}, with a section that sets what a paper published beside the
   * study's own figures.
   *
   * @param claims in the order in which they are shown; without any there is no such section
   */
  public static Path write(Path outDir, List<PublishedClaim> claims) {
    String page = new ReportPage(ResultsFolder.read(outDir), claims).render();
    Path report = outDir.resolve("report.html");
    // Not Files.createTempFile, whose files no other user may read.
    Path unfinished =
        outDir.resolve(
            "report.html."
                + ProcessHandle.current().pid()
                + "-"
                + Thread.currentThread().getId()
                + ".tmp");
    try {
      try {
        Files.write(unfinished, page.getBytes(StandardCharsets.UTF_8));
        Files.move(
            unfinished,
            report,
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    } catch (IOException e) {
      throw new FailedWorkException(
          "the report cannot be written: " + e,
          report.toString(),
          "make room on the disk or make the folder writable, then: ./calando report " + outDir,
          e);
    }
    return report;
  }
}
