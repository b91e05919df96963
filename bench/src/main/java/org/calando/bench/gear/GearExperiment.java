package org.calando.bench.gear;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.Placer;
import org.calando.core.store.FileStore.Shape;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.PhraseText;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.ShiftNews;
import org.calando.geartrials.GearBed;
import org.calando.geartrials.ShiftForecast;
import org.calando.geartrials.ShiftForecast.NewFile;
import org.calando.load.Loop;
import org.calando.load.file.FileCatalog;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileLoadResult;
import org.calando.load.file.FileMix;
import org.calando.load.file.KnownFile;
import org.calando.load.file.ThreadedFileSession;
import org.calando.local.cache.ColdCache;
import org.calando.local.grep.GrepResult;
import org.calando.local.grep.GrepSpec;
import org.calando.local.grep.LocalGrep;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsFiles;
import org.jspecify.annotations.Nullable;

/*
 * All legs of a configuration share a cluster and its old data; each has a file of new data that is removed after it. They
 * differ in the gear in which that file is written, and in when grep runs. All go down to gear 1 and up again, so that in
 * each the same nodes have just been started. The cache is dropped before the shift up: what the catch-up reads is cold, and
 * grep finds in memory what the catch-up has just moved, as it would.
 */
/** One configuration of the experiment, on a cluster of its own. Not thread safe. */
final class GearExperiment implements AutoCloseable {
  private static final Duration GREP_DEADLINE = Duration.ofMinutes(30);
  private static final int READERS = 4;
  private static final int MOST_PIECE_BYTES = 4 << 20;
  private static final int HIGH = GearBenchOptions.GEARS.size();

  private final GearBenchOptions options;
  private final int block;
  private final String layout;
  private final long blockBytes;
  private final GearBed bed;
  private final HdfsCluster hdfs;
  private final HdfsFiles files;
  private final FileCatalog catalog = new FileCatalog();
  private final List<PhraseText> old = new ArrayList<>();
  private final Placer placer;
  private final List<GearRow> rows = new ArrayList<>();
  private int texts;

  private GearExperiment(GearBenchOptions options, int block, String layout, long blockBytes) {
    this.options = options;
    this.block = block;
    this.layout = layout;
    this.blockBytes = blockBytes;
    this.bed = GearBed.start(GearBenchOptions.spec(layout));
    this.placer = bed.file().layout().placer();
    this.hdfs =
        HdfsCluster.open(
            HdfsAccess.of(bed.cluster().uri())
                .http(bed.cluster().nameNodeHttp())
                .hostsFile(bed.cluster().hostsFile())
                .build());
    this.files = HdfsFiles.open(hdfs, bed.file().folder());
  }

  /** Runs all legs of a configuration, in an order drawn from the seed, on a new cluster. */
  static List<GearRow> run(GearBenchOptions options, int block, String layout, int mebibytes)
      throws InterruptedException {
    long blockBytes = options.blockBytes(mebibytes);
    try (GearExperiment one = new GearExperiment(options, block, layout, blockBytes)) {
      one.writeOld();
      if (options.readSeconds() > 0) {
        one.readsInEachGear();
      }
      List<String> legs = new ArrayList<>(List.of("normal", "catch-up"));
      if (options.backgroundMegabytes() > 0) {
        legs.add("background");
      }
      Collections.shuffle(legs, new Random(options.seed() + 31L * block + layout.hashCode()));
      for (int i = 0; i < legs.size(); i++) {
        one.leg(legs.get(i), i + 1);
      }
      return one.rows;
    }
  }

  private void writeOld() {
    for (int i = 0; i < GearBenchOptions.OLD_FILES; i++) {
      String path = "old/part-" + i;
      PhraseText text = new PhraseText(options.seed(), texts++, options.fileBytes());
      catalog.add(write(path, text));
      old.add(text);
      var placed = forecast(path, options.fileBytes(), HIGH);
      requireNothing(placed);
    }
  }

  private static void requireNothing(ShiftForecast placed) {
    if (placed.blocks() != 0) {
      throw new IllegalStateException("blocks written with all nodes on are at home");
    }
  }

  private KnownFile write(String path, PhraseText text) {
    int piece = (int) Math.min(MOST_PIECE_BYTES, blockBytes);
    return KnownFile.write(
        files, path, new Shape(bed.replication(), blockBytes), text::next, piece);
  }

  /** What is to be moved when a file has been written in a gear; takes the placer along. */
  private ShiftForecast forecast(String path, long bytes, int gear) {
    List<NewFile> written = List.of(NewFile.of(files.absolute(path), bytes, blockBytes));
    return ShiftForecast.of(bed.file().layout(), placer, gear, HIGH, written);
  }

  private void readsInEachGear() throws InterruptedException {
    reads(HIGH);
    bed.shifter().shift(1);
    reads(1);
    bed.shifter().shift(HIGH);
  }

  private void reads(int gear) throws InterruptedException {
    GearRow row = begin("reads-gear-" + gear, 0);
    FileMix mix =
        FileMix.reading(
            new Loop.Closed(READERS),
            TimeUnit.SECONDS.toNanos(options.readSeconds()),
            options.seed() + block);
    try (RealTimeScheduler scheduler = new RealTimeScheduler("bench-reads");
        ThreadedFileSession session = new ThreadedFileSession(files, mix.slots(), "bench-reads")) {
      cool(row);
      GearCpu cpu = GearCpu.begin(bed.cluster());
      FileLoadResult result = FileLoad.start(mix, catalog, session, scheduler).await();
      if (result.allErrors() > 0) {
        throw new FailedWorkException(result.firstError(), "reads in gear " + gear, "");
      }
      cpu.end(row);
      row.put("read_mb_s", result.readMegabytesPerSecond());
    }
    end(row);
  }

