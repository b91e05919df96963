package org.calando.studyfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.workload.Presets;
import org.calando.schema.JsonSchema;
import org.calando.schema.ReferencePage;
import org.calando.studyfile.service.AgentSchema;

/** Writes the reference page and the JSON Schema of the study file from its schema. */
public final class StudyReference {
  private static final String INTRODUCTION =
      """
      # Reference: the study file

      Generated from the schema that reads the file; do not edit. `docs/study.schema.json` is the
      same as a JSON Schema, for editors.

      Durations take `ns us ms s m h` (`5ms`); sizes `B KB MB GB`, powers of 1024 (`256MB`); rates
      are operations per time (`400/s`, `12000/m`); shares are `20%` or `0.2`. Every key can be set
      on the command line: `--set matrix.threads=[5,20]`, `--set matrix.consistency[0]=ALL`; an
      empty value removes the key: `--set matrix.threads=`. A study file has at most 1 MB.
      An inventory file says what is described under `store.inventory`. What may stand in several
      places is described once, under the shortest of its paths.

      """;

  private static final String GOVERN_INTRODUCTION =
      """
      # Reference: the governor's file

      Generated from the schema that reads the files of `./calando govern` and `./calando agent`; do not edit.
      `docs/govern.schema.json` is the same as a JSON Schema. Values are written as in a study's
      file ([reference.md](reference.md)), of which `clocks` is a part too.

      """;

  private StudyReference() {}

  /** The reference page in Markdown. */
  public static String page() {
    return INTRODUCTION
        + ReferencePage.write("The study file", StudySchema.type()).stripTrailing()
        + "\n\n"
        + presets()
        + "\n"
        + profiles();
  }

  /** The reference page of the governor's file in Markdown. */
  public static String governPage() {
    return GOVERN_INTRODUCTION
        + ReferencePage.write("The governor's file", GovernSchema.TYPE).stripTrailing()
        + "\n\n"
        + ReferencePage.write("The governor's file about gears", GearGovernSchema.TYPE)
            .stripTrailing()
        + "\n\n"
        + ReferencePage.write("The governor's file about clusters", ClusterGovernSchema.TYPE)
            .stripTrailing()
        + "\n\n"
        + ReferencePage.write("The agent's file", AgentSchema.TYPE).stripTrailing()
        + "\n";
  }

  /** The JSON Schema of the governor's file. */
  public static String governJsonSchema() {
    return JsonSchema.write("Calando govern", GovernSchema.TYPE);
  }

  private static String presets() {
    StringBuilder section = new StringBuilder("## Presets\n\n| `workload.preset` | what it is |\n");
    section.append("|---|---|\n");
    for (String name : Presets.names()) {
      section.append("| `%s` | %s |\n".formatted(name, Presets.source(name).orElse("")));
    }
    return section.toString();
  }

  private static String profiles() {
    StringBuilder section = new StringBuilder("## Node profiles\n\n");
    section.append(
        "| `power.profile` | idle W | busy W | cores | source |\n|---|---|---|---|---|\n");
    for (String name : Profiles.names()) {
      NodeProfile profile = Profiles.byName(name).orElseThrow();
      section.append(
          "| `%s` | %.0f | %.0f | %d | %s |\n"
              .formatted(
                  name,
                  profile.idleWatts(),
                  profile.busyWatts(),
                  profile.cores(),
                  profile.source()));
    }
    return section.toString();
  }

  /** The JSON Schema of the study file. */
  public static String jsonSchema() {
    return JsonSchema.write("Calando study", StudySchema.type());
  }

  /**
   * Writes {@code reference.md} and {@code study.schema.json}, and the same of the governor's file.
   *
   * @param arguments the folder to write to
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments.length == 0 ? "docs" : arguments[0]);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("reference.md"), page());
    Files.writeString(folder.resolve("study.schema.json"), jsonSchema());
    Files.writeString(folder.resolve("govern-reference.md"), governPage());
    Files.writeString(folder.resolve("govern.schema.json"), governJsonSchema());
  }
}
