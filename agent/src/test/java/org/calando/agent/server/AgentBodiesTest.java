package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.agent.AgentWire;
import org.calando.agent.toy.ToyLimit;
import org.calando.clock.FakeTree;
import org.calando.clock.MemoryFolder;
import org.calando.http.HttpPeer;
import org.calando.power.jmx.JmxSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a body says, the agent tells its client what is wrong, and does not fail. */
@Timeout(180)
class AgentBodiesTest {
  private static final int TRIES = 3;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Stands for what is put in place of a value, which need not be JSON. */
  private static final String HERE = "here";

  private static final String DEEP = "[".repeat(20_000) + "]".repeat(20_000);
  private static final String DEEP_OBJECT = "{\"a\":".repeat(9_000) + "1" + "}".repeat(9_000);

  /** In place of each value of a body that is right. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e400",
          "1e-400",
          "-9223372036854775809",
          "9223372036854775807",
          "NaN",
          "9".repeat(5_000),
          "\"\"",
          "\"x\"",
          "\" \\n\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"" + "x".repeat(50_000) + "\"",
          "\"0-65535\"",
          "\"0-9999999999\"",
          "[]",
          "[null]",
          "[[]]",
          "{}",
          "{\"\":null}",
          "{\"x\":null}",
          "{\"x\":{}}",
          "{\"x\":{\"x\":null}}",
          DEEP,
          DEEP_OBJECT);

  private static final String NODES =
      "{\"holder\":\"h\",\"id\":\"own/1\",\"fence\":1,\"number\":1,\"nodes\":{\"n\":{\"cpus\":\"0\",\"kiloHertz\":"
          + FakeTree.MIN
          + ",\"pid\":1,\"threads\":[{\"name\":\"io\",\"cpus\":\"0\"}]}}}";
  private static final String KNOBS =
      "{\"holder\":\"h\",\"id\":\"own/1\",\"fence\":1,\"number\":1,\"knobs\":{\"database\":{\"toy-limit\":\"16\"}}}";
  private static final String RELEASE = "{\"id\":\"own/1\",\"fence\":1}";
  private static final String ORDER = "{\"order\":\"ON\",\"id\":\"me\",\"fence\":1}";

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private FakeAgent agent;
  private HttpPeer peer;
  private Map<String, String> before;
  private int leases;

  @BeforeEach
  void anAgent() throws Exception {
    ToyLimit.LIMITS.put("127.0.0.1:1", 48);
    Path service = Files.writeString(folder.resolve("service"), "up");
    agent =
        FakeAgent.of(
            folder,
            1,
            new AgentServer.Offers(
                folder.resolve("powercap"),
                Optional.empty(),
                Map.of("database", AgentOffersTest.writes(service)),
                Map.of("database", new JmxSource("127.0.0.1", 1, Optional.empty()))));
    peer = new HttpPeer(agent.address(), HttpPeer.Access.NONE);
    before = agent.machine.tree.saved();
  }

  @AfterEach
  void end() {
    agent.close();
    assertThat(agent.machine.tree.saved()).isEqualTo(before);
    assertThat(ToyLimit.LIMITS.get("127.0.0.1:1")).isEqualTo(48);
    assertThat(folder.resolve("service")).hasContent("up");
  }

  /** Asks again where an agent ends its connection in the moment in which it is used again. */
  private HttpResponse<String> ask(String method, String path, byte[] body) {
    HttpRequest.BodyPublisher bytes = HttpRequest.BodyPublishers.ofByteArray(body);
    HttpRequest request = peer.request(path, LONG).method(method, bytes).build();
    for (int tries = 1; ; tries++) {
      try {
        return peer.ask(request).join();
      } catch (CompletionException e) {
        if (tries == TRIES || !(e.getCause() instanceof IOException)) {
          throw e;
        }
      }
    }
  }

  private int ask(String method, String path, String body) {
    HttpResponse<String> answer = ask(method, path, body.getBytes(StandardCharsets.UTF_8));
    assertThat(answer.statusCode())
        .as("%s %s %.200s: %s", method, path, body, answer.body())
        .isLessThan(500);
    return answer.statusCode();
  }

  /** A body that is right, with another value at each place in turn. */
  private static List<String> others(String right) throws Exception {
    List<String> pointers = new ArrayList<>();
    pointers(JSON.readTree(right), "", pointers);
    List<String> others = new ArrayList<>(VALUES);
    for (String pointer : pointers) {
      JsonNode tree = JSON.readTree(right);
      int slash = pointer.lastIndexOf('/');
      JsonNode parent = tree.at(pointer.substring(0, slash));
      String name = pointer.substring(slash + 1);
      if (parent instanceof ObjectNode object) {
        object.set(name, new TextNode(HERE));
      } else {
        ((ArrayNode) parent).set(Integer.parseInt(name), new TextNode(HERE));
      }
      VALUES.forEach(value -> others.add(tree.toString().replace("\"" + HERE + "\"", value)));
    }
    return others;
  }

  private static void pointers(JsonNode of, String at, List<String> all) {
    if (!at.isEmpty()) {
      all.add(at);
    }
    of.fieldNames().forEachRemaining(name -> pointers(of.get(name), at + "/" + name, all));
    for (int i = 0; of.isArray() && i < of.size(); i++) {
      pointers(of.get(i), at + "/" + i, all);
    }
  }

