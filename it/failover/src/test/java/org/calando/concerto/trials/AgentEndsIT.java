package org.calando.concerto.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.calando.agent.AgentClocks;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Agents and governors as processes that are killed, or stopped for longer than a lease lasts. */
class AgentEndsIT {
  private static final Duration LONG = Duration.ofSeconds(90);

  @TempDir Path folder;

  private FakeClocks clocks;
  private Map<String, String> before;
  private AgentProcess agent;

  @BeforeEach
  void start() {
    clocks = new FakeClocks(folder.resolve("cpu"), 1);
    before = clocks.restorable();
    agent = AgentProcess.start("agent", folder, clocks, 0);
  }

  @AfterEach
  void end() {
    agent.close();
    assertThat(clocks.restorable()).isEqualTo(before);
  }

  private AgentClocks take(String holder) {
    return AgentClocks.take(
        "trial", holder, List.of(agent.node("n1", 0)), folder.resolve("another"));
  }

  private void awaitRestored() {
    await().atMost(LONG).until(() -> clocks.restorable().equals(before));
  }

  private JavaProcess holder() throws IOException {
    Path held = folder.resolve("held");
    Files.deleteIfExists(held);
    Path own = folder.resolve("holder");
    JavaProcess holder =
        JavaProcess.start(
            own,
            JavaProcess.SMALL,
            List.of(
                HolderMain.class.getName(),
                "http://127.0.0.1:" + agent.port(),
                own.toString(),
                held.toString()),
            Map.of());
    assertThat(holder.awaitFile(held)).isEqualTo("true");
    assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.SLOWEST);
    return holder;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aKilledAgentsGuardRestoresAndAnotherIsAsWantedAgain() {
    try (AgentClocks held = take("a governor")) {
      await().atMost(LONG).until(() -> held.set("n1", FakeClocks.SLOWEST).ok());
      int port = agent.port();
      agent.signal("KILL");
      awaitRestored();
      agent = AgentProcess.start("agent", folder, clocks, port);
      await().atMost(LONG).until(() -> held.set("n1", FakeClocks.SLOWEST).ok());
      assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.SLOWEST);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void anAgentThatWasStoppedForLongGoesOnWithItsGovernor() {
    try (AgentClocks held = take("a governor")) {
      await().atMost(LONG).until(() -> held.set("n1", FakeClocks.SLOWEST).ok());
      agent.signal("STOP");
      await().atMost(LONG).until(() -> !held.problems().isEmpty());
      long since = System.nanoTime();
      await().atMost(LONG).until(() -> System.nanoTime() - since > 11_000_000_000L);
      agent.signal("CONT");
      await().atMost(LONG).until(() -> held.problems().isEmpty());
      await().atMost(LONG).until(() -> held.set("n1", FakeClocks.SLOWEST).ok());
      assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.SLOWEST);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aKilledGovernorsClocksAreRestoredAndTheNextWaitsForThat() throws IOException {
    JavaProcess killed = holder();
    killed.kill();
    try (AgentClocks next = take("the next")) {
      assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.FASTEST);
      assertThat(next.problems()).isEmpty();
    }
  }

  /** The lease of its former self lasts for ten seconds, within five of which it has to resume. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aKilledGovernorThatStartsAgainTakesItsLeaseOverAtOnce() throws Exception {
    JavaProcess killed = holder();
    killed.kill();
    JavaProcess again = holder();
    try {
      assertThat(Files.readString(folder.resolve("agent/said.txt")))
          .contains("is taken over by the first governor, started again")
          .doesNotContain("no word for");
      assertThatThrownBy(() -> take("the second"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("held by the first governor, number 2");
    } finally {
      again.kill();
    }
    awaitRestored();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void aGovernorThatWasCutOffIsRefusedAsItsNumberIsOlder() throws IOException {
    JavaProcess first = holder();
    try {
      assertThatThrownBy(() -> take("the second"))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("held by the first governor, number 1");
      assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.SLOWEST);
      first.signal("STOP");
      awaitRestored();
      try (AgentClocks second = take("the second")) {
        first.signal("CONT");
        // Several renewals of the first.
        long since = System.nanoTime();
        await()
            .atMost(LONG)
            .until(
                () -> {
                  assertThat(clocks.kiloHertz(0)).isEqualTo(FakeClocks.FASTEST);
                  return System.nanoTime() - since > 5_000_000_000L;
                });
        assertThat(second.problems()).isEmpty();
      }
    } finally {
      first.kill();
    }
  }
}
