package org.calando.control;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.calando.control.file.ExclusiveFile;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.jspecify.annotations.Nullable;

/**
 * Makes this process the one owner of a knob, until it is closed or the process ends, in whatever
 * way: the lock is the kernel's. Thread safe.
 */
public final class KnobOwner implements AutoCloseable {
  private static final int MAX_NAME = 200;

  private static final String SUFFIX = ".owner";

  /** Of knobs that end with this process, by their names. */
  private static final Map<String, KnobOwner> IN_PROCESS = new ConcurrentHashMap<>();

  /** None of a knob that ends with this process. */
  private final @Nullable ExclusiveFile file;

  /** What the last owner noted; of this process, who this is. */
  private final String former;

  /** Whose it is, if it is lent. */
  private final @Nullable KnobOwner lender;

  // Guarded by this.
  private boolean lent;
  private boolean closes;

  private KnobOwner(@Nullable ExclusiveFile file, String former) {
    this(file, former, null);
  }

  private KnobOwner(@Nullable ExclusiveFile file, String former, @Nullable KnobOwner lender) {
    this.file = file;
    this.former = former;
    this.lender = lender;
  }

  /**
   * Lends a knob that is held for longer to one lease of this process at a time, which gives it
   * back as it closes it.
   *
   * @throws BadRequestException if it is lent already
   */
  synchronized KnobOwner lend(Knob<?> knob) {
    if (lent) {
      throw refused(knob, "this process, which shifts it");
    }
    lent = true;
    return new KnobOwner(null, former, this);
  }

  private synchronized void takeBack() {
    lent = false;
    if (closes) {
      close();
    }
  }

  /**
   * Takes a knob that ends with this process, of which nothing is noted in files.
   *
   * @param owner who takes it, in words for whom it is refused
   * @throws BadRequestException naming the owner, if it has one
   */
  static KnobOwner ofProcess(Knob<?> knob, String owner) {
    KnobOwner mine = new KnobOwner(null, owner);
    @Nullable KnobOwner other =
        IN_PROCESS.putIfAbsent(knob.id().name() + " " + knob.target(), mine);
    if (other != null) {
      throw refused(knob, other.former);
    }
    return mine;
  }

  private static BadRequestException refused(Knob<?> knob, String owner) {
    return new BadRequestException(
        "is held by another owner: " + owner,
        "knob " + knob.id().name() + " of " + knob.target(),
        "end that owner, then repeat the command");
  }

  private static KnobOwner reading(ExclusiveFile file) throws IOException {
    boolean read = false;
    try {
      KnobOwner owner = new KnobOwner(file, OwnerText.settled(file.text()));
      read = true;
      return owner;
    } finally {
      if (!read) {
        file.close();
      }
    }
  }

  /**
   * Takes a knob.
   *
   * @param folder where owners are noted; made if it is not there. Owners that are to exclude each
   *     other name the same folder
   * @param knob which knob
   * @param owner who takes it, in words for whom it is refused: the command and what it serves
   * @throws BadRequestException naming the owner, if it has one
   * @throws FailedWorkException if the folder cannot be written
   */
  public static KnobOwner take(Path folder, Knob<?> knob, String owner) {
    return take(folder, knob, owner, former -> {});
  }

  /**
   * Takes a knob whose owners note how to restore it.
   *
   * @param check takes what the last owner noted and did not {@link #release}, which stays noted if
   *     it throws
   * @see #take(Path, Knob, String)
   */
  public static KnobOwner take(Path folder, Knob<?> knob, String owner, Consumer<String> check) {
    Path file = file(folder, knob.id().name(), knob.target());
    try {
      Files.createDirectories(folder);
      Optional<ExclusiveFile> exclusive = ExclusiveFile.open(file);
      if (exclusive.isEmpty()) {
        throw refused(knob, OwnerText.words(ExclusiveFile.peek(file)));
      }
      KnobOwner mine = reading(exclusive.get());
      boolean taken = false;
      try {
        check.accept(mine.former);
        change(
            exclusive.get(),
            OwnerText.taken("process " + ProcessHandle.current().pid() + ", " + owner));
        taken = true;
        return mine;
      } finally {
        if (!taken) {
          mine.close();
        }
      }
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  /**
   * The knobs that a folder tells of, by their files, whether they have an owner or not.
   *
   * @throws FailedWorkException if the folder cannot be read
   */
  public static List<Path> files(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e.getMessage(), folder.toString(), "make it readable", e);
    }
  }

