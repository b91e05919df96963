package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.calando.cli.jvm.ClassArchive;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real master with two replicas, and processors that are files. */
class GovernIT {
  private static final Map<String, String> FILES =
      Map.of(
          "scaling_driver", "intel_pstate",
          "scaling_available_governors", "performance powersave",
          "scaling_governor", "powersave",
          "scaling_min_freq", "1000000",
          "scaling_max_freq", "2000000",
          "cpuinfo_min_freq", "1000000",
          "cpuinfo_max_freq", "2200000");

  private static LocalRedis cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    cluster = LocalRedis.start(LocalRedisConfig.builder().nodes(3).build());
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void clocksFollowRolesAndAreRestoredAfterSigterm() throws IOException {
    Path cpus = processors();
    Path file = file(cpus, "");
    Map<String, String> before = contents(cpus);

    List<JsonNode> dry = new ArrayList<>();
    try (CommandProcess command =
        CommandProcess.run(folder, state(), "govern", file.toString(), "--dry-run", "--json")) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      dry.addAll(lines(command));
    }
    assertThat(contents(cpus)).isEqualTo(before);
    assertThat(dry)
        .extracting(line -> line.path("text").asText())
        .contains("redis: now: n1 master", "redis: now: n2 replica", "redis: now: n3 replica")
        .containsSubsequence(
            "redis: would write 2200000 to " + max(cpus, 1),
            "redis: would write 1000000 to " + max(cpus, 1));
    assertThat(dry)
        .extracting(line -> line.path("text").asText())
        .doesNotContain("redis: would write 1000000 to " + max(cpus, 0));

