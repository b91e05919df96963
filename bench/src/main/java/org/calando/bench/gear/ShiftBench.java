package org.calando.bench.gear;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.calando.gears.GearSpec;
import org.calando.gears.GearStatus;
import org.calando.geartrials.FileBook;
import org.calando.geartrials.GearBed;

/** Random shifts between three gears with writes going on, for both layouts. */
public final class ShiftBench {
  private static final List<Integer> GEARS = List.of(2, 4, 7);
  private static final long BLOCK = 1 << 18;
  private static final int OLD_BLOCKS = 84;
  private static final long PAUSE_MILLIS = 100;

  private ShiftBench() {}

  /** {@code ShiftBench [SHIFTS=20] [SEED=1]}. Exit code 1 if anything was not as planned. */
  public static void main(String[] arguments) throws InterruptedException {
    int shifts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    boolean good = run(GearSpec.rabbit(GEARS), shifts, seed);
    good &= run(GearSpec.paraid(GEARS, "even"), shifts, seed);
    System.exit(good ? 0 : 1);
  }

  private static boolean run(GearSpec spec, int shifts, long seed) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    System.out.println(spec.layout() + ", seed " + seed);
    boolean good = true;
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger files = new AtomicInteger();
    try (GearBed bed = GearBed.start(spec);
        FileBook book = bed.book()) {
      good &= book.write("old", OLD_BLOCKS * BLOCK, BLOCK);
      Thread writer = new Thread(() -> write(book, files, stop), "calando-writer");
      good &= tell("before", bed, book);
      writer.start();
      try {
        for (int i = 1; i <= shifts; i++) {
          int now = bed.shifter().gear();
          int to = 1 + (now + random.nextInt(GEARS.size() - 1)) % GEARS.size();
          bed.shifter().shift(to);
          good &= tell("shift " + i + ": " + now + " to " + to, bed, book);
        }
      } finally {
        stop.set(true);
        writer.join();
      }
      bed.shifter().shift(GEARS.size());
      bed.shifter().shift(GEARS.size());
      good &= tell("in the end", bed, book);
    }
    return good;
  }

  private static void write(FileBook book, AtomicInteger files, AtomicBoolean stop) {
    try {
      while (!stop.get()) {
        int number = files.incrementAndGet();
        var unused = book.write("new-" + number, (1 + number % 4) * BLOCK, BLOCK);
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Blocks on each node beside the plan; in lower gears those of nodes that are on. */
  private static boolean tell(String when, GearBed bed, FileBook book) {
    GearStatus status = bed.status();
    boolean top = status.file().gear() == GEARS.size();
    double worst = 0;
    StringBuilder line = new StringBuilder();
    for (GearStatus.Node node : status.nodes()) {
      line.append(String.format(Locale.ROOT, " %d/%.1f", node.blocks(), node.expected()));
      worst = Math.max(worst, Math.abs(node.blocks() - node.expected()));
    }
    List<String> damage = book.damage();
    long copies = bed.gears().reReplications();
    System.out.printf(
        Locale.ROOT,
        "%-18s gear %d, %d blocks, misplaced %d, copies ordered %d, damaged %d%s;%s%n",
        when,
        status.file().gear(),
        status.blocks(),
        status.misplaced().replicas(),
        copies,
        damage.size(),
        top ? String.format(Locale.ROOT, ", at most %.1f off the plan", worst) : "",
        line);
    return damage.isEmpty() && copies == 0;
  }
}
