package org.calando.bench.gear;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.calando.bench.PairedWork;
import org.calando.bench.PlainCopies;
import org.calando.core.FailedWorkException;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearSpec;
import org.calando.gears.ShiftNews;
import org.calando.gears.StoredBlock;
import org.calando.geartrials.FileBook;
import org.calando.geartrials.GearBed;
import org.calando.local.cache.ColdCache;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.SupervisedProcess;
import org.calando.store.hdfs.FileBlocks;
import org.calando.store.hdfs.HdfsAccess;
import org.calando.store.hdfs.HdfsCluster;
import org.calando.store.hdfs.HdfsNode;
import org.calando.store.hdfs.TransferResult;

/*
 * A file is written in gear 1 and brought home once: that tells from which node to which each block goes. Before each leg that
 * moves blocks they are moved back to where they were written, and the off-load log is put back, so that every catch-up finds
 * the very same work. All legs read what is not in memory, where the machine allows it.
 */
/** The legs of a comparison, on a cluster of their own. Not thread safe. */
final class CatchUpLegs implements AutoCloseable {
  /** The catch-up, as the command does it. */
  static final String CATCH_UP = "catch-up";

  /** Bytes through a client of HDFS, one block after another, and several at a time. */
  private static final String COPY = "client-1";

  private static final String COPIES = "client-n";

  /** What DataNodes send each other, without plan, journal and verification. */
  private static final String MOVE = "bare-1";

  private static final String MOVES = "bare-n";

  /** All legs. */
  static final List<String> LEGS = List.of(CATCH_UP, COPY, COPIES, MOVE, MOVES);

  private static final List<Integer> GEARS = List.of(3, 7);
  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final String NAME = "away";

  private final CatchUpOptions options;
  private final long blockBytes;
  private final GearBed bed;
  private final FileBook book;
  private final HdfsCluster hdfs;
  private final PlainCopies plain;
  private final PairedWork several;
  private final List<CatchUpPair> pairs = new ArrayList<>();
  private final Map<Integer, HdfsNode> nodes = new TreeMap<>();
  private byte[] log = {};

  private CatchUpLegs(CatchUpOptions options, long blockBytes) {
    this.options = options;
    this.blockBytes = blockBytes;
    // A node that is busy is not passed over: blocks are to lie where they were meant to.
    this.bed =
        GearBed.start(
            GearSpec.rabbit(GEARS),
            with -> with.setting("dfs.namenode.redundancy.considerLoad", "false"));
    this.book = bed.book();
    this.hdfs =
        HdfsCluster.open(
            HdfsAccess.of(bed.cluster().uri())
                .http(bed.cluster().nameNodeHttp())
                .hostsFile(bed.cluster().hostsFile())
                .build());
    this.plain = new PlainCopies(bed.cluster(), blockBytes);
    this.several = new PairedWork(GEARS.get(GEARS.size() - 1), options.parallel());
  }

  /** Starts a cluster and writes what is to be moved. */
  static CatchUpLegs start(CatchUpOptions options, long blockBytes) throws InterruptedException {
    CatchUpLegs legs = new CatchUpLegs(options, blockBytes);
    try {
      legs.prepare();
      return legs;
    } catch (RuntimeException | InterruptedException e) {
      legs.close();
      throw e;
    }
  }

  private void prepare() throws InterruptedException {
    bed.shifter().shift(1);
    if (!book.write(NAME, options.newBytes(), blockBytes)) {
      throw new FailedWorkException("nothing was written in gear 1", "bench/catchup", "");
    }
    await("replicas of the new file", () -> held().stream().allMatch(on -> on.size() == 2));
    await("the off-load log", () -> lines() >= held().size());
    List<NavigableSet<Integer>> before = held();
    log = read(logFile());
    bed.shifter().shift(GEARS.size());
    List<NavigableSet<Integer>> after = held();
    hdfs.nodes().forEach(node -> nodes.put(1 + bed.file().nodes().indexOf(node.name()), node));
    List<FileBlocks.BlockReplicas> blocks = hdfs.file(path()).orElseThrow().blocks();
    for (int i = 0; i < blocks.size(); i++) {
      TreeSet<Integer> gone = new TreeSet<>(before.get(i));
      gone.removeAll(after.get(i));
      TreeSet<Integer> come = new TreeSet<>(after.get(i));
      come.removeAll(before.get(i));
      if (gone.size() != 1 || come.size() != 1) {
        throw new IllegalStateException(before.get(i) + " became " + after.get(i));
      }
      pairs.add(new CatchUpPair(i, blocks.get(i), gone.first(), come.first()));
    }
    pairs.forEach(pair -> plain.prepare(pair, options.seed()));
  }

  /** Runs all legs, in an order drawn from the seed. */
  List<CatchUpRow> repeat(int repeat) throws InterruptedException {
    List<String> order = new ArrayList<>(LEGS);
    Collections.shuffle(order, new Random(options.seed() * 1009 + repeat));
    List<CatchUpRow> rows = new ArrayList<>();
    for (String leg : order) {
      rows.add(leg(leg, repeat, rows.size() + 1));
      System.out.printf(
          Locale.ROOT,
          "  repeat %d, %s: %.2f s%n",
          repeat,
          leg,
          rows.get(rows.size() - 1).seconds().copied());
    }
    return rows;
  }