    try (CommandProcess command =
        CommandProcess.start(folder, state(), "govern", file.toString(), "--json")) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(command.isAlive()).as(command.stderr()).isTrue();
                assertThat(max(cpus, 1)).hasContent("1000000");
                assertThat(max(cpus, 2)).hasContent("1000000");
              });
      assertThat(max(cpus, 0)).hasContent("2200000");
      Files.writeString(file, observed());
      command.signal("HUP");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> command.stdout().contains("stays in force") || !command.isAlive());
      assertThat(command.stdout()).contains("it is now a file of clusters, and was a short form");
      assertThat(max(cpus, 1)).hasContent("1000000");
      command.signal("TERM");
      assertThat(command.exitCode()).isEqualTo(143);
      assertThat(contents(cpus)).isEqualTo(before);
      List<JsonNode> told = lines(command);
      assertThat(told)
          .anyMatch(line -> line.path("event").asText().equals("role") && is(line, "n1", "master"))
          .anyMatch(
              line -> line.path("event").asText().equals("role") && is(line, "n2", "replica"));
      JsonNode energy =
          told.stream()
              .filter(line -> line.path("event").asText().equals("energy"))
              .reduce((first, last) -> last)
              .orElseThrow();
      assertThat(energy.path("energy_i1_j").asDouble())
          .isGreaterThan(energy.path("energy_i0_j").asDouble());
      assertThat(energy.path("saving_i1").asDouble()).isPositive();
      assertThat(energy.path("manager_j").asDouble()).isPositive();
      assertThat(told.get(told.size() - 1).path("text").asText())
          .isEqualTo("knobs are as they were before");
    }
  }

  @Test
  void aSecondGovernorIsRefusedAndARestoreFindsWhatTheFirstLeftWhateverTheStateFolder()
      throws IOException {
    Path cpus = processors();
    Path file = file(cpus, "");
    Map<String, String> before = contents(cpus);
    try (CommandProcess first =
        CommandProcess.start(folder, state(), "govern", file.toString(), "--json")) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(first.isAlive()).as(first.stderr()).isTrue();
                assertThat(max(cpus, 1)).hasContent("1000000");
              });
      try (CommandProcess second =
          CommandProcess.run(folder, state("other"), "govern", file.toString())) {
        assertThat(second.exitCode()).isEqualTo(2);
        assertThat(second.stderr())
            .contains("policy0", "govern " + file, "since 2", "state folder " + folder);
      }
      try (CommandProcess restore = CommandProcess.run(folder, state("other"), "restore")) {
        assertThat(restore.exitCode()).as(restore.stderr()).isZero();
        assertThat(restore.stdout()).contains("in use", "govern " + file);
      }
      assertThat(max(cpus, 1)).hasContent("1000000");
      first.signal("KILL");
      assertThat(first.exitCode()).isNotZero();
    }
    try (CommandProcess restore = CommandProcess.run(folder, state("other"), "restore")) {
      assertThat(restore.exitCode()).as(restore.stderr()).isZero();
    }
    assertThat(contents(cpus)).isEqualTo(before);
  }

  @Test
  void theDoctorLooksAtClocksAndServers() throws IOException {
    Path file = file(processors(), "");
    try (CommandProcess command = CommandProcess.run(folder, state(), "doctor", file.toString())) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      assertThat(command.stdout())
          .contains("knob clock: 3 nodes on processors 0-2", "n1 runs Redis")
          .contains("owners of clocks: can be recorded in");
    }
    Map<String, String> nowhere = new TreeMap<>(state());
    nowhere.put("CALANDO_RUN", file.resolve("run").toString());
    try (CommandProcess command = CommandProcess.run(folder, nowhere, "doctor", file.toString())) {
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(1);
      assertThat(command.stdout().replaceAll("\\s+", " "))
          .contains("the owner of clocks cannot be recorded for this machine")
          .contains("sudo install -d -o ");
    }
  }

  /** What replicas apply for their master is nobody's request; nor is what the governor asks. */
  @Test
  void requestsOfClientsAreAccountedOnce() throws Exception {
    Path file = Files.writeString(folder.resolve("observe.yaml"), observed());
    try (CommandProcess command =
        CommandProcess.start(folder, state(), "govern", file.toString())) {
      GovernorAnswers answers = GovernorAnswers.of(command);
      answers.awaitMetrics("calando_node_requests_total{", 6);
      ask(cluster.nodes().get(0), "SET k v", 300);
      ask(cluster.nodes().get(0), "GET k", 150);
      ask(cluster.nodes().get(1), "GET k", 50);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(answers.sum("calando_node_requests_total", "write")).isEqualTo(300);
                assertThat(answers.sum("calando_node_requests_total", "read")).isEqualTo(200);
              });
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> assertThat(answers.sum("calando_accounted_joules_total", "cart")).isPositive());
      assertThat(answers.sum("calando_node_requests_total", "node=\"n2\"")).isEqualTo(50);
      assertThat(answers.get("/readyz").statusCode()).isEqualTo(200);
      command.signal("TERM");
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(143);
    }
  }

  /** Sends a command again and again, as a client of its own. */
  @Test
  void classesAreReadFromTheirArchive() throws Exception {
    Path file = Files.writeString(folder.resolve("observe.yaml"), observed());
    Path archive = folder.resolve("govern.jsa");
    Path killed = Files.writeString(folder.resolve("govern.jsa.17"), "half of one");
    Files.setLastModifiedTime(killed, FileTime.from(Instant.now().minusSeconds(3600)));
    Files.writeString(folder.resolve("govern-1.jsa"), "one of other jars");
    ProcessBuilder maker =
        CommandProcess.builder(folder, Map.of(), "", ClassArchive.class.getName());
    maker.command().add(archive.toString());
    Path log = folder.resolve("maker.txt");
    Process made = maker.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    made.getOutputStream().close();
    assertThat(made.waitFor()).as(Files.readString(log)).isZero();
    // The JVM refuses to begin where it cannot use the archive.
    List<String> uses =
        List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:on", "-Xlog:class+load");
    try (CommandProcess command =
        CommandProcess.start(folder, state(), uses, "govern", file.toString(), "--dry-run")) {
      assertThat(command.exitCode()).as(command.stderr()).isZero();
      assertThat(command.stdout())
          .contains("org.calando.governor.ServiceDryRun source: shared objects file");
    }
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all.map(Path::getFileName).map(Path::toString))
          .filteredOn(name -> name.contains(".jsa"))
          .containsExactly("govern.jsa");
    }
  }

  private static void ask(LocalRedisNode node, String command, int times) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      for (int i = 0; i < times; i++) {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        String answer = in.readLine();
        assertThat(answer).isIn("+OK", "$1", "$-1");
        if (answer.equals("$1")) {
          assertThat(in.readLine()).isEqualTo("v");
        }
      }
    }
  }

  @Test
  void withoutWritesRedisLagDoesNotKnowAtWhichClocksReplicasKeepUp() throws IOException {
    String address = "127.0.0.1:" + cluster.nodes().get(0).port();
    String[] lag = {"redis", "lag", address, "--for", "1s"};
    try (CommandShell shell = CommandShell.start(folder, state())) {
      CommandAnswer text = shell.run(lag);
      assertThat(text.exitCode()).as(text.stderr()).isEqualTo(1);
      assertThat(text.stdout())
          .contains("It is not known at which clocks every replica would keep up with ease:")
          .doesNotContain("At no clock");
      assertThat(text.stdout().lines().filter(line -> line.endsWith(": no write arrived in 1s")))
          .hasSize(2);

      String[] asJson = Arrays.copyOf(lag, lag.length + 1);
      asJson[lag.length] = "--json";
      CommandAnswer json = shell.run(asJson);
      assertThat(json.exitCode()).as(json.stderr()).isEqualTo(1);
      JsonNode answer = new ObjectMapper().readTree(json.stdout());
      assertThat(answer.path("slowest_ghz_that_keeps_up").isNull()).isTrue();
      assertThat(answer.path("nodes")).hasSize(3);
      assertThat(answer.path("unknown"))
          .hasSize(2)
          .allSatisfy(
              one -> {
                assertThat(one.path("why").asText()).isEqualTo("no write arrived in 1s");
                assertThat(one.path("remedy").asText()).contains("writes", "--for");
              });
    }
  }

  @Test
  void allThatIsWrongIsToldAtItsPlace() throws IOException {
    Path file = file(processors(), "clock: fast\nsentinels: []\n");
    Files.writeString(file, Files.readString(file).replace("n3: 2", "n4: 1"));
    try (CommandProcess command = CommandProcess.run(folder, state(), "govern", file.toString())) {
      assertThat(command.exitCode()).isEqualTo(2);
      assertThat(command.stderr())
          .contains("clock: 'fast' is not a policy of clocks")
          .contains("sentinels: unknown key")
          .contains("clocks.cpus: has no processors of n3")
          .contains("clocks.cpus.n4: there is no node n4");
    }
  }

  private static boolean is(JsonNode line, String node, String role) {
    return line.path("node").asText().equals(node) && line.path("role").asText().equals(role);
  }

  private Map<String, String> state() {
    return state("state");
  }

  private Map<String, String> state(String name) {
    return Map.of(
        "CALANDO_STATE",
        folder.resolve(name).toString(),
        "CALANDO_RUN",
        folder.resolve("run").toString());
  }

  private Path file(Path cpus, String more) throws IOException {
    StringBuilder nodes = new StringBuilder();
    for (LocalRedisNode node : cluster.nodes()) {
      nodes.append(
          "      - {name: %s, address: 127.0.0.1, port: %d}\n".formatted(node.name(), node.port()));
    }
    return Files.writeString(
        folder.resolve("govern.yaml"),
        """
        redis:
          inventory:
            nodes:
        %sclocks:
          cpus: {n1: 0, n2: 1, n3: 2}
          sysfs: %s
          lower-after: 300ms
          decide: 100ms
        """
                .formatted(nodes, cpus)
            + more);
  }

  /** Of clusters, of which none is controlled. */
  private static String observed() {
    StringBuilder nodes = new StringBuilder();
    for (LocalRedisNode node : cluster.nodes()) {
      nodes.append(
          "{name: %s, address: 127.0.0.1, port: %d, pid: %d}, "
              .formatted(node.name(), node.port(), node.pid()));
    }
    return """
        clusters:
          - {name: cart, engine: redis, inventory: {nodes: [%s]}, period: 1s}
        listen: 127.0.0.1:0
        """
        .formatted(nodes);
  }

  private Path processors() throws IOException {
    Path cpus = folder.resolve("cpu");
    for (int i = 0; i < 3; i++) {
      Path policy = Files.createDirectories(cpus.resolve("cpufreq").resolve("policy" + i));
      Files.createDirectories(cpus.resolve("cpu" + i));
      for (Map.Entry<String, String> file : FILES.entrySet()) {
        Files.writeString(policy.resolve(file.getKey()), file.getValue() + "\n");
      }
      Files.writeString(policy.resolve("related_cpus"), i + "\n");
      Files.writeString(policy.resolve("affected_cpus"), i + "\n");
    }
    return cpus;
  }

  private static Path max(Path cpus, int policy) {
    return cpus.resolve("cpufreq").resolve("policy" + policy).resolve("scaling_max_freq");
  }

  /** Every file but for the line's end, which the kernel puts there itself. */
  private static Map<String, String> contents(Path cpus) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (var files = Files.walk(cpus)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(cpus.relativize(file).toString(), Files.readString(file).strip());
      }
    }
    return contents;
  }

  private static List<JsonNode> lines(CommandProcess command) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : command.stdout().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }
}
