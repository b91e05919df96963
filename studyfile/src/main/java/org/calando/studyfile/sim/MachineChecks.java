package org.calando.studyfile.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.Nearest;
import org.calando.schema.Values;
import org.calando.studyfile.profile.CalibratedModel;
import org.calando.studyfile.sim.SimMachines.ClientsWork;
import org.calando.studyfile.sim.SimMachines.Machine;

/** Checks what a simulated cluster runs on against its nodes. Not thread safe. */
public final class MachineChecks {

  private final Values store;
  private final SimSpec sim;
  private final List<String> names;
  private final Set<String> known;

  /**
   * Checks to be run.
   *
   * @param store the file's {@code store}
   * @param sim what it comes to
   */
  MachineChecks(Values store, SimSpec sim) {
    this.store = store;
    this.sim = sim;
    this.names = IntStream.rangeClosed(1, sim.size()).mapToObj(i -> "n" + i).toList();
    this.known = Set.copyOf(names);
  }

  /** Reports all that is wrong. */
  void run() {
    List<Machine> hosts = sim.machines().hosts().orElse(List.of());
    checkHosts(hosts);
    sim.machines().clientWork().ifPresent(work -> checkClients(work, hosts));
    sim.machines()
        .clocks()
        .ifPresent(
            clocks ->
                clocks.nodes().keySet().stream()
                    .sorted()
                    .forEach(node -> requireNode("sim.clocks.nodes." + node, node)));
    checkOff();
  }

  private void checkHosts(List<Machine> hosts) {
    Set<String> called = new HashSet<>();
    Set<String> placed = new HashSet<>();
    for (int i = 0; i < hosts.size(); i++) {
      Machine host = hosts.get(i);
      String path = "sim.hosts[" + i + "]";
      if (!called.add(host.name())) {
        store.errorAt(path + ".name", "another machine is called " + host.name(), "rename one");
      } else if (known.contains(host.name())) {
        store.errorAt(path + ".name", "is the name of a node", "choose another");
      }
      List<String> nodes = host.nodes().orElse(names);
      for (int j = 0; j < nodes.size(); j++) {
        String node = path + ".nodes" + (host.nodes().isPresent() ? "[" + j + "]" : "");
        if (requireNode(node, nodes.get(j)) && !placed.add(nodes.get(j))) {
          store.errorAt(node, nodes.get(j) + " is on another machine, too", "leave it on one");
          if (host.nodes().isEmpty()) {
            break; // of all nodes one is enough
          }
        }
      }
    }
  }

  private void checkClients(ClientsWork work, List<Machine> hosts) {
    Set<String> machines = hosts.stream().map(Machine::name).collect(Collectors.toSet());
    if (isSharedByProfile()) {
      machines.add(CalibratedModel.MACHINE);
    }
    Optional<String> host = work.host();
    if (host.isPresent() && !machines.contains(host.get())) {
      store.errorAt(
          "sim.client-work.host",
          "there is no machine " + host.get(),
          machines.isEmpty()
              ? "write hosts, or cores for a machine of their own"
              : "write one of " + machines.stream().sorted().collect(Collectors.joining(", ")));
    } else if (host.isEmpty() && machines.contains(ClientsWork.OWN)) {
      store.errorAt(
          "sim.client-work",
          "has a machine of its own, and another is called " + ClientsWork.OWN,
          "write host: " + ClientsWork.OWN + ", or call that otherwise");
    }
  }

  private boolean isSharedByProfile() {
    return sim.machines().hosts().isEmpty()
        && sim.profile().map(profile -> profile.cluster().sharedMachine()).orElse(false);
  }

  private void checkOff() {
    Set<String> off = sim.machines().off();
    List<String> listed = store.peek("sim.off", MachineSchema.OFF.type()).orElse(List.of());
    for (int i = 0; i < listed.size(); i++) {
      requireNode("sim.off[" + i + "]", listed.get(i));
    }
    if (names.stream().allMatch(off::contains)) {
      store.errorAt("sim.off", "leaves no node on", "leave out one or more");
    }
  }

  private boolean requireNode(String path, String node) {
    boolean there = known.contains(node);
    if (!there) {
      store.errorAt(path, "there is no node " + node, "the nodes are " + Nearest.listed(names));
    }
    return there;
  }
}
