package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.agent.AgentWire.NodeWish;
import org.calando.clock.FakeTree;
import org.calando.clock.MemoryFolder;
import org.calando.http.HttpPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an agent answers to requests that are made by hand. */
@Timeout(60)
class AgentLeaseTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeAgent agent;
  private HttpPeer peer;
  private Map<String, String> before;

  @BeforeEach
  void aMachine() {
    agent = FakeAgent.of(folder, 2);
    peer = new HttpPeer(agent.address(), HttpPeer.Access.NONE);
    before = agent.machine.tree.saved();
  }

  @AfterEach
  void end() {
    agent.close();
    assertThat(agent.machine.tree.saved()).isEqualTo(before);
  }

  private CompletableFuture<HttpResponse<String>> ask(String method, String path, String body) {
    HttpRequest.BodyPublisher text = HttpRequest.BodyPublishers.ofString(body);
    return peer.ask(peer.request(path, LONG).method(method, text).build());
  }

  private CompletableFuture<HttpResponse<String>> wanted(
      String lease, String id, long fence, long number, int cpu) {
    return ask(
        "PUT",
        "/v1/leases/" + lease,
        AgentWire.text(
            new LeaseRequest(
                "the governor " + id,
                id,
                fence,
                number,
                Map.of("n", new NodeWish("" + cpu, FakeTree.MIN, 0, List.of())),
                Map.of())));
  }

  private HttpResponse<String> want(String id, long fence, long number) {
    return wanted("shop", id, fence, number, 0).join();
  }

  private LeaseState state() {
    return AgentWire.read(ask("GET", "/v1/leases/shop", "").join().body(), LeaseState.class);
  }

  @Test
  void aGovernorThatStartedAgainTakesItsOwnLeaseOverAndNobodyElseDoes() {
    assertThat(want("own/1", 1, 7).statusCode()).isEqualTo(200);
    assertThat(want("others/1", 2, 1).body()).contains("it is held by the governor own/1");
    assertThat(want("own/2", 1, 1).statusCode()).as("its number is no higher").isEqualTo(409);
    int writes = agent.machine.kernel.writes.size();
    assertThat(want("own/2", 2, 1).statusCode()).isEqualTo(200);
    assertThat(agent.machine.kernel.writes).as("the clock stays").hasSize(writes);
    assertThat(state().id()).isEqualTo("own/2");
    assertThat(want("own/1", 1, 8).body()).contains("it is held by the governor own/2");
    assertThat(want("own/2", 2, 2).statusCode()).isEqualTo(200);
    assertThat(agent.news).anyMatch(line -> line.contains("is taken over by the governor own/2"));
  }

  @Test
  void aGovernorThatStartedAgainWithOtherProcessorsHasThese() {
    assertThat(wanted("shop", "own/1", 1, 1, 0).join().statusCode()).isEqualTo(200);
    assertThat(wanted("shop", "own/2", 2, 1, 1).join().statusCode()).isEqualTo(200);
    assertThat(agent.kiloHertz(1)).isEqualTo(FakeTree.MIN);
    assertThat(agent.news).anyMatch(line -> line.contains("0 are restored: its governor started"));
  }

  /** There are 22 threads that answer. */
  @Test
  void aWriteThatTakesLongKeepsNoOtherRequestWaiting() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    agent.beforeTaking =
        () -> {
          begun.countDown();
          try {
            slow.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    CompletableFuture<HttpResponse<String>> first = wanted("shop", "own/1", 1, 1, 0);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    agent.beforeTaking = () -> {};
    List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      others.add(wanted("shop", "own/1", 1, 2 + i, 0));
    }
    for (CompletableFuture<HttpResponse<String>> other : others) {
      assertThat(other.join().statusCode()).isEqualTo(503);
      assertThat(other.join().body()).contains("is busy with another request");
    }
    assertThat(wanted("other", "own/1", 1, 1, 1).join().statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/v1/leases", "").join().statusCode()).isEqualTo(200);
    assertThat(first).isNotDone();
    slow.countDown();
    assertThat(first.join().statusCode()).isEqualTo(200);
    assertThat(agent.kiloHertz(0)).isEqualTo(FakeTree.MIN);
  }

  @Test
  void whatCannotBeRestoredIsRestoredAsSoonAsThatIsPossible() {
    assertThat(want("own/1", 1, 1).statusCode()).isEqualTo(200);
    agent.machine.kernel.refuse.add("policy0/scaling_governor");
    agent.nanos.addAndGet(11 * SECOND);
    await()
        .atMost(LONG)
        .until(() -> agent.news.stream().anyMatch(line -> line.contains("not everything is")));
    agent.nanos.addAndGet(2 * SECOND);
    await()
        .atMost(LONG)
        .until(() -> agent.news.stream().anyMatch(line -> line.contains("which is tried again")));
    assertThat(agent.machine.tree.saved()).isNotEqualTo(before);
    agent.machine.kernel.refuse.clear();
    agent.nanos.addAndGet(3 * SECOND);
    await().atMost(LONG).until(() -> agent.machine.tree.saved().equals(before));
    await().atMost(LONG).until(() -> agent.news.contains("the remaining knobs are restored"));
  }

  /** Studies name theirs after what they lease: there are ever new ones. */
  @Test
  void namesThatNobodyHasMakeRoom() {
    for (int i = 0; i < 12; i++) {
      assertThat(ask("PUT", "/v1/leases/wrong" + i, "{").join().statusCode()).isEqualTo(400);
      assertThat(wanted("study" + i, "own/1", 1, 1, 0).join().statusCode()).isEqualTo(200);
      assertThat(
              ask(
                      "DELETE",
                      "/v1/leases/study" + i,
                      AgentWire.text(new AgentWire.Release("own/1", 1)))
                  .join()
                  .statusCode())
          .isEqualTo(200);
    }
    assertThat(want("own/1", Long.MAX_VALUE, 1).statusCode())
        .as("nobody could show a higher number")
        .isEqualTo(409);
    assertThat(want("own/1", 1, 1).statusCode()).isEqualTo(200);
  }

  @Test
  void aRuleWithoutANameIsRefusedBeforeAnythingIsSet() {
    String rule =
        "{\"holder\":\"h\",\"id\":\"own/1\",\"fence\":1,\"number\":1,\"nodes\":{\"n\":{\"cpus\":\"0\",\"pid\":1,\"threads\":[%s]}}}";
    for (String wrong : List.of("{\"cpus\":\"0\"}", "{\"name\":\"a\"}", "null")) {
      HttpResponse<String> answer = ask("PUT", "/v1/leases/shop", rule.formatted(wrong)).join();
      assertThat(answer.statusCode()).as(answer.body()).isBetween(400, 409);
    }
    assertThat(state().held()).isFalse();
    assertThat(agent.machine.tree.saved()).isEqualTo(before);
  }
}
