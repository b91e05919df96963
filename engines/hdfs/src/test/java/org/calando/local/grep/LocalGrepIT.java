package org.calando.local.grep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.workload.PhraseText;
import org.calando.local.cache.ColdCache;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.hdfs.LocalHdfsNode;
import org.calando.local.process.RunFolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalGrepIT {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int FILES = 4;
  private static final int FILE_BYTES = 5_000_000;
  private static final int BLOCK_BYTES = 2 << 20;

  private final PhraseText[] texts = new PhraseText[FILES];
  private LocalHdfs cluster;
  private WebHdfs files;

  @TempDir Path folder;

  @BeforeAll
  void start() throws IOException, InterruptedException {
    cluster = LocalHdfs.start(LocalHdfsConfig.builder().nodes(2).build());
    files = new WebHdfs(cluster.nameNodeHttp());
    for (int i = 0; i < FILES; i++) {
      texts[i] = new PhraseText(42, i, FILE_BYTES);
      byte[] content = new byte[FILE_BYTES];
      texts[i].next(content);
      files.put("/data/" + (i % 2 == 0 ? "" : "below/") + "f" + i, content, BLOCK_BYTES);
    }
    files.put("/small/f", new byte[100], BLOCK_BYTES);
    files.put("/data/.hidden", new byte[] {'k', 'a'}, BLOCK_BYTES);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private GrepSpec grep(String pattern) {
    return GrepSpec.of(cluster.uri() + "/data", pattern).withDeadline(LONG);
  }

  @Test
  void findsWhatIsThere() throws IOException, InterruptedException {
    List<Path> disks = cluster.nodes().stream().map(LocalHdfsNode::dataFolder).toList();
    ColdCache.Outcome cold = ColdCache.drop(disks, false);
    assertThat(cold.bytes()).isGreaterThan((long) FILES * FILE_BYTES);
    String pattern = PhraseText.pattern(7);
    GrepResult result = LocalGrep.run(grep(pattern));
    long expected = Stream.of(texts).mapToLong(text -> text.matches(pattern)).sum();
    assertThat(expected).isPositive();
    assertThat(result.matches()).isEqualTo(expected);
    assertThat(result.bytes()).isEqualTo((long) FILES * FILE_BYTES);
    assertThat(result.startSeconds()).isPositive();
    assertThat(result.seconds()).isPositive();
    assertThat(files.list("/")).doesNotContain("tmp", "user", "found");
    assertThat(running()).isEmpty();
  }

  @Test
  void aPatternThatIsNowhereIsFoundNowhere() {
    GrepResult result =
        LocalGrep.run(GrepSpec.of(cluster.uri() + "/small", "qqq").withDeadline(LONG));
    assertThat(result.matches()).isZero();
  }

  @Test
  void wrongPatternsAndFoldersAreRefusedOrFail() {
    assertThatThrownBy(() -> grep("[a")).isInstanceOf(BadRequestException.class);
    GrepSpec nowhere = GrepSpec.of(cluster.uri() + "/nothing", "a").withDeadline(LONG);
    assertThatThrownBy(() -> LocalGrep.run(nowhere))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("ended with code 1")
        .hasMessageContaining("/nothing");
    assertThat(running()).isEmpty();
  }

  @Test
  void killedInTheMidstItLeavesNothing() throws Exception {
    CompletableFuture<GrepResult> run = start(grep("[aeiou]"));
    ProcessHandle process = awaitProcess(run);
    process.destroyForcibly();
    assertThat(run).failsWithin(LONG).withThrowableThat().withMessageContaining("ended with code");
    assertThat(process.isAlive()).isFalse();
    assertThat(running()).isEmpty();
    assertThat(files.list("/")).doesNotContain("tmp", "user", "found");
  }

  @Test
  void pastItsDeadlineItIsEnded() {
    GrepSpec spec = grep("[aeiou]").withDeadline(Duration.ofMillis(1));
    assertThatThrownBy(() -> LocalGrep.run(spec))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has not ended");
    assertThat(running()).isEmpty();
  }

  private static CompletableFuture<GrepResult> start(GrepSpec spec) {
    return CompletableFuture.supplyAsync(() -> LocalGrep.run(spec));
  }

  /** Waits for the run's process: recorded in its folder, whose name has our own number. */
  private static ProcessHandle awaitProcess(CompletableFuture<?> run) {
    return Awaitility.await()
        .atMost(LONG)
        .until(
            () -> {
              assertThat(run).isNotDone();
              return running().stream().flatMap(LocalGrepIT::process).findFirst();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static Stream<ProcessHandle> process(Path runFolder) {
    try {
      return Files.readAllLines(runFolder.resolve("children")).stream()
          .flatMap(line -> ProcessHandle.of(Long.parseLong(line.split(" ", 2)[0])).stream());
    } catch (IOException notYet) {
      return Stream.empty();
    }
  }

  private static List<Path> running() {
    String own = "grep-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> folders = Files.list(RunFolder.base())) {
      return folders.filter(path -> path.getFileName().toString().startsWith(own)).toList();
    } catch (IOException none) {
      return List.of();
    }
  }
}
