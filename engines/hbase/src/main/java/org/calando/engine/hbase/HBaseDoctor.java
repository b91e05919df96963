package org.calando.engine.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.LoadBounds;
import org.calando.store.hbase.HBaseClusterState;
import org.calando.store.hbase.HBaseServer;
import org.calando.store.hbase.HBaseStore;

/** Compares an HBase with its inventory and with what a study needs of it; only reads. */
final class HBaseDoctor {
  private final HBaseInventory target;
  private final Optional<String> table;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * A doctor for one cluster.
   *
   * @param table the table that a study would use; empty to look at the servers only
   */
  HBaseDoctor(HBaseInventory target, Optional<String> table) {
    this.target = target;
    this.table = table;
  }

  List<Finding> examine() {
    findings.add(new Finding(true, "load", LoadBounds.words(target.inventory())));
    try (HBaseStore connected = HBaseStore.connect(target.config())) {
      HBaseClusterState state = connected.cluster();
      findings.add(new Finding(true, "cluster", words(state)));
      target.inventory().nodes().forEach(node -> node(node, state));
      findings.add(Finding.of("inventory", () -> listed(state)));
      table.ifPresent(
          name ->
              findings.add(
                  Finding.of(
                      "table " + target.spec().keyspace() + ":" + name,
                      () -> owner(connected, name))));
    } catch (CalandoException e) {
      findings.add(new Finding(false, "cluster", String.valueOf(e.getMessage())));
    }
    return findings;
  }

  private static String words(HBaseClusterState state) {
    StringBuilder words = new StringBuilder("hbase ").append(state.version());
    words.append(state.master().map(server -> ", master " + server).orElse(", no active master"));
    int servers = state.servers().size();
    words.append(", ").append(servers).append(servers == 1 ? " RegionServer" : " RegionServers");
    if (state.regionsInTransition() > 0) {
      words.append(", ").append(state.regionsInTransition()).append(" regions on their way");
    }
    if (state.balancing()) {
      words.append("; its balancer is on, and may move regions during a run");
    }
    return words.toString();
  }

  private void node(InventorySpec.Node node, HBaseClusterState state) {
    String subject = "node " + node.name();
    String where = node.address() + ":" + node.port();
    if (!target.servers().contains(node)) {
      findings.add(new Finding(true, subject, "no RegionServer; its joules count"));
    } else if (HBaseInventory.lives(node, state)) {
      findings.add(new Finding(true, subject, where + ", a RegionServer that lives"));
    } else {
      findings.add(
          new Finding(
              false,
              subject,
              "no RegionServer lives at "
                  + where
                  + dead(state)
                  + "\nremedy: start it, correct its address and port, or name the node under"
                  + " hbase.others"));
    }
  }

  private static String dead(HBaseClusterState state) {
    return state.dead().isEmpty()
        ? ""
        : "; dead are "
            + String.join(", ", state.dead().stream().map(HBaseServer::toString).toList());
  }

  private String listed(HBaseClusterState state) {
    List<String> unlisted = target.unlisted(state);
    if (!unlisted.isEmpty()) {
      throw new BadRequestException(
          "the cluster also has " + String.join(", ", unlisted),
          "",
          "list each RegionServer by this name and port: load goes to all of them, and their joules"
              + " count");
    }
    return "lists every RegionServer"
        + target.notes().stream().map(note -> "; " + note).collect(Collectors.joining());
  }

  private String owner(HBaseStore connected, String name) {
    return switch (connected.ownership(name)) {
      case ABSENT -> "does not exist yet; a study creates it";
      case OURS -> "is Calando's; a study drops it and makes it anew";
      case FOREIGN ->
          throw new BadRequestException(
              "there is a table that Calando did not make",
              "",
              "choose another keyspace, or drop the table yourself");
      case FOREIGN_NAMESPACE ->
          throw new BadRequestException(
              "there is a namespace that Calando did not make", "", "choose another keyspace");
    };
  }
}
