package org.calando.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.calando.core.store.FileStore.Shape;
import org.calando.core.time.RealTimeScheduler;
import org.calando.load.ArrivalProcess;
import org.calando.load.EndReason;
import org.calando.load.Loop;
import org.calando.load.RateProfile;
import org.calando.load.file.FileCatalog;
import org.calando.load.file.FileContent;
import org.calando.load.file.FileLoad;
import org.calando.load.file.FileLoadResult;
import org.calando.load.file.FileMeasure;
import org.calando.load.file.FileMix;
import org.calando.load.file.FileStreams;
import org.calando.load.file.KnownFile;
import org.calando.load.file.ThreadedFileSession;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Load on files of a real HDFS of two DataNodes. */
class FileLoadIT {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final int PIECE_BYTES = 256 << 10;
  private static final int FILE_BYTES = 3_000_000;
  private static final int FILES_EACH = 4;
  private static final Shape TWICE = new Shape(2, 1 << 20);

  private static LocalHdfs local;
  private static HdfsCluster cluster;
  private static HdfsFiles files;

  @BeforeAll
  static void start() {
    local = LocalHdfs.start(LocalHdfsConfig.builder().nodes(2).build());
    cluster =
        HdfsCluster.open(
            HdfsAccess.of(local.uri())
                .http(local.nameNodeHttp())
                .hostsFile(local.hostsFile())
                .answerWithin(LONG)
                .build());
    files = HdfsFiles.open(cluster, "/calando");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
    if (local != null) {
      local.close();
    }
  }

  private static KnownFile old(String path) {
    FileContent.Source content = FileContent.phrases(1).begin(0, FILE_BYTES);
    return KnownFile.write(files, path, TWICE, content, PIECE_BYTES);
  }

  private static FileStreams streams() {
    FileContent content = FileContent.phrases(2);
    return new FileStreams(2, 0, FILE_BYTES, PIECE_BYTES, FILES_EACH, TWICE, "new", content);
  }

  @Test
  void whatStreamsWriteIsReadAsItWasWritten() throws InterruptedException {
    FileCatalog catalog = new FileCatalog();
    catalog.add(old("old/closed"));
    FileMix mix =
        new FileMix(
            Optional.of(new Loop.Closed(2)),
            Optional.of(streams()),
            0,
            TimeUnit.MINUTES.toNanos(5),
            TimeUnit.SECONDS.toNanos(30),
            TimeUnit.SECONDS.toNanos(30),
            3);
    try (RealTimeScheduler scheduler = new RealTimeScheduler("file-load");
        ThreadedFileSession session = new ThreadedFileSession(files, mix.slots(), "file-load")) {
      FileLoad load = FileLoad.start(mix, catalog, session, scheduler);
      Awaitility.await().atMost(LONG).until(() -> catalog.files().size() == 1 + 2 * FILES_EACH);
      load.stop();
      FileLoadResult result = load.await();
      assertThat(result.firstError()).isEmpty();
      assertThat(result.allErrors()).isZero();
      assertThat(result.unanswered()).isZero();
      assertThat(result.count(FileMeasure.READ)).isPositive();
      assertThat(result.writtenBytes()).isEqualTo(2L * FILES_EACH * FILE_BYTES);
    }
    assertThat(files.list("new")).hasSize(2 * FILES_EACH).allMatch(f -> f.bytes() == FILE_BYTES);
  }

  @Test
  void openLoopReadsGoOnWithoutOneOfTwoNodes() throws InterruptedException {
    FileCatalog catalog = new FileCatalog();
    catalog.add(old("old/open"));
    local.kill(2);
    Loop.Open loop = new Loop.Open(ArrivalProcess.even(RateProfile.constant(20)), 4, 1);
    FileMix mix = FileMix.reading(loop, TimeUnit.SECONDS.toNanos(3), 3);
    try (RealTimeScheduler scheduler = new RealTimeScheduler("file-load");
        ThreadedFileSession session = new ThreadedFileSession(files, mix.slots(), "file-load")) {
      FileLoadResult result = FileLoad.start(mix, catalog, session, scheduler).await();
      assertThat(result.reason()).isEqualTo(EndReason.DURATION_OVER);
      assertThat(result.firstError()).isEmpty();
      long reads = result.count(FileMeasure.READ);
      assertThat(reads).isPositive();
      assertThat(reads + result.unanswered() + result.backlog().neverStarted()).isEqualTo(60);
    } finally {
      local.launch(2);
      Awaitility.await().atMost(LONG).until(() -> local.isUp(2));
    }
  }
}
