package org.calando.power.snmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.calando.power.Secret;
import org.calando.power.snmp.SnmpDevice.Prefer;

/**
 * Net-SNMP's snmpd, from Debian's package of that name, on loopback and without privileges. It
 * shows what is in the file {@link #values}, which tests or their scripts replace as a whole: lines
 * of object identifier (with a dot before it), type and value.
 */
public final class RealSnmpd implements AutoCloseable {
  /** Types of values, as snmpd calls them. */
  public static final String INTEGER = "integer";

  public static final String GAUGE = "gauge";
  public static final String COUNTER = "counter";
  public static final String COUNTER64 = "counter64";
  public static final String STRING = "string";

  /** Passwords of the users below. */
  public static final String AUTH_PASSWORD = "signing it all";

  public static final String PRIVACY_PASSWORD = "hiding it all";

  private static final String COMMUNITY = "read-the-watts";
  private static final String APC_OUTLETS = "1.3.6.1.4.1.318.1.1.26.9.4.3.1";
  private static final List<String> VENDORS = List.of("318", "534", "13742", "55555");

  /** A pass_persist helper: looks up what snmpd asks for, without starting processes. */
  private static final String HELPER =
      """
      while read -r command; do
        case $command in
          PING) echo PONG ;;
          get)
            read -r oid
            answer=NONE
            while read -r name type value; do
              if [ "$name" = "$oid" ]; then
                answer="$oid
      $type
      $value"
              fi
            done < "$1"
            printf '%s\\n' "$answer" ;;
          getnext) read -r oid; echo NONE ;;
          set) read -r oid; read -r value; echo not-writable ;;
        esac
      done
      """;

  private final Path folder;
  private final int port;
  private final Map<String, String> shown = new TreeMap<>();
  private Process process;

  private RealSnmpd(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /**
   * Starts one and waits until it listens.
   *
   * @param folder an empty folder for its files
   */
  public static RealSnmpd start(Path folder) throws IOException {
    Path program = Path.of("/usr/sbin/snmpd");
    assertThat(program).as("Debian's package snmpd is needed").isExecutable();
    RealSnmpd agent = new RealSnmpd(Files.createDirectories(folder), freePort());
    Files.writeString(folder.resolve("helper.sh"), HELPER);
    Files.writeString(folder.resolve("community"), COMMUNITY + "\n");
    Files.writeString(folder.resolve("auth"), AUTH_PASSWORD + "\n");
    Files.writeString(folder.resolve("privacy"), PRIVACY_PASSWORD + "\n");
    Files.writeString(folder.resolve("agent.conf"), agent.configuration());
    agent.write();
    agent.restart();
    return agent;
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket =
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      return socket.getLocalPort();
    }
  }

  private String configuration() {
    String vendors =
        VENDORS.stream()
            .map(
                vendor ->
                    "pass_persist .1.3.6.1.4.1."
                        + vendor
                        + " /bin/sh "
                        + folder.resolve("helper.sh")
                        + " "
                        + values())
            .collect(Collectors.joining("\n"));
    return """
        agentaddress udp:127.0.0.1:%d
        rocommunity %s 127.0.0.1
        createUser signer SHA-256 "%s"
        createUser hider SHA-256 "%s" AES "%s"
        rouser signer auth
        rouser hider priv
        %s
        """
        .formatted(port, COMMUNITY, AUTH_PASSWORD, AUTH_PASSWORD, PRIVACY_PASSWORD, vendors);
  }

  /** Starts it again with the same files. */
  public void restart() throws IOException {
    Path log = folder.resolve("log");
    Files.deleteIfExists(log);
    ProcessBuilder builder =
        new ProcessBuilder(
            "/usr/sbin/snmpd", "-f", "-Lo", "-C", "-c", folder.resolve("agent.conf").toString());
    builder.environment().put("SNMP_PERSISTENT_DIR", folder.resolve("state").toString());
    builder.environment().put("MIBS", "");
    process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    await("snmpd listens; its log is " + log)
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> !process.isAlive() || Files.readString(log).contains("NET-SNMP version"));
    assertThat(process.isAlive()).as("snmpd runs: %s", Files.readString(log)).isTrue();
  }

  /** Ends it at once, as a power cut would. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("snmpd ends").isTrue();
  }

  /** What it shows. */
  public Path values() {
    return folder.resolve("values");
  }

  /** The port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Shows a value from now on. */
  public RealSnmpd show(String oid, String type, Object value) throws IOException {
    shown.put("." + oid, type + " " + value);
    write();
    return this;
  }

  /** Shows it no longer. */
  public RealSnmpd hide(String oid) throws IOException {
    shown.remove("." + oid);
    write();
    return this;
  }

  /** Shows an outlet of APC's. */
  public RealSnmpd showApc(int outlet, long watts, long tenthsOfKwh) throws IOException {
    show(APC_OUTLETS + ".7." + outlet, INTEGER, watts);
    return show(APC_OUTLETS + ".11." + outlet, GAUGE, tenthsOfKwh);
  }

  private void write() throws IOException {
    Path next = folder.resolve("values.next");
    List<String> lines =
        shown.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList();
    Files.write(next, lines);
    Files.move(next, values(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** It as a device of a kind, by its community. */
  public SnmpDevice device(PduMib mib) {
    return device(mib, byCommunity());
  }

  /** It as a device of a kind. */
  public SnmpDevice device(PduMib mib, SnmpAccess access) {
    // A busy machine takes its time; only what is never answered waits as long.
    return device(mib, access, Prefer.AUTO, TimeUnit.SECONDS.toNanos(5), 1);
  }

  /** It, of which a figure of one's choice is used. */
  public SnmpDevice device(PduMib mib, Prefer prefer) {
    return device(mib, byCommunity(), prefer, TimeUnit.SECONDS.toNanos(5), 1);
  }

  /** It with a time of its own to answer. */
  public SnmpDevice device(
      PduMib mib, SnmpAccess access, Prefer prefer, long timeoutNanos, int retries) {
    long renewal = SnmpDevice.DEFAULT_RENEWAL_NANOS;
    return new SnmpDevice(
        "pdu1", "127.0.0.1", port, access, mib, prefer, timeoutNanos, retries, renewal);
  }

  /** The community that it knows. */
  public SnmpAccess byCommunity() {
    return new SnmpAccess.Community(Optional.of(secret("community")));
  }

  /** The file of its {@code community}, or of the password {@code auth} or {@code privacy}. */
  public Secret secret(String name) {
    return new Secret.InFile(folder.resolve(name));
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
