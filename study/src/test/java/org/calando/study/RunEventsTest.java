package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.calando.core.FailedWorkException;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.engine.NodePresence;
import org.calando.report.column.RunRecord;
import org.calando.study.event.ClusterWatch;
import org.calando.study.event.EventScript;
import org.calando.studyfile.EventSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunEventsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3600 * SECOND;
  private static final LinkDelay NONE = LinkDelay.uniform(0);

  @TempDir Path folder;
  private final Queue<String> calls = new ConcurrentLinkedQueue<>();
  private final ClusterWatch cluster = new ClusterWatch();
  private final RealTimeScheduler scheduler = new RealTimeScheduler("events");
  private final Links control = new Links();

  @AfterEach
  void endScheduler() {
    scheduler.close();
  }

  @Test
  void eventsBeginWithTheWindowAndTheFileIsWrittenAtTheEnd() throws Exception {
    try (RunFiles files = RunFiles.open(folder)) {
      try (RunEvents events = events(files, links(0, 50))) {
        assertThat(calls).isEmpty();
        begin(events);
        await().until(() -> !calls.isEmpty());
        assertThat(failure(events)).isEmpty();
      }
      assertThat(calls).containsExactly("delay 50ms");
      assertThat(cluster.failure()).isEmpty();
      assertThat(Files.readString(folder.resolve("events.csv")))
          .matches("second,event\n\\d+\\.\\d{3},link delay 0ms -> 50ms\n");
    }
  }

  @Test
  void anEventThatTheRunDidNotReachFailsIt() throws Exception {
    try (RunFiles files = RunFiles.open(folder);
        RunEvents events = events(files, links(HOUR, 50))) {
      begin(events);
      assertThat(failure(events)).contains("link-delay 50ms at 1h").contains("not carried out");
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void anEventThatFailsFailsTheRunAndTheOthersAreLeftOut() throws Exception {
    control.failure = new FailedWorkException("the relay is gone", "relay", "");
    try (RunFiles files = RunFiles.open(folder);
        RunEvents events = events(files, links(0, 50), links(0, 60))) {
      begin(events);
      await().until(() -> cluster.failure().isPresent());
      events.end();
      assertThat(cluster.failure().orElseThrow())
          .contains("link-delay 50ms at 0ms")
          .contains("the relay is gone");
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void aRunThatEndsBeforeItsWindowLeavesAFileWithoutEvents() throws Exception {
    try (RunFiles files = RunFiles.open(folder)) {
      RunEvents events = events(files, links(0, 50));
      events.close();
      begin(events);
      assertThat(Files.readString(folder.resolve("events.csv"))).isEqualTo("second,event\n");
    }
    assertThat(calls).isEmpty();
  }

  @Test
  void stepsOfTheRateStandAmongTheEventsIfTheyFallIntoTheWindow() throws Exception {
    List<RateSteps.Change> rate =
        List.of(
            new RateSteps.Change(-SECOND, "before"),
            new RateSteps.Change(SECOND, "rate 200/s -> 500/s"),
            new RateSteps.Change(9 * SECOND, "after"));
    try (RunFiles files = RunFiles.open(folder);
        RunEvents events = new RunEvents(null, rate, scheduler, cluster, files)) {
      long begun = System.nanoTime();
      events.loadBegins(begun);
      events.measurementBegan(begun);
      events.measurementEnded(begun + 5 * SECOND);
    }
    assertThat(Files.readString(folder.resolve("events.csv")))
        .matches("second,event\n1\\.000,rate 200/s -> 500/s\n");
  }

  private RunEvents events(RunFiles files, EventSpec... events) {
    EventScript script =
        new EventScript(List.of(events), NONE, control, NodePresence.IGNORED, System::nanoTime);
    return new RunEvents(script, List.of(), scheduler, cluster, files);
  }

  private static String failure(RunEvents events) throws InterruptedException {
    RunRecord found = new RunRecord();
    events.end();
    events.record(found);
    return String.join("; ", found.notes());
  }

  private static void begin(RunEvents events) {
    events.measurementBegan(System.nanoTime());
  }

  private static EventSpec links(long atNanos, long millis) {
    return new EventSpec(atNanos, new EventSpec.Links(LinkDelay.uniform(millis * 1_000_000)));
  }

  /** A cluster whose links only are asked to change. */
  private final class Links implements ClusterControl {
    volatile FailedWorkException failure;

    @Override
    public void delayLinks(LinkDelay delay) {
      if (failure != null) {
        throw failure;
      }
      calls.add("delay " + delay.label());
    }

    @Override
    public void kill(String node) {
      throw new AssertionError(node);
    }

    @Override
    public void stop(String node) {
      throw new AssertionError(node);
    }

    @Override
    public void start(String node) {
      throw new AssertionError(node);
    }

    @Override
    public boolean takesRequests(String node) {
      return false;
    }

    @Override
    public long pid(String node) {
      return 0;
    }
  }
}
