package org.calando.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.report.ResultsFolder;
import org.calando.report.StudyText;

/** The commands that repeat a study and work on its folder. */
final class RepeatSection extends Section {
  RepeatSection() {
    super("repeat", "Repeat this study", 1700);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return Optional.of(parts -> write(study.folder(), parts));
  }

  private static void write(ResultsFolder study, Parts parts) {
    String folder = folder(study);
    List<String> lines = new ArrayList<>();
    String command = study.environment().path("command").asText("");
    if (!command.isEmpty()) {
      lines.add("# as it was run");
      lines.add(command);
    }
    StudyText text = StudyText.of(study.studyText());
    // The copy of a study of an own cluster does not lie where the files that it names do.
    if (!text.isEmpty() && !text.hasOwnCluster()) {
      String again = quote(folder + "-again");
      String allowed = study.environment().path("allow_load").asBoolean() ? " --allow-load" : "";
      lines.add("# the same study from the copy of its file, into a new folder");
      lines.add("./calando study " + quote(folder + "/study.yaml") + " --out " + again + allowed);
      lines.add("# the two side by side");
      lines.add("./calando compare " + quote(folder) + " " + again);
    }
    lines.add("# this page again");
    lines.add("./calando report " + quote(folder));
    String seed = study.environment().path("seed").asText("");
    if (!seed.isEmpty()) {
      parts.note("The seed " + seed + " draws the order of runs and every key and value.");
    }
    String version = study.environment().path("calando").path("version").asText("");
    String fingerprint = study.environment().path("fingerprint").asText("");
    if (!version.isEmpty() && !fingerprint.isEmpty()) {
      parts.note("Calando %s; fingerprint of the study %s.".formatted(version, fingerprint));
    }
    parts.html().open("pre", "tabindex", "0").element("code", String.join("\n", lines));
    parts.html().close("pre").newLine();
  }

  /** As the user named it; else as it is by default, wherever the folder lies by now. */
  private static String folder(ResultsFolder study) {
    String given = study.environment().path("out").asText("");
    return given.isEmpty() ? "out/" + study.name() : given.replaceAll("(?<=.)/+$", "");
  }

  private static String quote(String path) {
    return path.matches("[\\w./=+@,-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
