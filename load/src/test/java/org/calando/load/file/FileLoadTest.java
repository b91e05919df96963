package org.calando.load.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Percentage;
import org.calando.core.BadRequestException;
import org.calando.core.store.FileStore.Shape;
import org.calando.core.time.RealTimeScheduler;
import org.calando.load.ArrivalProcess;
import org.calando.load.Backlog;
import org.calando.load.EndReason;
import org.calando.load.Loop;
import org.calando.load.RateProfile;
import org.calando.load.VirtualScheduler;
import org.junit.jupiter.api.Test;

class FileLoadTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1000 * MILLI;
  private static final int PIECE = 1000;
  private static final Shape SHAPE = new Shape(1, 4096);

  private final VirtualScheduler scheduler = new VirtualScheduler();
  private final MemoryFiles files = new MemoryFiles();
  private final FileCatalog catalog = new FileCatalog();

  private void writeFiles(int count, long bytes) {
    for (int i = 0; i < count; i++) {
      FileContent.Source content = FileContent.phrases(1).begin(i, bytes);
      catalog.add(KnownFile.write(files, "f" + i, SHAPE, content, PIECE));
    }
  }

  private FileStreams streams(int count, double rate, long fileBytes, int filesEach) {
    FileContent content = FileContent.phrases(2);
    return new FileStreams(count, rate, fileBytes, PIECE, filesEach, SHAPE, "new", content);
  }

  private FileLoadResult run(FileMix mix, VirtualFiles session) {
    FileLoad load = FileLoad.start(mix, catalog, session, scheduler);
    scheduler.runUntil(load::isDone);
    return load.result();
  }

  private VirtualFiles session(int slots, long callNanos) {
    return new VirtualFiles(scheduler, files, slots, callNanos);
  }

  private static FileMix writing(FileStreams streams, long nanos, long seed) {
    return new FileMix(
        Optional.empty(), Optional.of(streams), SECOND, nanos, 30 * SECOND, 30 * SECOND, seed);
  }

  /** Without a warm-up. */
  private static FileMix cold(FileMix of) {
    return new FileMix(
        of.reads(),
        of.writes(),
        0,
        of.durationNanos(),
        of.drainNanos(),
        of.giveUpNanos(),
        of.seed());
  }

  /** That drains for a second. */
  private static FileMix bounded(FileMix of, long giveUpNanos) {
    return new FileMix(
        of.reads(),
        of.writes(),
        of.warmupNanos(),
        of.durationNanos(),
        SECOND,
        giveUpNanos,
        of.seed());
  }

  @Test
  void aClosedLoopReadsOnePieceAfterTheOther() {
    writeFiles(3, 10_500);
    FileMix mix = FileMix.reading(new Loop.Closed(4), 2 * SECOND, 5);
    VirtualFiles session = session(4, 10 * MILLI);
    FileLoadResult result = run(mix, session);
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.count(FileMeasure.READ)).isEqualTo(4 * 200);
    assertThat(session.most).isEqualTo(4);
    assertThat(result.latencies().get(FileMeasure.READ).getValueAtPercentile(50))
        .isCloseTo(10 * MILLI, Percentage.withPercentage(1));
    // The last piece of each file is half as long as the other ten.
    assertThat(result.readMegabytesPerSecond())
        .isCloseTo(0.4 * 10_500 / 11 / PIECE, Percentage.withPercentage(3));
    assertThat(result.allErrors()).isZero();
    assertThat(result.unanswered()).isZero();
    assertThat(result.backlog()).isEqualTo(Backlog.NONE);
  }

  @Test
  void whatWasDoneSoFarIsToldWhileItGoes() {
    writeFiles(1, 10_000);
    FileMix mix = FileMix.reading(new Loop.Closed(2), 2 * SECOND, 5);
    FileLoad load = FileLoad.start(mix, catalog, session(2, 10 * MILLI), scheduler);
    assertThat(load.progress()).isEqualTo(new FileProgress(0, 0, 0, 0, 0));
    scheduler.runUntil(() -> load.progress().reads() == 100);
    assertThat(load.isDone()).isFalse();
    assertThat(load.progress().readBytes()).isEqualTo(100 * PIECE);
    scheduler.runUntil(load::isDone);
    assertThat(load.progress().reads()).isGreaterThan(400);
  }

  @Test
  void anOpenLoopReadsAtItsTimes() {
    writeFiles(2, 50_000);
    Loop.Open loop = new Loop.Open(ArrivalProcess.even(RateProfile.constant(50)), 4, 1);
    FileLoadResult result = run(FileMix.reading(loop, 2 * SECOND, 5), session(4, 10 * MILLI));
    assertThat(result.count(FileMeasure.READ)).isEqualTo(100);
    assertThat(result.latencies().get(FileMeasure.READ).getMaxValue())
        .isCloseTo(10 * MILLI, Percentage.withPercentage(1));
    assertThat(result.backlog()).isEqualTo(new Backlog(100, 0, 0, 0));
  }

  @Test
  void whatAnOpenLoopCannotStartInTimeIsToldAndCountsFromWhenItWasDue() {
    writeFiles(2, 50_000);
    Loop.Open loop = new Loop.Open(ArrivalProcess.even(RateProfile.constant(50)), 1, 1);
    FileMix mix = cold(FileMix.reading(loop, 2 * SECOND, 5));
    FileLoadResult result = run(mix, session(1, 40 * MILLI));
    assertThat(result.count(FileMeasure.READ)).isEqualTo(50);
    assertThat(result.latencies().get(FileMeasure.READ).getMaxValue())
        .isCloseTo(40 * MILLI + 49 * 20 * MILLI, Percentage.withPercentage(1));
    assertThat(result.backlog()).isEqualTo(new Backlog(100, 49, 49 * 20 * MILLI, 50));
  }

  @Test
  void bytesThatAreNotThoseWrittenAreFound() {
    writeFiles(1, 10_000);
    files.files.get("f0")[4321] ^= 1;
    FileMix mix = FileMix.reading(new Loop.Closed(1), 10 * SECOND, 5);
    FileLoadResult result = run(mix, session(1, 10 * MILLI));
    assertThat(result.corrupt()).isPositive().isEqualTo(result.allErrors());
    assertThat(result.count(FileMeasure.READ)).isPositive();
    assertThat(result.firstError()).contains("not those that were written", "f0 from byte 4000");
  }

  @Test
  void aFileThatHasBecomeShortIsFoundToo() {
    writeFiles(1, 1000);
    files.files.put("f0", new byte[500]);
    FileMix mix = FileMix.reading(new Loop.Closed(1), SECOND, 5);
    FileLoadResult result = run(mix, session(1, 10 * MILLI));
    assertThat(result.corrupt()).isPositive();
    assertThat(result.count(FileMeasure.READ)).isZero();
  }

  @Test
  void streamsWriteAtTheirRateAndEndAfterTheirFiles() {
    FileMix mix = writing(streams(2, 100_000, 25_500, 4), 60 * SECOND, 5);
    long begin = scheduler.nanos();
    FileLoadResult result = run(cold(mix), session(2, MILLI));
    assertThat(result.reason()).isEqualTo(EndReason.OPERATIONS_DONE);
    assertThat(result.files()).isEqualTo(8);
    assertThat(result.writtenBytes()).isEqualTo(8 * 25_500);
    assertThat((double) scheduler.nanos() - begin)
        .isCloseTo(SECOND * 4 * 25_500 / 100_000.0, Percentage.withPercentage(2));
    assertThat(files.files.keySet()).contains("new/s1-0", "new/s2-3").hasSize(8);
    assertThat(catalog.files()).hasSize(8).allMatch(file -> file.bytes() == 25_500);
    byte[] expected = new byte[25_500];
    FileContent.phrases(2).begin(5, 25_500).next(expected);
    assertThat(files.files.get("new/s2-2")).isEqualTo(expected);
  }

  @Test
  void aStreamThatIsCutOffCompletesItsFile() {
    FileMix mix = writing(streams(1, 100_000, 1_000_000, 4), 2 * SECOND, 5);
    FileLoadResult result = run(cold(mix), session(1, MILLI));
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
    assertThat(result.files()).isEqualTo(1);
    assertThat(catalog.files().get(0).bytes())
        .isEqualTo(files.files.get("new/s1-0").length)
        .isBetween(199_000L, 202_000L);
  }

  @Test
  void newFilesAreReadToo() {
    writeFiles(1, 500);
    FileMix mix = cold(FileMix.both(new Loop.Closed(2), streams(1, 0, 10_000, 5), 10 * SECOND, 5));
    FileLoadResult result = run(mix, session(3, 10 * MILLI));
    assertThat(result.files()).isEqualTo(5);
    assertThat(result.count(FileMeasure.READ)).isEqualTo(2 * 1000);
    // The old file is one piece of half the length; of all pieces in the end it is one in 51.
    assertThat(result.readBytes()).isGreaterThan(1_700_000);
    assertThat(catalog.pieces()).isEqualTo(51);
    assertThat(result.allErrors()).isZero();
  }

  @Test
  void aStoreThatRefusesIsGivenUpAndNotFlooded() {
    writeFiles(1, 1000);
    files.refuses = true;
    int before = files.tries;
    FileMix mix = FileMix.both(new Loop.Closed(1), streams(1, 0, 10_000, 5), 60 * SECOND, 5);
    FileLoadResult result = run(bounded(mix, 5 * SECOND), session(2, MILLI));
    assertThat(result.reason()).isEqualTo(EndReason.NO_SUCCESS);
    assertThat(result.errors()).containsKeys(FileMeasure.READ, FileMeasure.CREATE);
    assertThat(files.tries - before).isLessThan(100);
    assertThat(result.firstError()).contains("it refuses");
    assertThat(result.measuredSeconds()).isLessThan(5);
  }

  @Test
  void whatIsNeverAnsweredIsGivenUp() {
    writeFiles(1, 1000);
    VirtualFiles session = session(3, MILLI);
    session.answers = false;
    FileMix mix = bounded(FileMix.reading(new Loop.Closed(3), SECOND, 5), 60 * SECOND);
    FileLoadResult result = run(mix, session);
    assertThat(result.unanswered()).isEqualTo(3);
    assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
  }

  @Test
  void oneSeedGivesOneLoad() {
    writeFiles(3, 10_000);
    FileMix mix = FileMix.reading(new Loop.Closed(2), SECOND, 5);
    FileLoadResult first = run(mix, session(2, 3 * MILLI));
    FileLoadResult second = run(mix, session(2, 3 * MILLI));
    assertThat(second.latencies()).isEqualTo(first.latencies());
    assertThat(second.readBytes()).isEqualTo(first.readBytes());
  }

  @Test
  void whatCannotBeDoneIsRefused() {
    FileMix reading = FileMix.reading(new Loop.Closed(2), SECOND, 5);
    assertThatThrownBy(() -> run(reading, session(2, MILLI)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no file to read");
    writeFiles(1, 1000);
    assertThatThrownBy(() -> run(reading, session(1, MILLI)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("2 calls at once, and a session for 1");
    assertThatThrownBy(() -> new FileMix(Optional.empty(), Optional.empty(), -1, 0, 0, 1, 1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("neither reads nor writes")
        .hasMessageContaining("negative")
        .hasMessageContaining("duration");
    assertThatThrownBy(() -> streams(0, -1, 0, 0))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("streams 0")
        .hasMessageContaining("files of 0 bytes");
  }

  @Test
  void threadsCarryItInRealTime() throws InterruptedException {
    writeFiles(2, 10_000);
    FileMix mix = FileMix.both(new Loop.Closed(2), streams(2, 0, 10_000, 50), 60 * SECOND, 5);
    try (RealTimeScheduler real = new RealTimeScheduler("test-files");
        ThreadedFileSession session = new ThreadedFileSession(files, 4, "test-files")) {
      FileLoad load = FileLoad.start(cold(mix), catalog, session, real);
      // The streams end by themselves; the reads go on until they are stopped.
      org.awaitility.Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> catalog.files().size() == 102);
      load.stop();
      FileLoadResult result = load.await();
      assertThat(result.reason()).isEqualTo(EndReason.STOPPED);
      assertThat(result.allErrors()).isZero();
      assertThat(result.files()).isEqualTo(100);
      assertThat(result.writtenBytes()).isEqualTo(100 * 10_000);
      assertThat(result.errors()).isEqualTo(Map.of());
    }
  }
}