  /** Each has a lease of its own, which is given back. */
  private void leased(String right) throws Exception {
    for (String body : others(right)) {
      String path = "/v1/leases/shop" + leases++;
      ask("PUT", path, body);
      String id =
          AgentWire.read(ask("GET", path, new byte[0]).body(), AgentWire.LeaseState.class).id();
      assertThat(ask("DELETE", path, AgentWire.text(new AgentWire.Release(id, 1)))).isEqualTo(200);
    }
    assertThat(ask("PUT", "/v1/leases/right", right)).isEqualTo(200);
  }

  @Test
  void leasesOfProcessorsAreAnsweredWhateverTheBodySays() throws Exception {
    leased(NODES);
  }

  /** Each list of processors takes a kilobyte of an agent's 32 MB. */
  @Test
  void aRequestOfTooManyNodesOrRulesIsRefused() {
    String node = "\"n%d\":{\"cpus\":\"0\"}";
    String rule = "{\"name\":\"a\",\"cpus\":\"8191\"}";
    String nodes =
        IntStream.range(0, 257).mapToObj(node::formatted).collect(Collectors.joining(","));
    String rules = String.join(",", Collections.nCopies(1025, rule));
    for (String wrong :
        List.of(nodes, "\"n\":{\"cpus\":\"0\",\"pid\":1,\"threads\":[" + rules + "]}")) {
      String body =
          "{\"holder\":\"h\",\"id\":\"own/1\",\"fence\":1,\"number\":1,\"nodes\":{" + wrong + "}}";
      HttpResponse<String> answer =
          ask("PUT", "/v1/leases/shop", body.getBytes(StandardCharsets.UTF_8));
      assertThat(answer.statusCode()).isEqualTo(409);
      assertThat(answer.body()).contains("has more than 256 nodes or 1024 rules");
    }
  }

  /** It would be a line of the log, and of a note that says how a knob was. */
  @Test
  void aHolderOfSeveralLinesIsRefused() {
    for (String holder : List.of("a\\nb", "\\u0000", "\\ud800", "", "\\u0085", "x".repeat(1001))) {
      String body = NODES.replace("\"holder\":\"h\"", "\"holder\":\"" + holder + "\"");
      assertThat(ask("PUT", "/v1/leases/shop", body)).as(holder).isEqualTo(409);
    }
    for (String id : List.of("a b", "\\n", "\u00e4", "", "x".repeat(201))) {
      String body = NODES.replace("own/1", id);
      assertThat(ask("PUT", "/v1/leases/shop", body)).as(id).isEqualTo(409);
      String order = ORDER.replace("\"me\"", "\"" + id + "\"");
      assertThat(ask("PUT", "/v1/switches/database", order)).as(id).isEqualTo(409);
    }
    assertThat(agent.news).isEmpty();
  }

  @Test
  void leasesOfKnobsAreAnsweredWhateverTheBodySays() throws Exception {
    leased(KNOBS);
  }

  @Test
  void leasesThatAreGivenBackAreAnsweredWhateverTheBodySays() throws Exception {
    assertThat(ask("PUT", "/v1/leases/shop", NODES)).isEqualTo(200);
    for (String body : others(RELEASE)) {
      ask("DELETE", "/v1/leases/shop", body);
    }
    assertThat(ask("DELETE", "/v1/leases/shop", RELEASE)).isEqualTo(200);
  }

  @Test
  void ordersAreAnsweredWhateverTheBodySays() throws Exception {
    for (String body : others(ORDER)) {
      ask("PUT", "/v1/switches/database", body);
      ask("PUT", "/v1/switches/none", body);
    }
  }

  @Test
  void whatIsNoTextIsRefusedOnEachPath() {
    List<byte[]> bodies = new ArrayList<>();
    for (String text :
        List.of("", " ", "{", "{\"id\":", "{}x", "\u0000", "NaN", "'x'", "{'id':1}")) {
      bodies.add(text.getBytes(StandardCharsets.UTF_8));
    }
    for (String right : List.of(NODES, KNOBS, RELEASE, ORDER)) {
      bodies.add(right.getBytes(StandardCharsets.UTF_16));
      byte[] wrong =
          right
              .replace("own", "\u00f6wn")
              .replace("me", "\u00f6")
              .getBytes(StandardCharsets.ISO_8859_1);
      bodies.add(wrong);
      bodies.add((right + right).getBytes(StandardCharsets.UTF_8));
      bodies.add(right.substring(0, right.length() - 1).getBytes(StandardCharsets.UTF_8));
    }
    for (String path :
        List.of(
            "/v1/leases/shop",
            "/v1/leases/",
            "/v1/leases",
            "/v1/leases/a%2Fb",
            "/v1/leases/%00",
            "/v1/leases/..",
            "/v1/switches/database",
            "/v1/switches/",
            "/v1/switches/%2e%2e",
            "/v1/knobs/database/toy-limit",
            "/v1/jmx/database/a:b=c/d",
            "/v1/clocks",
            "/v1/power",
            "/healthz",
            "/")) {
      for (String method : List.of("PUT", "DELETE", "POST", "PATCH")) {
        for (byte[] body : bodies) {
          HttpResponse<String> answer = ask(method, path, body);
          assertThat(answer.statusCode())
              .as(
                  "%s %s %s: %s",
                  method, path, new String(body, StandardCharsets.UTF_8), answer.body())
              .isBetween(path.equals("/healthz") ? 200 : 400, 499);
        }
      }
    }
  }
}
