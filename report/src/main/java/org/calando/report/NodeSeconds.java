package org.calando.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run second by second: what each node drew and did, and how many operations ended. Second 0 is
 * the measured window's first; earlier ones are negative. What was not read is NaN. Nobody changes
 * its arrays.
 */
public final class NodeSeconds {
  /** A quantity that is drawn over time. */
  public enum Quantity {
    POWER("Power", "W", "power_w", ""),
    CPU("CPU", "%", "cpu_percent", ""),
    MEMORY("Memory", "MB", "memory_bytes", ""),
    DISK("Disk", "kB/s", "disk_read_bytes", "disk_write_bytes"),
    NETWORK("Network", "kB/s", "net_received_bytes", "net_sent_bytes");

    private final String label;
    private final String unit;
    private final String column;
    private final String other;

    Quantity(String label, String unit, String column, String other) {
      this.label = label;
      this.unit = unit;
      this.column = column;
      this.other = other;
    }

    /** Its name on a chart. */
    public String label() {
      return label;
    }

    /** Its unit on a chart. */
    public String unit() {
      return unit;
    }

    /** The row's value: kilobytes of both directions, NaN unless both are there; or megabytes. */
    public double of(RunRow row) {
      if (this == MEMORY) {
        return row.number(column) / BYTES_PER_MB;
      }
      return other.isEmpty()
          ? row.number(column)
          : (row.number(column) + row.number(other)) / BYTES_PER_KB;
    }

    /** The row's value of a node that has no other: what its processes hold in memory. */
    double otherwise(RunRow row) {
      return this == MEMORY ? row.number("rss_bytes") / BYTES_PER_MB : Double.NaN;
    }
  }

  /** A node's seconds. */
  public static final class Node {
    private final String name;
    private final Map<Quantity, double[]> values;
    private final boolean[] gaps;

    private Node(String name, Map<Quantity, double[]> values, boolean[] gaps) {
      this.name = name;
      this.values = values;
      this.gaps = gaps;
    }

    /** The node's name. */
    public String name() {
      return name;
    }

    /** A value for each second; empty if the quantity was not read at all. */
    public double[] values(Quantity quantity) {
      return values.getOrDefault(quantity, new double[0]);
    }

    /** True for seconds that readings do not cover. */
    public boolean[] gaps() {
      return gaps;
    }
  }

  private static final int MOST_SECONDS = OperationSeconds.MOST_SECONDS;

  private static final double BYTES_PER_KB = 1000;
  private static final double BYTES_PER_MB = 1e6;

  private final int first;
  private final int measured;
  private final List<Node> nodes;
  private final double[] operations;

  private NodeSeconds(int first, int measured, List<Node> nodes, double[] operations) {
    this.first = first;
    this.measured = measured;
    this.nodes = List.copyOf(nodes);
    this.operations = operations;
  }

  /**
   * Puts the two files' rows on one axis.
   *
   * @param nodeRows rows of nodes.csv
   * @param operationRows rows of ops.csv
   * @return null if no row can be placed in time
   */
  public static @Nullable NodeSeconds of(List<RunRow> nodeRows, List<RunRow> operationRows) {
    Map<Integer, Double> operations = OperationSeconds.of(operationRows, "operations");
    int start = start(nodeRows);
    Map<String, Map<Integer, RunRow>> byNode = new LinkedHashMap<>();
    for (RunRow row : nodeRows) {
      int at = OperationSeconds.second(row) - start;
      if (at > -MOST_SECONDS && at < MOST_SECONDS) {
        // Two parts of one second where a phase begins: the measured one stands.
        byNode.computeIfAbsent(row.text("node"), n -> new TreeMap<>()).merge(at, row, Better::of);
      }
    }
    List<Integer> seconds = new ArrayList<>(operations.keySet());
    byNode.values().forEach(rows -> seconds.addAll(rows.keySet()));
    if (seconds.isEmpty()) {
      return null;
    }
    int first = seconds.stream().mapToInt(s -> s).min().orElse(0);
    int length = seconds.stream().mapToInt(s -> s).max().orElse(0) - first + 1;
    List<Node> nodes = new ArrayList<>();
    byNode.forEach((name, rows) -> nodes.add(node(name, rows, first, length)));
    double[] ops = new double[length];
    Arrays.setAll(ops, i -> operations.getOrDefault(first + i, Double.NaN));
    return new NodeSeconds(first, measured(nodeRows, operationRows, start), nodes, ops);
  }

  /** The first second of the run, 0 or less. */
  public int first() {
    return first;
  }

  /** Seconds of the measured window. */
  public int measured() {
    return measured;
  }

  /** The nodes, in the order of the file. */
  public List<Node> nodes() {
    return nodes;
  }

  /** Operations that ended in each second, NaN where that was not recorded. */
  public double[] operations() {
    return operations;
  }

  /** Whether some node's quantity was read in some second. */
  public boolean has(Quantity quantity) {
    return nodes.stream().anyMatch(n -> n.values(quantity).length > 0);
  }

  /** How many seconds there are, those before the measured window among them. */
  public int length() {
    return operations.length;
  }

  private static final class Better {
    static RunRow of(RunRow a, RunRow b) {
      return OperationSeconds.isMeasured(b) ? b : a;
    }
  }

  private static Node node(String name, Map<Integer, RunRow> rows, int first, int length) {
    Map<Quantity, double[]> values = new TreeMap<>();
    for (Quantity quantity : Quantity.values()) {
      double[] line = new double[length];
      Arrays.fill(line, Double.NaN);
      rows.forEach((second, row) -> line[second - first] = quantity.of(row));
      if (Arrays.stream(line).noneMatch(Double::isFinite)) {
        rows.forEach((second, row) -> line[second - first] = quantity.otherwise(row));
      }
      if (Arrays.stream(line).anyMatch(Double::isFinite)) {
        values.put(quantity, line);
      }
    }
    boolean[] gaps = new boolean[length];
    boolean meters = values.containsKey(Quantity.POWER);
    rows.forEach((second, row) -> gaps[second - first] = meters && isGap(row));
    return new Node(name, values, gaps);
  }

  /** Older folders have no column for it: there, watts that are missing are a gap. */
  private static boolean isGap(RunRow row) {
    String gap = row.text("gap");
    return gap.isEmpty() ? row.text("power_w").isEmpty() : !gap.equals("0");
  }

  /** The sampler's second in which the measured window begins. */
  private static int start(List<RunRow> rows) {
    return rows.stream()
        .filter(OperationSeconds::isMeasured)
        .mapToInt(OperationSeconds::second)
        .filter(s -> s > -MOST_SECONDS)
        .min()
        .orElse(0);
  }

  private static int measured(List<RunRow> nodeRows, List<RunRow> operationRows, int start) {
    int nodes =
        nodeRows.stream()
            .filter(OperationSeconds::isMeasured)
            .mapToInt(r -> OperationSeconds.second(r) - start + 1)
            .max()
            .orElse(0);
    return Math.max(nodes, OperationSeconds.measured(operationRows));
  }
}
