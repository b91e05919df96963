package org.calando.study.report;

import java.util.ArrayList;
import java.util.List;

/** The commands that repeat a study and work on its folder. */
final class RepeatSection {
  private RepeatSection() {}

  static void render(ResultsFolder study, Parts parts) {
    parts.begin("repeat", "Repeat this study");
    String folder = folder(study);
    List<String> lines = new ArrayList<>();
    String command = study.environment().path("command").asText("");
    if (!command.isEmpty()) {
      lines.add("# as it was run");
      lines.add(command);
    }
    lines.add("# the same study from the copy of its file, into a new folder");
    lines.add("./calando study " + folder + "/study.yaml --out " + folder + "-again");
    lines.add("# the two side by side");
    lines.add("./calando compare " + folder + " " + folder + "-again");
    lines.add("# this page again");
    lines.add("./calando report " + folder);
    String seed = study.environment().path("seed").asText("");
    if (!seed.isEmpty()) {
      parts.note("The seed " + seed + " draws the order of runs and every key and value.");
    }
    parts.html().open("pre", "tabindex", "0").element("code", String.join("\n", lines));
    parts.html().close("pre").newLine();
    parts.end();
  }

  /** As a user names it; where the folder lies on this machine is nobody's business. */
  private static String folder(ResultsFolder study) {
    return quote("out/" + study.name());
  }

  private static String quote(String path) {
    return path.matches("[\\w./=+@,-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
