package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.calando.toy.OperatedGovernor.Told;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The audit of random calls equals what was done, though the governor is killed meanwhile. */
@Timeout(480)
class GovernorAuditTest {
  private static final int CALLS = 1000;
  private static final int KILLS = 4;
  private static final int WITHOUT_RIGHT = 40;
  private static final List<String> CLUSTERS = List.of("shop", "cart");
  private static final String FILE =
      """
      clusters:
        - {name: shop, engine: redis, period: 1s, control: [{dial: 2}],
           inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
        - {name: cart, engine: cassandra, rf: 1, period: 1s, promise: {copies: 2},
           inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
      listen: 127.0.0.1:0
      token-file: tokens
      """;

  @TempDir Path folder;

  /** A call, and what of the cluster it is. */
  private record Call(String path, String body) {}

  private static Call call(Random random) {
    String cluster = CLUSTERS.get(random.nextInt(CLUSTERS.size()));
    String begin = "/api/v1/clusters/" + cluster;
    String until =
        random.nextBoolean() ? ", \"until\": \"" + (1 + random.nextInt(100)) + "h\"" : "";
    String common =
        "{\"reason\": \"call "
            + random.nextInt(1000)
            + "\", \"dry_run\": "
            + (random.nextInt(5) == 0);
    return switch (random.nextInt(6)) {
      case 0 -> new Call(begin + "/pause", common + until + "}");
      case 1 -> new Call(begin + "/resume", common + "}");
      case 2, 3 ->
          new Call(
              begin + "/knobs/dial/hold",
              common + ", \"value\": " + random.nextInt(11) + ", \"until\": \"2h\"}");
      case 4 -> new Call(begin + "/knobs/dial/resume", common + "}");
      default ->
          new Call(
              begin + "/promise",
              common
                  + ", \"promise\": \"copies\", \"limit\": "
                  + (random.nextInt(4) == 0 ? "null" : String.valueOf(1 + random.nextInt(5)))
                  + until
                  + "}");
    };
  }

  /** What of a cluster is ordered, by what it is ordered of, as the audit's lines have it. */
  private static Map<String, JsonNode> replayed(List<JsonNode> audit) {
    Map<String, JsonNode> ordered = new HashMap<>();
    for (JsonNode line : audit) {
      if (line.path("outcome").asText().equals("done")) {
        String of = line.path("what").asText().replaceFirst("^(hold|resume|pause) ?", "");
        String key = line.path("cluster").asText() + " " + of;
        JsonNode after = line.path("after");
        ordered.put(
            key,
            after.has("paused")
                ? after.path("paused")
                : after.has("held") ? after.path("held") : after.path("limit"));
      }
    }
    return ordered;
  }

  private static List<JsonNode> audit(String address) {
    List<JsonNode> all = new ArrayList<>();
    int found;
    long after = 0;
    do {
      JsonNode some =
          OperatedGovernor.get(address, "/api/v1/audit?limit=300&after=" + after).body();
      some.forEach(all::add);
      found = some.size();
      after = found == 0 ? after : some.get(found - 1).path("id").asLong();
    } while (found > 0);
    return all;
  }