  /** Where a knob's owner is noted; any target has a file of its own. */
  public static Path file(Path folder, String knob, String target) {
    return folder.resolve(fileName(knob + "-" + target));
  }

  /**
   * Takes a knob that has no owner, to look at what the last one left; its note stays as it is.
   *
   * @param file of {@link #files}
   * @return nothing if it has an owner, or nobody noted anything of it
   * @throws FailedWorkException if the file cannot be opened
   */
  public static Optional<KnobOwner> inherit(Path file) {
    try {
      Optional<ExclusiveFile> exclusive = ExclusiveFile.openExisting(file);
      return exclusive.isEmpty() ? Optional.empty() : Optional.of(reading(exclusive.get()));
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  /**
   * What is noted of a knob, whoever owns it; empty if nothing is.
   *
   * @throws FailedWorkException if it cannot be read
   */
  public static String peek(Path file) {
    try {
      return OwnerText.settled(ExclusiveFile.peek(file));
    } catch (IOException e) {
      throw cannot(file, e);
    }
  }

  /** What the last owner noted, if it has ended without {@link #release}; empty if not. */
  public String former() {
    return former;
  }

  /**
   * Notes how to restore the knob, for whoever comes when this process has died; in place of what
   * it noted before.
   *
   * @param line one line
   * @throws FailedWorkException if it cannot be written: then the knob must not be set
   */
  public void note(String line) {
    try {
      ExclusiveFile mine = Objects.requireNonNull(file, "a knob of this process");
      change(mine, OwnerText.noted(mine.bytes(), line));
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot record how to restore a knob: " + e.getMessage(), "knob", "make room there", e);
    }
  }

  /** Gives the knob back restored: nothing is left for whoever comes, not even the file. */
  public void release() {
    try {
      if (file != null) {
        file.channel().truncate(0);
        file.remove();
      }
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be cleared: " + e.getMessage(), "the note of a knob's owner", "repeat that", e);
    } finally {
      close();
    }
  }

  /** Gives the knob back; how it is set is not changed. One that is lent goes back after that. */
  @Override
  public void close() {
    if (lender != null) {
      lender.takeBack();
      return;
    }
    synchronized (this) {
      closes = true;
      if (lent) {
        return;
      }
    }
    try {
      IN_PROCESS.values().remove(this);
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // The lock is gone with the channel or, at the latest, with the process.
      throw new FailedWorkException(
          "cannot give a knob back: " + e.getMessage(), "knob", "end this process", e);
    }
  }

  private static void change(ExclusiveFile file, List<OwnerText.Edit> edits) throws IOException {
    for (OwnerText.Edit edit : edits) {
      ByteBuffer left = ByteBuffer.wrap(edit.bytes());
      if (!left.hasRemaining()) {
        file.channel().truncate(edit.at());
      }
      while (left.hasRemaining()) {
        int written = file.channel().write(left, edit.at() + left.position());
        if (written < 0) {
          throw new IOException("nothing can be written");
        }
      }
    }
  }

  /** Names that are no file names are told apart by their hash. */
  private static String fileName(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
    boolean asItIs = plain.equals(name) && name.length() <= MAX_NAME;
    return (asItIs
            ? name
            : plain.substring(0, Math.min(plain.length(), MAX_NAME))
                + "~"
                + Integer.toHexString(name.hashCode()))
        + SUFFIX;
  }

  private static FailedWorkException cannot(Path file, IOException e) {
    return new FailedWorkException(
        "the record of a knob's owner cannot be read or written: " + e,
        file.toString(),
        "check that the folder may be written",
        e);
  }
}
