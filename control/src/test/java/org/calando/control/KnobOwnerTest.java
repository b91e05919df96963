package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file of a knob's owner: its text at each kill, and its end. */
@Timeout(120)
class KnobOwnerTest {
  /** How often a rival takes the knob at least, and is refused it. */
  private static final int ROUNDS = 400;

  @TempDir Path folder;

  /** All that a file may hold if a change is cut off, a byte at a time; the last is the change. */
  private static List<byte[]> cutOff(byte[] before, List<OwnerText.Edit> edits) {
    List<byte[]> states = new ArrayList<>(List.of(before));
    byte[] file = before;
    for (OwnerText.Edit edit : edits) {
      byte[] bytes = edit.bytes();
      if (bytes.length == 0) {
        file = Arrays.copyOf(file, edit.at());
        states.add(file);
      }
      for (int i = 0; i < bytes.length; i++) {
        file = Arrays.copyOf(file, Math.max(file.length, edit.at() + i + 1));
        file[edit.at() + i] = bytes[i];
        states.add(file);
      }
    }
    return states;
  }

  private static String settled(byte[] file) {
    return OwnerText.settled(new String(file, StandardCharsets.UTF_8));
  }

  /** The note alone: the line for people may be cut off. */
  private static String note(byte[] file) {
    String text = settled(file);
    return text.substring(text.indexOf('\n') + 1);
  }

  @Test
  void aNoteThatIsCutOffAnywhereReadsAsTheOneBeforeOrAsItself() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      byte[] file = "process 1, ü\n".getBytes(StandardCharsets.UTF_8);
      String last = "";
      for (int i = 0; i < 12; i++) {
        String line = "{" + i + "é".repeat(random.nextInt(30)) + "}";
        List<byte[]> states = cutOff(file, OwnerText.noted(file, line));
        boolean noted = false;
        for (byte[] state : states) {
          boolean now = note(state).equals(line + "\n");
          assertThat(now || (!noted && note(state).equals(last)))
              .as("seed %s, '%s'", seed, new String(state, StandardCharsets.UTF_8))
              .isTrue();
          assertThat(settled(state)).startsWith("process 1, ü\n");
          noted = now;
        }
        assertThat(noted).isTrue();
        // The words and two notes at most: each added line that was not cut off shortens the file.
        assertThat(states.get(states.size() - 1).length).as("bounded").isLessThan(150);
        // Another is killed here, and its successor goes on from what it left.
        file = states.get(random.nextInt(states.size()));
        last = note(file);
      }
    }
  }

  @Test
  void anOwnerThatIsCutOffWhileItTakesAKnobLeavesNoNote() {
    for (String former : List.of("", "process 123456, a former one with long words\n{old}\n")) {
      List<byte[]> states =
          cutOff(former.getBytes(StandardCharsets.UTF_8), OwnerText.taken("process 1, me"));
      assertThat(states.subList(1, states.size())).isNotEmpty().allMatch(s -> note(s).isEmpty());
      assertThat(settled(states.get(states.size() - 1))).isEqualTo("process 1, me\n");
    }
  }

  @Test
  void theFileHoldsWhatWasNotedLastAndGoesWithTheRelease() throws IOException {
    FileKnob knob = new FileKnob(folder);
    Path file = KnobOwner.file(folder, knob.id().name(), knob.target());
    Files.writeString(file, "process 9, a former one\n{a long old note}\n");
    KnobOwner owner = KnobOwner.take(folder, knob, "me");
    for (int i = 0; i < 20; i++) {
      owner.note("note " + i);
      assertThat(KnobOwner.peek(file)).endsWith(", me\nnote " + i + "\n");
    }
    assertThat(Files.size(file)).isLessThan(100);
    owner.release();
    assertThat(file).doesNotExist();
    assertThat(KnobOwner.peek(file)).isEmpty();
    assertThat(KnobOwner.inherit(file)).isEmpty();
    assertThat(file).doesNotExist();
  }

  /** One may have opened the file that another removes, and get its lock afterwards. */
  @Test
  void aFileThatGoesAndComesHasOneOwnerAtATime() throws IOException, InterruptedException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Rival.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (InputStream out = other.getInputStream()) {
      Rival rival = new Rival(folder);
      // Who is refused meets the other while it has the knob: both compete until that was often.
      String mine =
          rival.run(() -> (rival.taken >= ROUNDS && rival.refused >= ROUNDS) || !other.isAlive());
      Files.createFile(Rival.end(folder));
      String theirs = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(other.waitFor()).isZero();
      assertThat(List.of(mine, theirs)).containsOnly("alone");
    } finally {
      other.destroyForcibly();
    }
  }

  /** Takes the knob and gives it back again and again, and looks whether it is alone meanwhile. */
  static final class Rival {
    private final Path folder;
    private int taken;
    private int refused;

    private Rival(Path folder) {
      this.folder = folder;
    }

    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      System.out.println(new Rival(folder).run(() -> Files.exists(end(folder))));
    }

    /** The file that ends the rival in the other process. */
    static Path end(Path folder) {
      return folder.resolve("end");
    }

    String run(BooleanSupplier ended) throws IOException {
      Path inside = folder.resolve("inside");
      FileKnob knob = new FileKnob(folder);
      while (!ended.getAsBoolean()) {
        try (KnobOwner owner = KnobOwner.take(folder, knob, "a rival")) {
          taken++;
          Files.createFile(inside);
          Files.delete(inside);
          owner.release();
        } catch (BadRequestException e) {
          refused++;
          Thread.onSpinWait();
        } catch (FileAlreadyExistsException e) {
          return "another is in";
        }
      }
      return "alone";
    }
  }
}