  private GearRow begin(String leg, int position) {
    GearRow row = GearRow.begin(options.seed(), block, layout, leg);
    row.put("position", position);
    row.put("block_bytes", blockBytes);
    row.put("old_bytes", GearBenchOptions.OLD_FILES * options.fileBytes());
    row.put("new_bytes", options.newBytes());
    return row;
  }

  private void end(GearRow row) {
    row.put("re_replications", bed.gears().reReplications());
    rows.add(row);
    System.out.printf(
        Locale.ROOT,
        "  %-13s shift %s s, catch-up %s s, grep %s s, moved %s of %s bytes, %s MB/s, %s J%n",
        row.text("leg"),
        row.text("shift_s"),
        row.text("catchup_s"),
        row.text("grep_s"),
        row.text("moved_bytes"),
        row.text("forecast_bytes"),
        row.text("read_mb_s"),
        row.text("joules"));
  }

  private void cool(GearRow row) {
    ColdCache.Outcome cold =
        ColdCache.drop(
            bed.cluster().nodes().stream().map(LocalHdfsNode::dataFolder).toList(), false);
    if (!cold.isCold()) {
      System.out.println("  " + cold.describe());
    }
    row.put("cold_before_bytes", cold.cachedAfter());
  }

  private void leg(String leg, int position) throws InterruptedException {
    GearRow row = begin(leg, position);
    String path = "new-" + leg + "/part-0";
    PhraseText text = new PhraseText(options.seed(), texts++, options.newBytes());
    boolean normal = leg.equals("normal");
    if (!normal) {
      bed.shifter().shift(1);
    }
    KnownFile written = write(path, text);
    if (written.bytes() != options.newBytes()) {
      throw new IllegalStateException("wrote " + written.bytes());
    }
    ShiftForecast forecast = forecast(path, options.newBytes(), normal ? HIGH : 1);
    row.put("forecast_bytes", forecast.bytes());
    row.put("bound_bytes", forecast.lowerBoundBytes());
    if (normal) {
      bed.shifter().shift(1);
    }
    cool(row);
    GearCpu cpu = GearCpu.begin(bed.cluster());
    if (leg.equals("background")) {
      inBackground(row, text);
    } else {
      told(row, shift(CatchUpPace.FOREGROUND, new Heard()));
      grep(row, text);
    }
    cpu.end(row);
    end(row);
    files.delete("new-" + leg);
  }

  /** Hears when the catch-up begins, and what it came to. */
  private static final class Heard implements ShiftNews {
    final CountDownLatch moving = new CountDownLatch(1);
    volatile @Nullable CatchUpTotals totals;

    @Override
    public void tell(String line) {
      // steps are no news here
    }

    @Override
    public void caughtUp(long doneBytes, long allBytes) {
      moving.countDown();
    }

    @Override
    public void ended(CatchUpTotals all) {
      totals = all;
      moving.countDown();
    }
  }

  /** A shift up. */
  private record Shifted(double seconds, @Nullable CatchUpTotals totals) {}

  private Shifted shift(CatchUpPace pace, Heard heard) throws InterruptedException {
    long begun = System.nanoTime();
    bed.shifter(pace, heard).shift(HIGH);
    return new Shifted((System.nanoTime() - begun) / 1e9, heard.totals);
  }

  private static void told(GearRow row, Shifted shifted) {
    CatchUpTotals totals = shifted.totals();
    row.put("shift_s", shifted.seconds());
    row.put("catchup_s", totals == null ? 0 : totals.seconds());
    row.put("moved_bytes", totals == null ? 0 : totals.bytes());
    row.put("transfers", totals == null ? 0 : totals.transfers());
    row.put("planned_bytes", totals == null ? 0 : totals.predicted());
  }

  /** The catch-up goes on while grep runs. */
  private void inBackground(GearRow row, PhraseText text) throws InterruptedException {
    Heard heard = new Heard();
    CatchUpPace pace =
        new CatchUpPace(
            Math.round(options.backgroundMegabytes() * 1e6), CatchUpPace.BACKGROUND.perNode());
    CompletableFuture<Shifted> shift =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return shift(pace, heard);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FailedWorkException("interrupted", "shift", "", e);
              } finally {
                heard.moving.countDown();
              }
            });
    heard.moving.await();
    grep(row, text);
    try {
      told(row, shift.get());
    } catch (ExecutionException e) {
      throw new FailedWorkException("the shift failed: " + e.getCause(), layout, "", e);
    }
  }

  private void grep(GearRow row, PhraseText text) {
    String pattern = PhraseText.pattern(options.seed() + block);
    GrepResult result =
        LocalGrep.run(
            GrepSpec.of(bed.cluster().uri() + files.folder(), pattern)
                .withMaps(options.maps())
                .withDeadline(GREP_DEADLINE));
    long expected =
        text.matches(pattern) + old.stream().mapToLong(one -> one.matches(pattern)).sum();
    if (result.matches() != expected) {
      throw new FailedWorkException(
          "grep found " + result.matches() + " matches, there are " + expected, layout, "");
    }
    row.put("grep_s", result.seconds());
    row.put("grep_start_s", result.startSeconds());
  }

  @Override
  public void close() {
    hdfs.close();
    bed.close();
  }
}
