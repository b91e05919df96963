package org.calando.clock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwner;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;

/**
 * Where leases are noted. Immutable and thread safe.
 *
 * @param journals their journals, a file a lease, gone when everything is restored
 * @param owners who has which knob and how it was before: one folder for all of a machine
 */
public record LeaseFolders(Path journals, Path owners) {
  /** Of this machine, for all users: made by root, and gone when the machine restarts. */
  public static final Path RUN = Path.of("/run/calando");

  private static final Pattern NAME = Pattern.compile("clock-(\\d+)-(\\d+)-(\\d+)\\.journal");

  private static final String CLUSTERS = "knobs";

  /** Of leases of this process, which may begin on several threads at once. */
  private static final AtomicLong NEXT = new AtomicLong();

  /** Those of a folder that nobody shares, for tests. */
  public static LeaseFolders in(Path state) {
    return new LeaseFolders(state.resolve("journals"), state.resolve("owners"));
  }

  /** Those of knobs of clusters, which this user alone sets: beside the journals of these. */
  public LeaseFolders ofClusters() {
    return in(state().resolve(CLUSTERS));
  }

  /** Whether these are of knobs of clusters, and not of a machine's processors. */
  boolean areOfClusters() {
    return state().endsWith(CLUSTERS);
  }

  /** The folder that outlives the owner's command. */
  public Path state() {
    Path parent = journals.toAbsolutePath().getParent();
    return parent == null ? journals : parent;
  }

  /*
   * Whoever restores writes what a note says, as root. So a folder that others than its owner may write is none.
   */
  /**
   * Makes sure that all who set a machine's clocks meet.
   *
   * @throws BadRequestException if owners of this machine's clocks are to be noted elsewhere, or
   *     cannot be noted
   */
  void requireOwners(Machine machine) {
    requirePlace(machine);
    makeOwners();
    requireUsable(machine);
  }

  /**
   * Makes the folder of owners, which only this user may write.
   *
   * @throws BadRequestException if others may, or it cannot be made
   */
  void makeOwners() {
    try {
      if (!Files.isDirectory(owners)) {
        Files.createDirectories(
            owners,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
      }
    } catch (IOException e) {
      throw cannotNote(e.toString());
    }
    requireTrusted();
  }

  /**
   * Whether a lease could be noted for all of a machine; makes nothing.
   *
   * @throws BadRequestException as a lease would, with the remedy
   */
  public void requireUsable(Machine machine) {
    requirePlace(machine);
    requireTrusted();
    Path there = owners.toAbsolutePath();
    for (Path up = there.getParent(); up != null && !Files.exists(there); up = up.getParent()) {
      there = up;
    }
    if (!Files.isDirectory(there) || !Files.isWritable(there)) {
      throw cannotNote(there.equals(owners) ? "it may not be written" : "it cannot be made");
    }
  }

  private void requirePlace(Machine machine) {
    if (machine.cpus().equals(CpufreqTree.MACHINE) && !owners.equals(RUN)) {
      throw new BadRequestException(
          "owners of this machine's clocks are recorded in " + RUN + ", and not here",
          owners.toString(),
          "unset CALANDO_RUN: it is for tests, on processors that are files");
    }
  }

  /**
   * Makes sure that only its owner can say how knobs were.
   *
   * @throws BadRequestException if a group or anybody may write the notes
   */
  void requireTrusted() {
    Set<PosixFilePermission> may;
    try {
      may = Files.isDirectory(owners) ? Files.getPosixFilePermissions(owners) : Set.of();
    } catch (IOException e) {
      throw cannotNote(e.toString());
    }
    boolean anybody = may.contains(PosixFilePermission.OTHERS_WRITE);
    if (anybody || may.contains(PosixFilePermission.GROUP_WRITE)) {
      throw new BadRequestException(
          (anybody ? "anybody" : "its group")
              + " may write there, and "
              + (areOfClusters() ? "this user" : "root")
              + " would restore what its files state",
          owners.toString(),
          (areOfClusters() ? "" : "sudo ") + "chmod go-w " + owners);
    }
  }

  private BadRequestException cannotNote(String why) {
    if (areOfClusters()) {
      return new BadRequestException(
          "the owner of clusters' knobs cannot be recorded: " + why,
          owners.toString(),
          "let this user write there, or name another folder by CALANDO_STATE");
    }
    return new BadRequestException(
        "the owner of clocks cannot be recorded for this machine: " + why,
        owners.toString(),
        "be root; or have root give the folder to this user, again after each start of the machine:"
            + " sudo install -d -o "
            + System.getProperty("user.name")
            + " "
            + owners);
  }

  /** A name that no lease has, of a process with this number and start. */
  Path newJournal(long pid, long startTicks) {
    try {
      Files.createDirectories(journals);
    } catch (IOException e) {
      throw cannot("made", e);
    }
    Path file;
    do {
      file =
          journals.resolve(
              "clock-%d-%d-%d.journal".formatted(pid, startTicks, NEXT.incrementAndGet()));
    } while (Files.exists(file) || Files.exists(LastWritten.beside(file)));
    return file;
  }

  /** The journals of all leases, in the order of their names. */
  List<Path> all() {
    List<Path> all = new ArrayList<>();
    if (!Files.isDirectory(journals)) {
      return all;
    }
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(
            journals, path -> NAME.matcher(path.getFileName().toString()).matches())) {
      found.forEach(all::add);
    } catch (IOException e) {
      throw cannot("read", e);
    }
    all.sort(Path::compareTo);
    return all;
  }

