package org.calando.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/**
 * A knob of three files that hold a number, set one after the other: what a real one with several
 * steps is like, in small.
 */
final class FileKnob implements Knob<Integer> {
  static final KnobId<Integer> ID = new KnobId<>("files", Integer.class);
  static final List<String> FILES = List.of("a", "b", "c");

  /**
   * Ends the process as far as the knob can tell: nothing that is to be told to anybody follows.
   */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final Path folder;

  /** Files that are not taken back. */
  final Set<String> keep = new HashSet<>();

  /** What to do about a file that refuses. */
  String remedy = "make it writable";

  /** Files that refuse to be written, that do not keep what is written, and that kill. */
  final Set<String> refuse = new HashSet<>();

  final Set<String> forget = new HashSet<>();
  final Set<String> killBefore = new HashSet<>();
  final Set<String> killAfter = new HashSet<>();

  /** What was written, in order: {@code a=5}. */
  final List<String> writes = new ArrayList<>();

  FileKnob(Path folder) {
    this.folder = folder;
    FILES.stream().filter(file -> !Files.exists(folder.resolve(file))).forEach(f -> put(f, 0));
  }

  @Override
  public KnobId<Integer> id() {
    return ID;
  }

  @Override
  public String target() {
    return "folder";
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public Integer current() {
    return get("c");
  }

  List<Integer> all() {
    return FILES.stream().map(this::get).toList();
  }

  @Override
  public Plan plan(Integer from, Integer to) {
    List<Plan.Action> steps = new ArrayList<>();
    FILES.forEach(file -> steps.add(new Write(file, to, from)));
    return new Plan(ID.name(), target(), to.toString(), steps);
  }

  private final class Write implements Plan.Action {
    private final String file;
    private final int value;
    private final int before;

    Write(String file, int value, int before) {
      this.file = file;
      this.value = value;
      this.before = before;
    }

    @Override
    public String name() {
      return "write-" + file;
    }

    @Override
    public String describe() {
      return "write " + value + " to " + file;
    }

    @Override
    public void perform() {
      if (killBefore.contains(file)) {
        throw new Killed();
      }
      if (refuse.contains(file)) {
        throw new FailedWorkException("refused", file, remedy);
      }
      if (!forget.contains(file)) {
        put(file, value);
      }
      writes.add(file + "=" + value);
      if (killAfter.contains(file)) {
        throw new Killed();
      }
    }

    @Override
    public boolean isDone() {
      return get(file) == value;
    }

    @Override
    public void undo() {
      if (keep.contains(file)) {
        throw new FailedWorkException("stays as it is", file, remedy);
      }
      put(file, before);
      writes.add(file + "=" + before);
    }
  }

  private int get(String file) {
    try {
      return Integer.parseInt(Files.readString(folder.resolve(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void put(String file, int value) {
    try {
      Files.writeString(folder.resolve(file), Integer.toString(value));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
