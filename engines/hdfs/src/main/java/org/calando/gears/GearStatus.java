package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.control.JournalEntry;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearLayout;
import org.calando.power.onoff.PowerSwitch;

/**
 * How a geared cluster is: read from the store, its nodes' switches and the gear file. Immutable.
 *
 * @param file the gear file
 * @param inForce the gear that the name server's placement policy says; empty if it says none
 * @param nodes all nodes, in their order
 * @param blocks of the folder that can be read now
 * @param bytes of these
 * @param misplaced replicas that are away from home
 * @param unfinished the plan that was begun and not ended
 * @param unreadable blocks of the whole store that no node has that answers now
 * @param findings what is wrong, and what to do about it
 */
public record GearStatus(
    GearFile file,
    Optional<Integer> inForce,
    List<Node> nodes,
    long blocks,
    long bytes,
    Misplaced misplaced,
    Optional<JournalEntry> unfinished,
    long unreadable,
    List<GearDoctor.Finding> findings) {
  public GearStatus {
    nodes = List.copyOf(nodes);
    findings = List.copyOf(findings);
  }

  /**
   * Replicas that are not on the nodes where the layout wants them.
   *
   * @param replicas that could be brought home in this gear
   * @param bytes of these
   * @param pending replicas that wait for nodes that are off; known of off-loaded writes only
   */
  public record Misplaced(long replicas, long bytes, long pending) {}

  /** Whether all is as it is to be: nodes, blocks, the policy, and no plan waits. */
  public boolean isWell() {
    return findings.isEmpty();
  }

  /**
   * A node.
   *
   * @param member as the name server sees it
   * @param power as its switch says; UNKNOWN without one, or where it does not answer
   * @param blocks that can be read from it
   * @param expected blocks that it would hold with all at home and all nodes on
   * @param maintained whether the hosts file says that it is in maintenance
   */
  public record Node(
      Member member, PowerSwitch.State power, long blocks, double expected, boolean maintained) {}

  /** Looks. */
  public static GearStatus of(GearMeans means) {
    GearFile file = GearFiles.read(means.path());
    GearLayout layout = file.layout();
    long[] held = new long[layout.groups().nodes() + 1];
    long[] sums = new long[2];
    BlockView all = BlockView.ofAnswering(means.cluster());
    means
        .cluster()
        .survey(
            block -> {
              // No node has a whole block of a file that is erasure-coded.
              if (block.copies() > 0) {
                all.add(block);
              }
              if (block.ours()) {
                block.nodes().tailSet(1, true).forEach(node -> held[node]++);
                sums[0]++;
                sums[1] += block.bytes();
              }
            });
    List<Node> nodes = new ArrayList<>();
    Map<String, PowerSwitch.State> power = new HashMap<>();
    Set<String> maintained = means.cluster().maintained();
    for (Member member : means.cluster().members()) {
      power.put(member.name(), means.nodes().power(member.name()));
      nodes.add(
          new Node(
              member,
              power.getOrDefault(member.name(), PowerSwitch.State.UNKNOWN),
              held[member.number()],
              layout.share(member.number()) * sums[0],
              maintained.contains(member.name())));
    }
    List<GearDoctor.Finding> findings =
        new ArrayList<>(GearDoctor.wrong(means, file.gear(), power));
    all.finding(findings.isEmpty() ? Remedies.LOST : Remedies.FIRST).ifPresent(findings::add);
    CatchUp.Look look = new CatchUp(means, file.gear(), means.leftOff(file.gear())).look();
    return new GearStatus(
        file,
        means.cluster().inForce().map(GearCluster.InForce::gear),
        nodes,
        sums[0],
        sums[1],
        new Misplaced(look.plan().transfers().size(), look.plan().bytes(), look.plan().pending()),
        GearShifter.unfinished(means.path()),
        all.unreadable(),
        findings);
  }
}
