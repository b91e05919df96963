package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.core.BadRequestException;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.governor.ServiceDoctor;
import org.calando.knob.ManagedClocks;
import org.calando.study.StudyDoctor;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
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
  private static final String OWNERS = "owners of clocks";

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
      ServiceSpec governor = StudyFile.readService(file, overrides, StateFolder::local);
      StudyDoctor doctor = ServiceDoctor.of(governor, base);
      governor.clusters().stream()
          .flatMap(cluster -> cluster.clocks().stream())
          .forEach(clocks -> doctor.with(() -> owners(clocks)));
      return doctor;
    }
    if (!StudyFile.isInventory(file)) {
      StudySpec study = StudyFile.read(file, overrides);
      StudyDoctor doctor = new StudyDoctor(study, base);
      if (study.clocks().isPresent() && !study.store().isSimulated()) {
        doctor.with(() -> owners(study.clocks().get()));
      }
      return doctor;
    }
    if (!overrides.isEmpty()) {
      throw new BadRequestException(
          "--set is for study files", file.toString(), "change the inventory itself");
    }
    InventorySpec inventory = StudyFile.readInventory(file);
    return StudyDoctor.ofInventory(
        StateFolder.localEngine(file)
            .map(engine -> StoreSpec.of(engine, inventory))
            .orElseGet(() -> StoreSpec.ofInventory(inventory)),
        base);
  }

  /** Whether it can be noted for all of this machine who sets its clocks. */
  private static List<Finding> owners(ManagedClocks clocks) {
    LeaseFolders folders = StateFolder.leases();
    try {
      folders.requireUsable(Machine.at(clocks.tree()));
      return List.of(new Finding(true, OWNERS, "can be recorded in " + folders.owners()));
    } catch (BadRequestException e) {
      return List.of(new Finding(false, OWNERS, String.valueOf(e.getMessage())));
    }
  }
}
