package org.calando.engine.cassandra;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.LoadBounds;
import org.calando.engine.StoreSpec;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterInspection;
import org.calando.store.cassandra.ClusterInspection.Answer;
import org.calando.store.cassandra.NodeReport;

/** Compares a cluster with its inventory and with what a study needs of it; only reads. */
final class ClusterDoctor {
  /**
   * The server's own time decides which of two writes wins, and when a claim of a table expires;
   * synchronised clocks are within a few milliseconds.
   */
  private static final long CLOCK_LIMIT_NANOS = 100_000_000;

  private final StoreSpec store;
  private final InventorySpec inventory;
  private final CassandraInventory target;
  private final Optional<String> table;
  private Set<String> off = Set.of();
  private final List<Finding> findings = new ArrayList<>();

  /**
   * A doctor for one cluster.
   *
   * @param table the table that a study would use; empty to look at the nodes only
   */
  ClusterDoctor(CassandraInventory target, Optional<String> table) {
    this.store = target.spec();
    this.inventory = target.inventory();
    this.target = target;
    this.table = table;
  }

  List<Finding> examine() {
    findings.add(new Finding(true, "load", LoadBounds.words(inventory)));
    CassandraStoreConfig config;
    try {
      config = target.store();
    } catch (CalandoException e) {
      problem("cluster", String.valueOf(e.getMessage()));
      return findings;
    }
    off = offByOrder();
    try (ClusterInspection cluster = ClusterInspection.of(config)) {
      cluster
          .refusal()
          .ifPresent(refusal -> problem("cluster", String.valueOf(refusal.getMessage())));
      List<NodeReport> reports = cluster.nodes();
      for (int i = 0; i < reports.size(); i++) {
        node(inventory.nodes().get(i), reports.get(i));
      }
      if (cluster.refusal().isEmpty()) {
        versions(reports);
        unlisted(cluster);
        table.ifPresent(name -> rights(cluster, name));
      }
      jmx(config, cluster);
    }
    return findings;
  }

  private Set<String> offByOrder() {
    try {
      return target.off();
    } catch (CalandoException e) {
      problem("gear", String.valueOf(e.getMessage()));
      return Set.of();
    }
  }

  private void node(InventorySpec.Node node, NodeReport report) {
    String subject = "node " + node.name();
    String where = report.endpoint().toString();
    if (!report.problem().isEmpty() && off.contains(node.name())) {
      // Whoever starts it by hand has it serve before it has what it missed.
      findings.add(new Finding(true, subject, where + " is off by order of its rack's gear"));
      return;
    }
    if (!report.problem().isEmpty()) {
      problem(
          subject,
          where
              + " "
              + report.problem()
              + "\nremedy: start it, or correct its address and port in the inventory");
      return;
    }
    if (report.facts().isEmpty()) {
      findings.add(new Finding(true, subject, where + " takes connections"));
      return;
    }
    NodeReport.Facts facts = report.facts().get();
    List<String> wrong = differences(node, facts);
    String text =
        "%s, %s %s, %s, clock %+.1f ms within %.1f, answers in %.1f ms"
            .formatted(
                where,
                facts.dataCentre(),
                facts.rack(),
                facts.version(),
                facts.clockOffsetNanos() / 1e6,
                facts.clockErrorNanos() / 1e6,
                facts.roundTripNanos() / 1e6);
    findings.add(
        new Finding(wrong.isEmpty(), subject, wrong.isEmpty() ? text : text + "\n" + lines(wrong)));
  }

  private static String lines(List<String> problems) {
    return String.join("\n", problems);
  }

  private List<String> differences(InventorySpec.Node node, NodeReport.Facts facts) {
    List<String> wrong = new ArrayList<>();
    compare(wrong, "data centre", inventory.datacenterOf(node), facts.dataCentre());
    compare(wrong, "rack", node.rack(), facts.rack());
    long surely = Math.abs(facts.clockOffsetNanos()) - facts.clockErrorNanos();
    if (surely > CLOCK_LIMIT_NANOS) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "its clock is more than %d ms from this machine's, and time decides which of two"
                  + " writes wins\nremedy: synchronise the clocks (chrony, ntpd)",
              CLOCK_LIMIT_NANOS / 1_000_000));
    }
    return wrong;
  }

  private static void compare(
      List<String> wrong, String what, Optional<String> listed, String found) {
    if (listed.isPresent() && !listed.get().equals(found)) {
      wrong.add(
          "its "
              + what
              + " is "
              + found
              + ", the inventory has "
              + listed.get()
              + "\nremedy: correct the inventory");
    }
  }

  private void versions(List<NodeReport> reports) {
    NavigableSet<String> versions = new TreeSet<>();
    reports.forEach(report -> report.facts().ifPresent(facts -> versions.add(facts.version())));
    if (versions.size() > 1) {
      problem(
          "versions",
          "the nodes run "
              + String.join(", ", versions)
              + "\nremedy: finish the upgrade first: figures would mix two engines");
    }
  }

  private void unlisted(ClusterInspection cluster) {
    findings.add(
        Finding.of(
            "inventory",
            () -> {
              List<String> unlisted =
                  LoadBounds.unlisted(
                      store, inventory, CassandraInventory.found(cluster.discovered()));
              if (!unlisted.isEmpty()) {
                throw new BadRequestException(
                    "the cluster also has " + String.join(", ", unlisted),
                    "",
                    "list every node: load goes to all of them, and their joules count");
              }
              return "lists every node of the cluster";
            }));
  }

  private void rights(ClusterInspection cluster, String name) {
    add("permissions", cluster.permissions());
    add("keyspace " + store.keyspace(), cluster.ownership(name));
  }

  private void add(String subject, Answer answer) {
    findings.add(new Finding(answer.state() != Answer.State.NO, subject, answer.text()));
  }

  private void jmx(CassandraStoreConfig config, ClusterInspection cluster) {
    List<String> obstacles = cluster.jmx();
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < obstacles.size(); i++) {
      if (!obstacles.get(i).isEmpty() && !off.contains(inventory.nodes().get(i).name())) {
        wrong.add(config.jmxEndpoints().get(i) + ": " + obstacles.get(i));
      }
    }
    if (!wrong.isEmpty()) {
      problem(
          "JMX",
          lines(wrong) + "\nremedy: correct jmx, jmx-user or jmx-password-file, or leave jmx out");
    } else if (!obstacles.isEmpty()) {
      findings.add(
          new Finding(
              true, "JMX", "of every node " + (off.isEmpty() ? "" : "that is on ") + "answers"));
    } else if (!target.latencies().isEmpty()) {
      jmxOfAgents();
    } else if (inventory.nodes().stream().anyMatch(node -> node.jmx().isPresent())) {
      findings.add(
          new Finding(
              true, "JMX", "is not used: give it for every node, for all in one of the two ways"));
    }
  }

  /** All are asked before one is waited for. */
  private void jmxOfAgents() {
    List<CompletableFuture<long[]>> asked =
        target.latencies().stream().map(AgentLatencies::ask).toList();
    List<String> wrong = new ArrayList<>();
    for (CompletableFuture<long[]> answer : asked) {
      try {
        long[] unused = answer.join();
      } catch (CompletionException e) {
        wrong.add(String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()));
      }
    }
    if (wrong.isEmpty()) {
      findings.add(new Finding(true, "JMX", "of every node answers, through its agent"));
    } else {
      problem("JMX", lines(wrong) + "\nremedy: correct jmx in the agents' files, or leave it out");
    }
  }

  private void problem(String subject, String text) {
    findings.add(new Finding(false, subject, text));
  }
}
