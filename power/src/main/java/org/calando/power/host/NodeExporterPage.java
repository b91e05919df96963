package org.calando.power.host;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;

/** Adds up what node_exporter's page shows of a machine. Not thread safe. */
final class NodeExporterPage implements Exposition.Visitor {
  private static final Set<String> NOT_BUSY = Set.of("idle", "iowait", "steal");

  private final Set<String> cores = new HashSet<>();
  private double busySeconds;
  private double bootSeconds = Double.NaN;
  private double memoryTotal = Double.NaN;
  private double memoryAvailable = Double.NaN;
  private double diskRead = Double.NaN;
  private double diskWritten = Double.NaN;
  private double received = Double.NaN;
  private double sent = Double.NaN;

  @Override
  public void sample(String name, Map<String, String> labels, double value) {
    String device = labels.getOrDefault("device", "");
    switch (name) {
      case "node_cpu_seconds_total" -> cpu(labels, value);
      case "node_boot_time_seconds" -> bootSeconds = value;
      case "node_memory_MemTotal_bytes" -> memoryTotal = value;
      case "node_memory_MemAvailable_bytes" -> memoryAvailable = value;
      case "node_disk_read_bytes_total" ->
          diskRead = Devices.isDisk(device) ? plus(diskRead, value) : diskRead;
      case "node_disk_written_bytes_total" ->
          diskWritten = Devices.isDisk(device) ? plus(diskWritten, value) : diskWritten;
      case "node_network_receive_bytes_total" ->
          received = Devices.isNetwork(device) ? plus(received, value) : received;
      case "node_network_transmit_bytes_total" ->
          sent = Devices.isNetwork(device) ? plus(sent, value) : sent;
      default -> {
        // Of no interest here.
      }
    }
  }

  /** A guest's time is in user time already, and has a metric of its own. */
  private void cpu(Map<String, String> labels, double value) {
    cores.add(labels.getOrDefault("cpu", ""));
    if (!NOT_BUSY.contains(labels.getOrDefault("mode", "idle"))) {
      busySeconds += value;
    }
  }

  private static double plus(double sum, double value) {
    return Double.isNaN(sum) ? value : sum + value;
  }

  /**
   * The figures of the page just read.
   *
   * @param atNanos when it was asked
   * @param boots knows earlier pages
   * @param where the page, for messages
   * @throws MeterException if it does not show CPU time
   */
  NodeUsage figures(long atNanos, BootTrack boots, String where) throws MeterException {
    if (cores.isEmpty() || !Double.isFinite(busySeconds) || busySeconds < 0) {
      throw new MeterException(
          "there is no node_cpu_seconds_total on the page",
          where,
          "give the URL of a node_exporter, with its collector cpu on");
    }
    return figures(
        atNanos,
        boots,
        cores.size(),
        new double[] {
          busySeconds,
          bootSeconds,
          memoryTotal - memoryAvailable,
          diskRead,
          diskWritten,
          received,
          sent
        });
  }

  /**
   * Figures from plain numbers, NaN where unknown.
   *
   * @param values busy seconds, boot time, memory in use, disk bytes read and written, network
   *     bytes received and sent
   */
  static NodeUsage figures(long atNanos, BootTrack boots, int cores, double[] values) {
    long cpuNanos = Math.round(values[0] * 1e9);
    return new NodeUsage(
        atNanos,
        boots.incarnation(values[1], cpuNanos),
        cpuNanos,
        cores,
        NodeUsage.UNKNOWN,
        bytes(values[2]),
        bytes(values[3]),
        bytes(values[4]),
        bytes(values[5]),
        bytes(values[6]));
  }

  private static long bytes(double value) {
    return value >= 0 && Double.isFinite(value) ? Math.round(value) : NodeUsage.UNKNOWN;
  }
}