  @Test
  void theAuditOfAThousandRandomCallsEqualsWhatWasDone() throws Exception {
    long seed = Long.getLong("calando.seed", new Random().nextLong());
    Random random = new Random(seed);
    System.out.println("seed " + seed);
    Files.writeString(folder.resolve("dial"), "1\n");
    Files.writeString(folder.resolve("govern.yaml"), FILE);
    Map<String, String> done = new HashMap<>();
    int refused = 0;
    int cut = 0;
    GovernedProcess governor = GovernedProcess.start(folder);
    try {
      for (int i = 1; i <= CALLS; i++) {
        Call call = call(random);
        if (i % (CALLS / WITHOUT_RIGHT) == 0) {
          Told told =
              OperatedGovernor.post(
                  governor.address(),
                  call.path(),
                  call.body(),
                  random.nextBoolean() ? Optional.empty() : Optional.of(OperatedGovernor.VIEWER),
                  more -> {});
          assertThat(told.status()).as("seed %d", seed).isIn(401, 403);
          refused++;
        } else if (i % (CALLS / KILLS) == CALLS / KILLS - 1) {
          String address = governor.address();
          CompletableFuture<Void> under =
              CompletableFuture.runAsync(
                  () -> {
                    try {
                      note(OperatedGovernor.post(address, call.path(), call.body()), done);
                    } catch (UncheckedIOException e) {
                      // It was cut off.
                    }
                  });
          // Some are not begun then, some are under way, and some are done.
          long nanos = System.nanoTime() + random.nextInt(15_000_000);
          while (System.nanoTime() < nanos) {
            Thread.onSpinWait();
          }
          governor.kill();
          under.join();
          cut++;
          governor = GovernedProcess.start(folder);
        } else {
          note(OperatedGovernor.post(governor.address(), call.path(), call.body()), done);
        }
      }
      List<JsonNode> audit = audit(governor.address());
      assertThat(audit).as("seed %d", seed).extracting(line -> line.path("id").asLong()).isSorted();
      Map<String, String> told = new HashMap<>();
      audit.stream()
          .filter(line -> line.path("outcome").asText().equals("done"))
          .forEach(line -> told.put(line.path("request").asText(), line.path("what").asText()));
      assertThat(told).as("seed %d: each call that was answered", seed).containsAllEntriesOf(done);
      assertThat(told.size() - done.size())
          .as("seed %d: those that were cut off after they were done", seed)
          .isBetween(0, cut);
      assertThat(audit)
          .as("seed %d", seed)
          .filteredOn(line -> line.path("outcome").asText().startsWith("refused: "))
          .hasSize(refused);
      assertThat(audit)
          .as("seed %d: of each it is said what came of it", seed)
          .allMatch(line -> line.path("outcome").isTextual());
      requireInForce(governor.address(), replayed(audit), seed);
      assertThat(done.size()).as("seed %d", seed).isGreaterThan(CALLS / 10);
    } finally {
      governor.close();
    }
  }

  private static void note(Told told, Map<String, String> done) {
    if (told.status() == 200 && !told.body().path("dry_run").asBoolean(true)) {
      done.put(told.body().path("request").asText(), told.body().path("what").asText());
    }
    assertThat(told.status()).as(told.body().toString()).isIn(200, 404, 409, 422);
  }

  private void requireInForce(String address, Map<String, JsonNode> ordered, long seed)
      throws IOException {
    for (String cluster : CLUSTERS) {
      JsonNode state = OperatedGovernor.get(address, "/api/v1/clusters/" + cluster).body();
      requireSame(ordered.get(cluster + " "), state.path("paused"), seed);
    }
    JsonNode shop = OperatedGovernor.get(address, "/api/v1/clusters/shop").body();
    requireSame(ordered.get("shop dial"), shop.at("/knobs/0/held"), seed);
    JsonNode cart = OperatedGovernor.get(address, "/api/v1/clusters/cart").body();
    JsonNode limit = ordered.get("cart promise copies");
    assertThat(cart.at("/promises/states/0/limit").asDouble())
        .as("seed %d", seed)
        .isEqualTo(limit == null ? 2 : limit.asDouble());
    assertThat(Files.readString(folder.resolve("govern.yaml"))).isEqualTo(FILE);
  }

  private static void requireSame(JsonNode ordered, JsonNode inForce, long seed) {
    boolean isThere = ordered != null && ordered.isObject();
    assertThat(inForce.isObject()).as("seed %d: %s", seed, inForce).isEqualTo(isThere);
    if (isThere) {
      for (String key : List.of("since", "until", "who", "reason")) {
        assertThat(inForce.path(key)).as("seed %d: %s", seed, key).isEqualTo(ordered.path(key));
      }
    }
  }
}
