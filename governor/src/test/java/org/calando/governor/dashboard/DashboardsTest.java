package org.calando.governor.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DashboardsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern NAMES = Pattern.compile("\\b(?:calando|process)_[a-z0-9_]+");
  private static final Pattern DECLARED = Pattern.compile("\"((?:calando|process)_[a-z0-9_]+)\"");

  @TempDir Path folder;

  private ServiceSpec spec() throws IOException {
    Path file = folder.resolve("govern.yaml");
    Files.writeString(
        file,
        """
        clusters:
          - name: shop
            engine: cassandra
            rf: 1
            inventory: {nodes: [{name: n1, address: 127.0.0.9}]}
            promise: {stale: 1%, read-p99: 50ms, copies: 1}
            sessions: true
          - {name: files, engine: redis, inventory: {nodes: [{name: n1, address: 127.0.0.9}]}}
        """);
    return StudyFile.readService(file, List.of(), folder::resolve);
  }

  /** Names as the classes of metrics declare them. */
  private static Set<String> declared() throws IOException {
    Set<String> names = new HashSet<>();
    Path sources = Path.of("src/main/java/org/calando/governor/http");
    try (Stream<Path> files = Files.list(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Metrics.java")).toList()) {
        Matcher found = DECLARED.matcher(Files.readString(file));
        while (found.find()) {
          names.add(found.group(1));
        }
      }
    }
    return names;
  }

  private static List<String> expressions(JsonNode board) {
    List<String> all = new ArrayList<>();
    board
        .path("panels")
        .forEach(
            panel -> panel.path("targets").forEach(each -> all.add(each.path("expr").asText())));
    return all;
  }

  @Test
  void eachExpressionIsOfAMetricThatTheGovernorDeclares() throws IOException {
    Set<String> declared = declared();
    assertThat(declared).hasSizeGreaterThan(20);
    int seen = 0;
    for (String text : Dashboards.files(spec()).values()) {
      for (String expression : expressions(JSON.readTree(text))) {
        Matcher names = NAMES.matcher(expression);
        assertThat(names.find()).as(expression).isTrue();
        do {
          assertThat(declared).as(expression).contains(names.group().replaceAll("_bucket$", ""));
          seen++;
        } while (names.find());
      }
    }
    assertThat(seen).isGreaterThan(20);
  }

  @Test
  void clustersHaveWhatTheirFileSays() throws IOException {
    Map<String, String> files = Dashboards.files(spec());
    assertThat(files.keySet())
        .containsExactly(
            "calando-governor.json", "calando-cluster-shop.json", "calando-cluster-files.json");
    List<String> shop = expressions(JSON.readTree(files.get("calando-cluster-shop.json")));
    assertThat(shop)
        .contains(
            "calando_promise_value{cluster=\"shop\", promise=\"stale\"}",
            "calando_promise_budget_spent_ratio{cluster=\"shop\", promise=\"stale\"}",
            "calando_cluster_sessions{cluster=\"shop\"}")
        .allMatch(expression -> expression.contains("shop"));
    assertThat(expressions(JSON.readTree(files.get("calando-cluster-files.json"))))
        .noneMatch(expression -> expression.contains("promise"));
  }

  @Test
  void panelsHaveIdsOfTheirOwnAndNoneLiesOverAnother() throws IOException {
    for (String text : Dashboards.files(spec()).values()) {
      Set<Integer> ids = new HashSet<>();
      Set<String> cells = new HashSet<>();
      for (JsonNode panel : JSON.readTree(text).path("panels")) {
        assertThat(ids.add(panel.path("id").asInt())).isTrue();
        JsonNode at = panel.path("gridPos");
        for (int x = 0; x < at.path("w").asInt(); x++) {
          for (int y = 0; y < at.path("h").asInt(); y++) {
            int column = at.path("x").asInt() + x;
            assertThat(column).isLessThan(24);
            assertThat(cells.add(column + "/" + (at.path("y").asInt() + y))).isTrue();
          }
        }
      }
    }
  }

  @Test
  void filesAreWritten() throws IOException {
    List<Path> written = Dashboards.write(spec(), folder.resolve("a/b"));
    assertThat(written).hasSize(3).allMatch(Files::isRegularFile);
  }
}
