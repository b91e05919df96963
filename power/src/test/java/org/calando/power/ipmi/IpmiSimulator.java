package org.calando.power.ipmi;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real {@code ipmi_sim} (Debian's openipmi) on loopback with sensors whose readings a test
 * changes. It answers sensors and chassis commands, not DCMI. Not thread safe.
 */
public final class IpmiSimulator implements AutoCloseable {
  /** The user of the controller. */
  public static final String USER = "reader";

  /** The user's password. */
  public static final String PASSWORD = "watts-4-all";

  /** A user who may switch the machine, with the same password. */
  public static final String OPERATOR = "operator";

  /** The cipher suite to be used: ipmi_sim does not tell which it has. */
  public static final int CIPHER_SUITE = 3;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String NO_EVENTS = " none" + " 000000000000000".repeat(4);

  /**
   * A sensor in watts.
   *
   * @param name at most 16 characters
   * @param entity 7 the system board, 10 a power supply
   * @param wattsPerUnit watts of one unit of the reading, 1 to 255
   * @param units reading at the start, 0 to 255; negative for a sensor that is switched off
   */
  public record Sensor(String name, int entity, int wattsPerUnit, int units) {}

  private final Path folder;
  private final List<Sensor> sensors;
  private final int port;
  private final int consolePort;
  private Process process;

  private IpmiSimulator(Path folder, List<Sensor> sensors) throws IOException {
    this.folder = folder;
    this.sensors = List.copyOf(sensors);
    try (DatagramSocket udp = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        ServerSocket tcp = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = udp.getLocalPort();
      consolePort = tcp.getLocalPort();
    }
  }

  /**
   * Starts one.
   *
   * @param folder an empty folder of the test's
   */
  public static IpmiSimulator start(Path folder, Sensor... sensors)
      throws IOException, InterruptedException {
    IpmiSimulator simulator = new IpmiSimulator(folder, List.of(sensors));
    simulator.writeFiles();
    simulator.start();
    return simulator;
  }

  /** The UDP port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Starts it again after {@link #kill}, on the same port and with the readings of the start. */
  public void start() throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("ipmi_sim", "-c", "lan.conf", "-f", "sim.emu", "-s", "state", "-n");
    builder.directory(folder.toFile()).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("ipmi_sim.log").toFile());
    try {
      process = builder.start();
    } catch (IOException e) {
      fail("ipmi_sim is missing: install the package openipmi", e);
    }
    awaitAnswer();
  }

  /** Ends it at once, as if the controller lost its power. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Changes a sensor's reading; visible when it returns. */
  public void show(String sensor, int units) throws IOException {
    console("sensor_set_value 0x20 0 " + number(sensor) + " " + units + " 0");
  }

  /** Switches a sensor off, so that it has no reading, or on again. */
  public void scan(String sensor, boolean on) throws IOException {
    console(scanning(number(sensor), on));
  }

  /** What the chassis' power switch tells. */
  public void switchPower(boolean on) throws IOException {
    Files.writeString(folder.resolve("power"), on ? "power:1\n" : "power:0\n");
  }

  /** Whether the machine follows when it is asked to shut down. */
  public void obeyShutdown(boolean obeys) throws IOException {
    if (obeys) {
      Files.deleteIfExists(folder.resolve("stubborn"));
    } else {
      Files.writeString(folder.resolve("stubborn"), "");
    }
  }

  /** What was asked and ordered of the chassis so far. */
  public List<String> chassisOrders() throws IOException {
    Path file = folder.resolve("orders");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private int number(String sensor) {
    for (int i = 0; i < sensors.size(); i++) {
      if (sensors.get(i).name().equals(sensor)) {
        return i + 1;
      }
    }
    throw new IllegalArgumentException(sensor);
  }

  private static String scanning(int number, boolean on) {
    String state = on ? " enable scanning" : " enable no-scanning";
    return "sensor_set_event_support 0x20 0 " + number + state + NO_EVENTS;
  }

  private void console(String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), consolePort)) {
      socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(PATIENCE_NANOS));
      awaitPrompt(socket.getInputStream());
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      awaitPrompt(socket.getInputStream());
    }
  }

  private static void awaitPrompt(InputStream input) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().endsWith("> ")) {
      int next = input.read();
      if (next < 0) {
        throw new IOException("ipmi_sim closed its console after '" + text + "'");
      }
      text.append((char) next);
    }
  }

  /** Pings it in the way of RMCP (ASF 2.0, 3.2.4), which needs no session. */
  private void awaitAnswer() throws IOException, InterruptedException {
    byte[] ping = {6, 0, (byte) 0xff, 6, 0, 0, 0x11, (byte) 0xbe, (byte) 0x80, 0, 0, 0};
    long giveUpNanos = System.nanoTime() + PATIENCE_NANOS;
    InetAddress loopback = InetAddress.getLoopbackAddress();
    while (System.nanoTime() < giveUpNanos && process.isAlive()) {
      try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
        socket.setSoTimeout(100);
        socket.connect(loopback, port);
        socket.send(new DatagramPacket(ping, ping.length));
        socket.receive(new DatagramPacket(new byte[64], 64));
        return;
      } catch (SocketTimeoutException e) {
        // Not ready.
      } catch (IOException e) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
    fail("ipmi_sim does not answer: %s", Files.readString(folder.resolve("ipmi_sim.log")));
  }

  private void writeFiles() throws IOException {
    Files.createDirectories(folder.resolve("state"));
    Path chassis = folder.resolve("chassis");
    Files.writeString(chassis, chassisControl());
    Files.setPosixFilePermissions(chassis, PosixFilePermissions.fromString("rwx------"));
    switchPower(true);
    Files.writeString(folder.resolve("lan.conf"), lanConf(chassis));
    List<String> lines = new ArrayList<>();
    lines.add("mc_setbmc 0x20");
    lines.add("mc_add 0x20 0 no-device-sdrs 0x23 1 1 0x9f 0 0");
    lines.add("sel_enable 0x20 10 0x0a");
    for (int i = 0; i < sensors.size(); i++) {
      Sensor sensor = sensors.get(i);
      lines.add("sensor_add 0x20 0 " + (i + 1) + " 0x0b 0x01");
      lines.add("sensor_set_value 0x20 0 " + (i + 1) + " " + Math.max(0, sensor.units()) + " 0");
      lines.add(scanning(i + 1, sensor.units() >= 0));
      lines.add("main_sdr_add 0x20" + record(i + 1, sensor));
    }
    lines.add("mc_enable 0x20");
    Files.write(folder.resolve("sim.emu"), lines);
  }

  /**
   * Tells and takes what ipmi_sim passes on: {@code ADDRESS get NAME...}, answered with lines
   * {@code NAME:VALUE}, and {@code ADDRESS set NAME VALUE}... A graceful shutdown is {@code set
   * shutdown}; a machine with a file {@code stubborn} does not follow it.
   */
  private String chassisControl() {
    return String.join(
        "\n",
        "#!/bin/sh",
        "cd '" + folder + "'",
        "echo \"$@\" >> orders",
        "[ \"$1\" = get ] && { cat power; exit; }",
        "shift",
        "while [ $# -gt 1 ]; do",
        "  case $1 in",
        "    power) echo \"power:$2\" > new; mv new power;;",
        "    shutdown) [ -e stubborn ] || { echo power:0 > new; mv new power; };;",
        "  esac",
        "  shift 2",
        "done",
        "");
  }

  private String lanConf(Path chassis) {
    return String.join(
        "\n",
        "name \"calando\"",
        "set_working_mc 0x20",
        "startlan 1",
        "addr 127.0.0.1 " + port,
        "priv_limit admin",
        "allowed_auths_user md5",
        "allowed_auths_operator md5",
        "allowed_auths_admin md5",
        // Without an identity it does not offer RMCP+.
        "guid 00112233445566778899aabbccddeeff",
        "endlan",
        "chassis_control \"" + chassis + "\"",
        "user 2 true \"" + USER + "\" \"" + PASSWORD + "\" user 10",
        "user 3 true \"" + OPERATOR + "\" \"" + PASSWORD + "\" operator 10",
        "console 127.0.0.1 " + consolePort,
        "");
  }

  /** A full sensor record (IPMI 2.0, 43.1): unsigned, linear, watts, no thresholds. */
  private static String record(int number, Sensor sensor) {
    byte[] name = sensor.name().getBytes(StandardCharsets.US_ASCII);
    int[] bytes = new int[48 + name.length];
    bytes[2] = 0x51;
    bytes[3] = 1;
    bytes[4] = bytes.length - 5;
    bytes[5] = 0x20;
    bytes[7] = number;
    bytes[8] = sensor.entity();
    bytes[9] = number;
    bytes[10] = 0x7f;
    bytes[11] = 0x40;
    bytes[12] = 0x0b;
    bytes[13] = 1;
    bytes[21] = 6;
    bytes[24] = sensor.wattsPerUnit();
    bytes[34] = 0xff;
    bytes[47] = 0xc0 | name.length;
    for (int i = 0; i < name.length; i++) {
      bytes[48 + i] = name[i];
    }
    StringBuilder text = new StringBuilder();
    for (int value : bytes) {
      text.append(String.format(" 0x%02x", value));
    }
    return text.toString();
  }

  @Override
  public void close() {
    kill();
  }
}
