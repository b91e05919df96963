package org.calando.geartrials;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.calando.concerto.trials.SmallDisk;
import org.calando.control.Patience;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.gears.GearShifter;
import org.calando.gears.GearSpec;
import org.calando.gears.GearStatus;
import org.calando.power.onoff.PowerSwitch;

/*
 * One trial: files are written in the highest gear, the cluster goes down, files are read back and written while a shift up
 * is under way, and somewhere something goes wrong, at a random time of a random shift. Whoever operates it does what an
 * operator would: starts a dead NameNode or DataNode again, mends the switch or the disk, and resumes the plan. In the
 * end every file that was acknowledged is read back, and all blocks must be at home.
 */
/**
 * One trial of shifting a real cluster's gear while something goes wrong. For one call of {@link
 * #run}.
 */
public final class GearTrial {
  private static final long KIB = 1 << 10;
  private static final int OLD_FILES = 6;
  private static final int MOST_RESUMES = 12;
  private static final int MOST_WRITTEN = 60;
  private static final long REFUSED_NANOS = 100_000_000L;
  private static final Duration SETTLED = Duration.ofMinutes(1);
  private static final int DISK_MEBIBYTES = 512;

  private final long seed;
  private final SplittableRandom random;
  private final Fault fault;
  private final GearSpec spec;
  private final List<String> damage = new ArrayList<>();
  private final AtomicBoolean stopWriting = new AtomicBoolean();
  private int resumed;
  private boolean hit;