  /**
   * How a knob was before it was set by a lease that has not restored it yet, be its owner alive or
   * not; as journals write it.
   *
   * @return empty if it is as it was
   * @throws FailedWorkException if what is noted of it cannot be read
   */
  public Optional<String> before(Knob<?> knob) {
    Path file = KnobOwner.file(owners, knob.id().name(), knob.target());
    Optional<String> noted =
        Files.exists(file)
            ? OwnerNote.read(file, KnobOwner.peek(file)).map(OwnerNote::before)
            : Optional.empty();
    return noted.or(
        () ->
            all().stream()
                .flatMap(journal -> unfinished(journal).stream())
                .filter(entry -> entry.knob().equals(knob.id().name()))
                .filter(entry -> entry.target().equals(knob.target()))
                .map(JournalEntry::before)
                .findFirst());
  }

  private static List<JournalEntry> unfinished(Path journal) {
    try {
      return Lease.unfinished(journal);
    } catch (FailedWorkException e) {
      if (Files.exists(journal)) {
        throw e;
      }
      // It has just been restored.
      return List.of();
    }
  }

  /** Whether the process that a journal names still runs. */
  static boolean ownerLives(Path journal, ProcFs proc) {
    Matcher name = NAME.matcher(String.valueOf(journal.getFileName()));
    return name.matches()
        && proc.startTicks(Long.parseLong(name.group(1))).orElse(-1)
            == Long.parseLong(name.group(2));
  }

  /**
   * What was last written beside a journal.
   *
   * @throws FailedWorkException if that is damaged
   */
  static LastWritten.Content lastWritten(Path journal) {
    Path file = LastWritten.beside(journal);
    try {
      return LastWritten.read(file).orElse(LastWritten.NOTHING);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e.getMessage(),
          file.toString(),
          "it shows whether somebody else has changed leased settings since; ./calando restore"
              + " --force restores them nevertheless",
          e);
    }
  }

  /** Moves a journal that cannot be read out of the way, for people. */
  static Path setAside(Path journal) {
    Path aside = journal.resolveSibling(journal.getFileName() + ".damaged");
    try {
      Files.move(journal, aside, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(LastWritten.beside(journal));
      return aside;
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be moved away: " + e.getMessage(), journal.toString(), "move it by hand", e);
    }
  }

  /** Removes a journal of which nothing is open. */
  static void delete(Path journal) {
    try {
      Files.deleteIfExists(LastWritten.beside(journal));
      Files.deleteIfExists(journal);
    } catch (IOException e) {
      throw new FailedWorkException(
          "is restored and cannot be removed: " + e.getMessage(),
          journal.toString(),
          "remove it by hand",
          e);
    }
  }

  private FailedWorkException cannot(String what, IOException e) {
    return new FailedWorkException(
        "cannot be " + what + ": " + e.getMessage(),
        journals.toString(),
        "make room there, or name another folder by CALANDO_STATE",
        e);
  }
}
