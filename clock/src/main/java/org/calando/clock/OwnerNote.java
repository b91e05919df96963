package org.calando.clock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.calando.control.file.LineChecksum;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * How a knob was before its owner set it, and in which journal that is told, in the note of the
 * knob's owner: machine-wide, whatever the owner's user or state folder. Immutable and thread safe.
 *
 * @param file where it is noted
 * @param words the owner, for people
 * @param bootId the start of the machine since which it holds; clocks are reset by each
 * @param pid the owner's process
 * @param startTicks when that started
 * @param knob name of the knob
 * @param target what it acts on
 * @param journal of the owner's lease
 * @param before how the knob was
 * @param value how the owner set it
 */
record OwnerNote(
    Path file,
    String words,
    String bootId,
    long pid,
    long startTicks,
    String knob,
    String target,
    Path journal,
    String before,
    String value) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 2;

  private static final int FIELDS = 10;

  /** In one line that {@link #read} reads. */
  String line() {
    return LineChecksum.add(
        JSON.createObjectNode()
            .put("version", VERSION)
            .put("boot", bootId)
            .put("pid", pid)
            .put("start", startTicks)
            .put("knob", knob)
            .put("target", target)
            .put("journal", journal.toString())
            .put("before", before)
            .put("value", value)
            .toString());
  }

  /**
   * Reads the text of an owner's file.
   *
   * @return nothing if the knob was never set, or was given back
   * @throws FailedWorkException if no owner wrote that, with what was seen
   */
  static Optional<OwnerNote> read(Path file, String text) {
    String[] lines = text.split("\n", -1);
    if (lines.length < 2 || lines[1].isEmpty()) {
      return Optional.empty();
    }
    try {
      LineChecksum.require(lines[1]);
      JsonNode node = JSON.readTree(lines[1]);
      if (node.required("version").asInt() != VERSION || node.size() != FIELDS) {
        throw new IllegalArgumentException("another version");
      }
      return Optional.of(
          new OwnerNote(
              file,
              lines[0].strip(),
              node.required("boot").asText(),
              node.required("pid").asLong(),
              node.required("start").asLong(),
              node.required("knob").asText(),
              node.required("target").asText(),
              Path.of(node.required("journal").asText()),
              node.required("before").asText(),
              node.required("value").asText()));
    } catch (IOException e) {
      throw damaged(file, "not JSON", lines[1]);
    } catch (IllegalArgumentException e) {
      throw damaged(file, e.getMessage(), lines[1]);
    }
  }

  private static FailedWorkException damaged(Path file, @Nullable String why, String line) {
    return new FailedWorkException(
        "is no note of a knob's owner, " + why + ": " + line,
        file + ", line 2",
        "remove the file, and ./calando restore restores by the owner's journal; where that is gone"
            + " too, set governor and limits by hand (cpufreq/policy*/scaling_*)");
  }

  /** Whether the machine has restarted since, or the tree of files that stood for them is gone. */
  boolean isVoid(ProcFs proc) {
    String now = proc.bootId();
    boolean restarted = !bootId.isEmpty() && !now.isEmpty() && !bootId.equals(now);
    Path tree = Path.of(target).getParent();
    return restarted
        || (knob.equals(PolicyKnob.ID.name())
            && tree != null
            && !tree.startsWith(CpufreqTree.MACHINE)
            && !Files.isDirectory(tree));
  }

  /** Whether its owner still runs, as far as this process can see. */
  boolean ownerLives(ProcFs proc) {
    return proc.startTicks(pid).orElse(-1) == startTicks;
  }

  /** What became of its knob. */
  RestoreReport.Item item(RestoreReport.State state, String detail) {
    return new RestoreReport.Item(
        String.valueOf(journal.getFileName()), knob, target, state, detail);
  }

  /** Whether it is about a knob. */
  boolean isOf(String name, String acting) {
    return knob.equals(name) && target.equals(acting);
  }
}