  /** A trial; the seed decides on layout, fault, sizes and times. */
  public GearTrial(long seed) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    Fault[] faults = Fault.values();
    this.fault = faults[(int) Math.floorMod(seed, (long) faults.length)];
    this.spec =
        random.nextBoolean()
            ? GearSpec.rabbit(List.of(2, 5))
            : GearSpec.paraid(List.of(2, 5), "even");
  }

  /** Does it; takes about half a minute. */
  public TrialResult run() throws InterruptedException {
    long begun = System.nanoTime();
    Optional<SmallDisk> disk =
        fault == Fault.DISK_FULL ? SmallDisk.mount(DISK_MEBIBYTES) : Optional.empty();
    try (GearBed bed =
            GearBed.start(spec, with -> disk.map(it -> with.dataFolder(it.folder())).orElse(with));
        FileBook book = bed.book()) {
      for (int i = 0; i < OLD_FILES; i++) {
        write(book, "old-" + i);
      }
      Thread writer = new Thread(() -> keepWriting(book), "calando-trial-writer");
      writer.start();
      boolean first = fault == Fault.LYING_SWITCH || (canBeFirst() && random.nextBoolean());
      shift(bed, book, 1, new FaultMaker(bed, fault, random.split(), disk), first);
      read(book, "in gear 1");
      shift(bed, book, 2, new FaultMaker(bed, fault, random.split(), disk), !first);
      stopWriting.set(true);
      writer.join();
      String trouble = settle(bed);
      read(book, "in the end");
      return new TrialResult(
          seed,
          spec.layout(),
          fault,
          new TrialResult.Files(book.acknowledged(), book.bytes(), book.failedWrites(), damage),
          hit,
          resumed,
          bed.gears().reReplications(),
          trouble,
          (System.nanoTime() - begun) / 1e9);
    } finally {
      stopWriting.set(true);
      disk.ifPresent(SmallDisk::close);
    }
  }

  private boolean canBeFirst() {
    return fault != Fault.DISK_FULL && fault != Fault.LOG_DAMAGED;
  }

  private void write(FileBook book, String name) {
    long block = KIB << random.nextInt(7, 10);
    var unused = book.write(name, random.nextLong(1, 6 * block), block);
  }

  private void keepWriting(FileBook book) {
    SplittableRandom sizes = new SplittableRandom(seed + 1);
    int written = 0;
    for (int i = 0; written < MOST_WRITTEN && !stopWriting.get(); i++) {
      long block = KIB << sizes.nextInt(7, 10);
      if (book.write("new-" + i, sizes.nextLong(1, 4 * block), block)) {
        written++;
      } else {
        // A dead NameNode refuses at once: all attempts would be gone before it is back.
        LockSupport.parkNanos(REFUSED_NANOS);
      }
    }
  }

  private void read(FileBook book, String when) {
    book.damage().forEach(wrong -> damage.add(when + ": " + wrong));
  }

  /** A shift, with the fault in it or not, and all that an operator does until it is through. */
  private void shift(GearBed bed, FileBook book, int gear, FaultMaker maker, boolean faulty)
      throws InterruptedException {
    hit |= faulty && maker.prepare();
    boolean open = false;
    for (int tries = 0; tries < MOST_RESUMES; tries++) {
      try (FaultMaker.Pending pending = maker.begin(faulty && tries == 0)) {
        if (faulty && tries == 0 && fault == Fault.TOOL_KILLED) {
          hit = ToolProcess.shiftAndKill(bed, gear, maker.delayMillis());
        } else {
          go(bed.shifter(), gear, open);
        }
        if (GearShifter.unfinished(bed.gearFile()).isEmpty() && bed.shifter().gear() == gear) {
          hit |= faulty && maker.comesLater() && pending.hit();
          break;
        }
        hit |= faulty && maker.comesLater() && pending.hit();
      } catch (CalandoException e) {
        hit |= faulty;
      }
      resumed++;
      maker.mend();
      read(book, "while shifting to " + gear);
      open = GearShifter.unfinished(bed.gearFile()).isPresent();
    }
    maker.mend();
  }

  private static void go(GearShifter shifter, int gear, boolean open) throws InterruptedException {
    if (open) {
      shifter.resume();
    } else {
      shifter.shift(gear);
    }
  }

  /** What is left is brought home; tells what is not as it must be. */
  private static String settle(GearBed bed) throws InterruptedException {
    AtomicReference<String> trouble = new AtomicReference<>("never settled");
    try {
      Patience.usual()
          .await(
              line -> {},
              SETTLED,
              () -> {
                trouble.set(settled(bed));
                return text(trouble).isEmpty();
              },
              () -> text(trouble),
              "trial",
              "look at its cluster");
    } catch (FailedWorkException e) {
      // What is wrong is the trial's result.
    }
    return text(trouble);
  }

  private static String text(AtomicReference<String> trouble) {
    return Objects.requireNonNull(trouble.get());
  }

  private static String settled(GearBed bed) {
    try {
      go(bed.shifter(), 2, GearShifter.unfinished(bed.gearFile()).isPresent());
      return trouble(bed.status());
    } catch (CalandoException e) {
      return String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private static String trouble(GearStatus status) {
    if (status.unfinished().isPresent()) {
      return "a plan is unfinished";
    }
    if (status.misplaced().replicas() > 0) {
      return status.misplaced().replicas() + " replicas are not at home";
    }
    for (GearStatus.Node node : status.nodes()) {
      if (!node.member().serves() || node.power() != PowerSwitch.State.ON) {
        return node.member().name() + " does not serve";
      }
    }
    return "";
  }

  /**
   * Damages the end of a file as a crash does: part of a line, or bytes of something else.
   *
   * @return whether there was anything to damage
   */
  static boolean damageEnd(Path file, SplittableRandom random) {
    try {
      if (!Files.exists(file) || Files.size(file) == 0) {
        return false;
      }
      if (random.nextBoolean()) {
        try (var channel = java.nio.channels.FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(Math.max(0, channel.size() - random.nextLong(1, 40)));
        }
      } else {
        Files.write(
            file,
            new byte[] {'1', '\t', '9', (byte) 0xff, (byte) 0xfe, 0, 1, 'x'},
            StandardOpenOption.APPEND);
      }
      return true;
    } catch (IOException e) {
      throw new FailedWorkException("cannot be damaged: " + e, file.toString(), "look at it", e);
    }
  }
}
