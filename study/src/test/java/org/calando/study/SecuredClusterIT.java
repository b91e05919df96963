package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.store.TableSpec;
import org.calando.engine.Finding;
import org.calando.engine.StoreSpec;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Replication;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of the user's own with users, TLS and two data centres, reached by its inventory only;
 * the test that kills a node comes last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecuredClusterIT {
  private static final String SHORT =
      """
      workload: {preset: ycsb-a, records: 10, operations: 10}
      matrix: {consistency: [ONE], threads: [1]}
      repeats: 1
      """;

  /** A certificate of nobody's, whose key is gone. */
  private static final Path OTHER_CA = TestStudy.MODULE.resolve("src/test/resources/other-ca.pem");

  private static SecuredCluster cluster;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = new SecuredCluster();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void aStudyWithPasswordAndTlsGivesTheSameKindsOfFiguresAsALocalOne() throws Exception {
    TestStudy study =
        study(
            store("calando", ""),
            """
            workload: {preset: heavy-update, distribution: zipfian, records: 50}
            matrix:
              - {consistency: [{read: LOCAL_QUORUM, write: EACH_QUORUM}], rate: [200/s], duration: 2s}
            repeats: 1
            """);

    study.runWell();

    for (String run : study.plan()) {
      JsonNode row = study.row(run);
      assertThat(row.path("status").asText()).isEqualTo("ok");
      // Three idle machines of 75 W cannot draw less, the one in the other data centre included.
      assertThat(row.path("power_mean_w").asDouble()).isGreaterThan(3 * 60);
      assertThat(row.path("energy_j").asDouble()).isGreaterThan(3 * 60 * 1.5);
      assertThat(row.path("cpu_s").asDouble()).isPositive();
      assertThat(row.path("read_p99_us").asDouble()).isPositive();
      assertThat(row.path("stale_rate").asText()).isNotEmpty();
      assertThat(study.summary(run).path("energy").path("nodes")).hasSize(3);
    }
    assertThat(replicationOf("calando")).containsEntry("dc1", "2").containsEntry("dc2", "1");
    assertNoSecretIn(study.out());
  }

  private static Map<String, String> replicationOf(String keyspace) {
    return cluster
        .superuser()
        .execute(
            "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = '"
                + keyspace
                + "'")
        .one()
        .getMap(0, String.class, String.class);
  }

  private static void assertNoSecretIn(Path out) throws IOException {
    List<String> secrets =
        List.of(
            SecuredCluster.firstLine(cluster.password()),
            SecuredCluster.firstLine(cluster.superuserPassword()),
            SecuredCluster.firstLine(cluster.local().folder().resolve("keystore.password")));
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(secrets).as(file.toString()).noneMatch(text::contains);
      }
    }
  }

  @Test
  void noPasswordIsEverybodysOrEverybodysToRead() throws Exception {
    assertThatThrownBy(() -> login("cassandra", "cassandra"))
        .hasMessageContaining("user or the password is refused");
    for (Path secret :
        List.of(
            cluster.password(),
            cluster.superuserPassword(),
            cluster.local().folder().resolve("keystore.password"),
            cluster.local().folder().resolve("n1.p12"),
            cluster.local().folder().resolve("n1/cassandra.yaml"))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
          .as(secret.toString())
          .isEqualTo("rw-------");
    }
    String commandLine =
        Files.readString(
            Path.of("/proc/" + cluster.local().nodes().get(0).pid() + "/cmdline"),
            StandardCharsets.ISO_8859_1);
    assertThat(commandLine)
        .contains("CassandraDaemon")
        .doesNotContain(
            SecuredCluster.firstLine(cluster.local().folder().resolve("keystore.password")));
  }

  private void login(String user, String password) {
    Path file = write("tried", password + "\n");
    CassandraStore.connect(config("any").credentials(as(user, file)).build()).close();
  }

  @Test
  void everyWayOfNotGettingInHasItsMessageAndTheDoctorSaysTheSame() throws Exception {
    write("wrong", "wrong\n");
    write("other.pem", Files.readString(OTHER_CA));
    String tls = ", tls: {ca: \"" + cluster.ca() + "\"}";
    refused(open(", user: calando, password-file: wrong" + tls), "password is refused");
    refused(open(tls), "asks for a user");
    refused(open(user()), "speaks TLS only");
    refused(open(user() + ", tls: {ca: other.pem}"), "not signed by the CA");
    refused(open(user() + ", tls: {}"), "not signed by the CA");
  }

  private void refused(String store, String expected) {
    TestStudy study = study(store, SHORT);
    assertThatThrownBy(study::run)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(expected)
        .hasMessageContaining("remedy");
    assertThat(study.out()).doesNotExist();
    assertThat(problems(study)).anySatisfy(problem -> assertThat(problem).contains(expected));
  }

  @Test
  void aCertificateOfAnotherHostIsRefusedUnlessNamesAreNotVerified() throws Exception {
    String elsewhere = SecuredCluster.BLOCK + ".0.77";
    try (Forwarder forwarder = new Forwarder(elsewhere, cluster.local().nodes().get(0).address())) {
      String address = "nodes: [{name: c1, address: %s, port: %d}]";
      write("forwarded.yaml", address.formatted(elsewhere, forwarder.port()));
      String store = open(user() + tls("")).replace("cluster.yaml", "forwarded.yaml");
      String one = store.replace("rf: {dc1: 2, dc2: 1}, local-dc: dc1", "rf: 1");
      TestStudy study = study(one, SHORT);
      assertThatThrownBy(study::run)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("names another host")
          .hasMessageContaining("verify-hostname");
      TestStudy unverified = study(one.replace("tls: {", "tls: {verify-hostname: false, "), SHORT);
      // It gets in, and then sees nodes that the inventory does not list.
      assertThatThrownBy(unverified::run)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("does not list");
    }
  }

  @Test
  void unknownDataCentresAreToldWithThoseThatThereAre() {
    String plain = cluster.inventory().replaceAll("datacenter: dc\\d, ", "");
    write("plain.yaml", plain);
    String store = store("nowhere", "").replace("cluster.yaml", "plain.yaml");
    for (String wrong :
        List.of(
            store.replace("local-dc: dc1", "local-dc: west").replace("dc1: 2", "west: 2"),
            store.replace("dc2: 1", "west: 1"))) {
      TestStudy study = study(wrong, SHORT);
      assertThatThrownBy(study::run)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("'west'; it has dc1, dc2");
      assertThat(problems(study)).anySatisfy(problem -> assertThat(problem).contains("'west'"));
    }
    assertThat(keyspaceExists("nowhere")).isFalse();
  }

  @Test
  void whatTheUserMayNotDoIsToldWithTheGrantThatIsMissing() {
    CqlSession superuser = cluster.superuser();
    superuser.execute("CREATE ROLE pauper WITH PASSWORD = 'poor' AND LOGIN = true");
    write("poor", "poor\n");
    String store = open(", keyspace: poor, user: pauper, password-file: poor" + tls(""));
    TestStudy study = study(store, SHORT);
    String grant = "GRANT CREATE ON ALL KEYSPACES TO \"pauper\"";
    assertThat(problems(study)).singleElement().satisfies(text -> assertThat(text).contains(grant));
    // The inventory gives JMX, so that no virtual table is asked for.
    assertThatThrownBy(study::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("pauper")
        .hasMessageContaining("CREATE ON ALL KEYSPACES");

    write("cluster.yaml", cluster.inventory().replaceAll(", jmx: \"[^\"]*\"", ""));
    TestStudy asking = TestStudy.of(folder, head() + store + SHORT);
    assertThatThrownBy(asking::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("GRANT SELECT ON KEYSPACE system_views");
  }

  @Test
  void aSuperuserByARoleThatWasGrantedToItNeedsNoGrants() {
    CqlSession superuser = cluster.superuser();
    superuser.execute("CREATE ROLE chiefs WITH SUPERUSER = true");
    superuser.execute("CREATE ROLE \"Deputy\" WITH PASSWORD = 'deputy' AND LOGIN = true");
    write("deputy", "deputy\n");
    String store = open(", keyspace: heirs, user: Deputy, password-file: deputy" + tls(""));
    TestStudy study = study(store, SHORT);
    assertThat(problems(study))
        .singleElement()
        .satisfies(
            text -> assertThat(text).contains("GRANT CREATE ON ALL KEYSPACES TO \"Deputy\""));
    superuser.execute("GRANT chiefs TO \"Deputy\"");
    assertThat(problems(study)).isEmpty();
  }

  /** As docs/operations.md has it for users who may create no keyspace. */
  @Test
  void aKeyspaceThatWasMadeAndMarkedForCalandoIsUsed() throws Exception {
    CqlSession superuser = cluster.superuser();
    superuser.execute("CREATE ROLE guest WITH PASSWORD = 'guest' AND LOGIN = true");
    superuser.execute(
        "CREATE KEYSPACE made WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 2, 'dc2': 1}");
    superuser.execute(
        "CREATE TABLE made.calando_owned (id int PRIMARY KEY)"
            + " WITH comment = 'created by Calando'");
    write("guest", "guest\n");
    TestStudy study =
        study(open(", keyspace: made, user: guest, password-file: guest" + tls("")), SHORT);
    String grant = "GRANT CREATE, ALTER, DROP, SELECT, MODIFY ON KEYSPACE made TO \"guest\"";
    assertThat(problems(study)).singleElement().satisfies(text -> assertThat(text).contains(grant));
    superuser.execute(grant);
    CassandraStoreConfig guest =
        config("made").credentials(as("guest", folder.resolve("guest"))).build();
    try (CassandraStore store = CassandraStore.connect(guest)) {
      store.prepare(new TableSpec("usertable", 1, "field"));
      store.prepare(new TableSpec("usertable", 2, "field"));
    }
    assertThat(problems(study)).isEmpty();
  }

  @Test
  void aKeyspaceOfSomebodyElseIsLeftAlone() {
    CqlSession superuser = cluster.superuser();
    superuser.execute(
        "CREATE KEYSPACE theirs WITH replication ="
            + " {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
    superuser.execute("GRANT ALL ON KEYSPACE theirs TO calando");
    TestStudy study = study(store("theirs", ""), SHORT);
    assertThat(problems(study))
        .anySatisfy(problem -> assertThat(problem).contains("did not create"));
    assertThatThrownBy(study::run)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("did not create");
    assertThat(replicationOf("theirs")).doesNotContainKey("dc2");
  }

  @Test
  void aTableInUseIsRefusedUntilItsUserHasEnded() throws Exception {
    try (CassandraStore other = CassandraStore.connect(config("shared").build())) {
      other.prepare(new TableSpec("usertable", 1, "field"));
      TestStudy study = study(store("shared", ""), SHORT);
      assertThat(problems(study)).anySatisfy(problem -> assertThat(problem).contains("in use"));
      assertThatThrownBy(study::run)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("in use by another study")
          .hasMessageContaining("process " + ProcessHandle.current().pid());

      // The same row as a process leaves it that was killed: its number is nobody's any more.
      String process = claimOf("shared");
      String[] parts = process.split(" ");
      parts[1] = Long.toString(endedProcess());
      cluster
          .superuser()
          .execute(
              "UPDATE shared.calando_claims SET process = ? WHERE table_name = 'usertable'"
                  + " IF process = ?",
              String.join(" ", parts),
              process);
      assertThat(problems(study)).isEmpty();
      try (CassandraStore next = CassandraStore.connect(config("shared").build())) {
        next.prepare(new TableSpec("usertable", 1, "field"));
        assertThat(claimOf("shared")).isNotEqualTo(process);
      }
    }
    assertThat(claimOf("shared")).isNull();
  }

  private static String claimOf(String keyspace) {
    var row =
        cluster
            .superuser()
            .execute(
                "SELECT process FROM "
                    + keyspace
                    + ".calando_claims WHERE table_name = 'usertable'")
            .one();
    return row == null ? null : row.getString(0);
  }

  private static long endedProcess() throws Exception {
    Process process = new ProcessBuilder("true").start();
    assertThat(process.waitFor()).isZero();
    return process.pid();
  }

  @Test
  void theDoctorFindsAHealthyClusterHealthyAndWhatTheInventoryHasWrong() {
    TestStudy study = study(store("fresh", ""), SHORT);
    List<Finding> findings = doctor(study).examine();
    assertThat(findings)
        .allSatisfy(finding -> assertThat(finding.ok()).as(finding.text()).isTrue());
    assertThat(findings).extracting(Finding::subject).contains("node n3", "JMX", "permissions");
    assertThat(text(findings, "node n3")).contains("dc2").contains("5.0").contains("clock");
    assertThat(findings.stream().flatMap(finding -> StudyDoctor.line(finding).lines()))
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThan(80));
    assertThat(keyspaceExists("fresh")).isFalse();

    write("cluster.yaml", cluster.inventory().replace("dc2, rack: r1", "dc2, rack: r9"));
    TestStudy wrongRack = TestStudy.of(folder, head() + store("fresh", "") + SHORT);
    assertThat(problems(wrongRack))
        .singleElement()
        .satisfies(problem -> assertThat(problem).contains("rack is r1, the inventory has r9"));

    List<Finding> alone =
        StudyDoctor.ofInventory(
                StoreSpec.ofInventory(StudyFile.readInventory(folder.resolve("cluster.yaml"))),
                folder)
            .examine();
    assertThat(text(alone, "cluster")).contains("speaks TLS only");
    assertThat(text(alone, "node n1")).contains("takes connections");
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void aNodeThatIsDownIsNamedByTheDoctorAndTheStudy() {
    TestStudy study = study(store("broken", ""), SHORT);
    cluster.local().kill(2);
    assertThat(problems(study)).anySatisfy(problem -> assertThat(problem).contains("node n2"));
    assertThatThrownBy(study::run)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("127.0.0.1:7902")
        .hasMessageContaining("start the node");
  }

  private static boolean keyspaceExists(String keyspace) {
    return cluster
            .superuser()
            .execute(
                "SELECT keyspace_name FROM system_schema.keyspaces WHERE keyspace_name = ?",
                keyspace)
            .one()
        != null;
  }

  private static StudyDoctor doctor(TestStudy study) {
    return new StudyDoctor(study.spec(), study.base());
  }

  /** Subject and text of what the doctor takes for a problem. */
  private static List<String> problems(TestStudy study) {
    List<String> problems = new ArrayList<>();
    for (Finding finding : doctor(study).examine()) {
      if (!finding.ok()) {
        problems.add(finding.subject() + ": " + finding.text());
      }
    }
    return problems;
  }

  private static String text(List<Finding> findings, String subject) {
    return findings.stream()
        .filter(finding -> finding.subject().equals(subject))
        .map(Finding::text)
        .findFirst()
        .orElseThrow();
  }

  private static String user() {
    return ", user: calando, password-file: \"" + cluster.password() + "\"";
  }

  private static String tls(String more) {
    return ", tls: {ca: \"" + cluster.ca() + "\"" + more + "}";
  }

  /** The store of a study that gets in. */
  private static String store(String keyspace, String more) {
    return open(", keyspace: " + keyspace + user() + tls("") + more);
  }

  private static String open(String more) {
    return "store: {engine: cassandra, inventory: cluster.yaml, rf: {dc1: 2, dc2: 1},"
        + " local-dc: dc1"
        + more
        + "}\n";
  }

  private TestStudy study(String store, String rest) {
    write("cluster.yaml", cluster.inventory());
    return TestStudy.of(folder, head() + store + rest);
  }

  private static String head() {
    return "study: test\npower: {baseline: 0s}\n";
  }

  private Path write(String name, String text) {
    TestStudy.write(folder.resolve(name), text);
    try {
      Files.setPosixFilePermissions(
          folder.resolve(name), PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder.resolve(name);
  }

  private static CassandraStoreConfig.Builder config(String keyspace) {
    CassandraStoreConfig.Builder builder =
        CassandraStoreConfig.builder()
            .contactPoint(cluster.local().nodes().get(0).address(), 9042)
            .localDataCentre("dc1")
            .keyspace(keyspace)
            .replication(new Replication.NetworkTopology(Map.of("dc1", 2, "dc2", 1)))
            .credentials(as("calando", cluster.password()))
            .tls(TlsSettings.trusting(cluster.ca()));
    cluster.local().nodes().forEach(node -> builder.jmxEndpoint("127.0.0.1", node.jmxPort()));
    return builder;
  }

  private static Credentials as(String user, Path file) {
    return Credentials.withPasswordFile(user, file);
  }
}