  /** What is done with pairs, all of them. */
  private interface Work {
    void run() throws InterruptedException;
  }

  private CatchUpRow leg(String leg, int repeat, int position) throws InterruptedException {
    boolean copies = leg.equals(COPY) || leg.equals(COPIES);
    if (!copies) {
      sendAway();
    }
    long cached = cool();
    CatchUpRow.Seconds seconds =
        switch (leg) {
          case CATCH_UP -> catchUp();
          case COPY -> timed(() -> pairs.forEach(plain::copy));
          case COPIES -> timed(() -> several.each(pairs, plain::copy));
          case MOVE -> timed(() -> pairs.forEach(this::sendHome));
          default -> timed(() -> several.each(pairs, this::sendHome));
        };
    if (copies) {
      pairs.forEach(plain::checkAndRemove);
    } else {
      awaitOn(CatchUpPair::target, CatchUpPair::source);
    }
    return new CatchUpRow(
        options.seed(),
        repeat,
        blockBytes,
        options.newBytes(),
        leg,
        position,
        pairs.size(),
        bytes(),
        seconds,
        cached);
  }

  private static CatchUpRow.Seconds timed(Work work) throws InterruptedException {
    long begun = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - begun) / 1e9;
    return new CatchUpRow.Seconds(seconds, seconds, seconds);
  }

  /** As the command brings blocks home in the gear that it is in. */
  private CatchUpRow.Seconds catchUp() throws InterruptedException {
    write(logFile(), log);
    List<CatchUpTotals> heard = new ArrayList<>();
    ShiftNews news =
        new ShiftNews() {
          @Override
          public void tell(String line) {
            // steps are no news here
          }

          @Override
          public void ended(CatchUpTotals totals) {
            heard.add(totals);
          }
        };
    CatchUpRow.Seconds whole =
        timed(() -> bed.shifter(new CatchUpPace(0, options.parallel()), news).shift(GEARS.size()));
    CatchUpTotals totals = heard.get(0);
    if (totals.bytes() != bytes() || totals.predicted() != bytes()) {
      throw new FailedWorkException(
          totals + " is not what was away from home: " + bytes() + " bytes", "bench/catchup", "");
    }
    return new CatchUpRow.Seconds(totals.copySeconds(), totals.seconds(), whole.order());
  }

  private long bytes() {
    return pairs.stream().mapToLong(pair -> pair.block().bytes()).sum();
  }

  private void sendAway() throws InterruptedException {
    several.each(pairs, pair -> send(pair, pair.target(), pair.source()));
    awaitOn(CatchUpPair::source, CatchUpPair::target);
  }

  private void sendHome(CatchUpPair pair) {
    send(pair, pair.source(), pair.target());
  }

  /** A bare transfer: nothing is asked of the NameNode before or after it. */
  private void send(CatchUpPair pair, int from, int to) {
    HdfsNode source = node(from);
    TransferResult result = hdfs.transfer(pair.block(), source.uuid(), source, node(to), WITHIN);
    if (result.outcome() != TransferResult.Outcome.DONE) {
      throw new FailedWorkException(result.toString(), "bench/catchup", "run it again");
    }
  }

  private HdfsNode node(int number) {
    HdfsNode node = nodes.get(number);
    if (node == null) {
      throw new IllegalStateException("no node " + number);
    }
    return node;
  }

  /** Until the NameNode has every block on the one node of its pair, and on the other no more. */
  private void awaitOn(ToIntFunction<CatchUpPair> on, ToIntFunction<CatchUpPair> off) {
    await(
        "replicas",
        () -> {
          List<NavigableSet<Integer>> held = held();
          return pairs.stream()
              .allMatch(
                  pair ->
                      held.get(pair.index()).contains(on.applyAsInt(pair))
                          && !held.get(pair.index()).contains(off.applyAsInt(pair)));
        });
  }

  private List<NavigableSet<Integer>> held() {
    return bed.gears().file(path()).stream().map(StoredBlock::nodes).toList();
  }

  private String path() {
    return bed.file().folder() + "/" + NAME;
  }

  private Path logFile() {
    return Path.of(bed.file().log().orElseThrow());
  }

  private long lines() {
    return Files.exists(logFile())
        ? new String(read(logFile()), StandardCharsets.UTF_8).lines().count()
        : 0;
  }

  /** What is in memory of the blocks when as much as can be was dropped. */
  private long cool() {
    return ColdCache.drop(
            bed.cluster().nodes().stream().map(LocalHdfsNode::dataFolder).toList(), false)
        .cachedAfter();
  }

  private static void await(String what, BooleanSupplier done) {
    if (!SupervisedProcess.poll(done, WITHIN)) {
      throw new FailedWorkException(
          what + " are not where they are to be", "bench/catchup", "look into the servers' logs");
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, byte[] bytes) {
    try {
      Files.write(file, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    plain.close();
    hdfs.close();
    book.close();
    bed.close();
  }
}
