package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.core.BadRequestException;
import org.calando.study.StudyDoctor;
import org.calando.study.StudyDoctor.Finding;
import org.calando.study.config.StudyFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code calando doctor FILE}: whether a study, a governor's servers, or an inventory's cluster, is
 * fit.
 */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Checks a study's file, a governor's, or an inventory alone, against the world and changes"
            + " nothing. Exit code 1 if something is in the way; warnings are of figures that may"
            + " mislead.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class DoctorCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "FILE.yaml",
      description = "A study's file, a governor's or an inventory.")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the file. Repeatable.")
  private List<String> overrides = new ArrayList<>();

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    Path parent = file.toAbsolutePath().getParent();
    Path base = parent == null ? Path.of("") : parent;
    List<Finding> findings = doctor(base).examine();
    if (output.json()) {
      ObjectNode answer = new ObjectMapper().createObjectNode();
      for (Finding finding : findings) {
        ObjectNode entry = answer.withArray("findings").addObject();
        entry.put("ok", finding.ok());
        entry.put("warning", finding.warning());
        entry.put("subject", finding.subject());
        entry.put("text", finding.text());
      }
      System.out.println(answer.toPrettyString());
    } else {
      findings.forEach(finding -> System.out.println(StudyDoctor.line(finding)));
    }
    return findings.stream().allMatch(Finding::ok) ? 0 : 1;
  }

  private StudyDoctor doctor(Path base) {
    if (StudyFile.isGovernor(file)) {
      return StudyDoctor.ofGovernor(StudyFile.readGovern(file, overrides), base);
    }
    if (StudyFile.isGearGovernor(file)) {
      return StudyDoctor.ofGovernor(StudyFile.readGearGovern(file, overrides), base);
    }
    if (!StudyFile.isInventory(file)) {
      return new StudyDoctor(StudyFile.read(file, overrides), base);
    }
    if (!overrides.isEmpty()) {
      throw new BadRequestException(
          "--set is for study files", file.toString(), "change the inventory itself");
    }
    return StudyDoctor.ofInventory(StudyFile.readInventory(file), base);
  }
}
