package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.RackNode;
import org.calando.core.layout.rack.RackOrder;
import org.calando.core.layout.rack.Shortfall;
import org.calando.gears.rack.RackState.Known;
import org.calando.gears.rack.RackStatus.Problem;
import org.calando.store.cassandra.gear.NodeSight;
import org.calando.store.cassandra.gear.RackServers.Graces;

/*
 * Undelivered hints for the rack: a persistent hint window (CASSANDRA-14309) keeps no new ones for a node whose oldest is
 * older than the window. Hints held by the rack: what was written at ONE may be in them alone.
 */
/** What has to be so before racks go off. Stateless. */
final class RackGates {
  private static final String WAIT =
      "wait until that has ended (nodetool netstats, nodetool repair_admin)";

  private RackGates() {}

  /**
   * Refuses to let racks go off while something is not as it has to be.
   *
   * @return ids of the tables that there are; empty if they are not known
   * @throws FailedWorkException naming the first
   */
  static Optional<SortedSet<String>> require(RackMeans means, Set<String> racks) {
    List<Graces> asked = new ArrayList<>();
    for (Problem first : problems(means, racks, asked::add)) {
      throw new FailedWorkException(first.problem(), first.where(), first.remedy());
    }
    return RackGraces.tables(asked.get(0));
  }

  /** What is not as it has to be, the first to mend first. */
  static List<Problem> problems(RackMeans means, Set<String> racks) {
    return problems(means, racks, graces -> {});
  }

  private static List<Problem> problems(
      RackMeans means, Set<String> racks, Consumer<Graces> asked) {
    List<Problem> problems = new ArrayList<>();
    List<NodeSight> sights = means.sights(means.servers().names());
    Set<String> silent = new LinkedHashSet<>(means.servers().names());
    sights.forEach(sight -> silent.remove(sight.node().name()));
    silent.forEach(
        name -> problems.add(new Problem(means.silence(name), "node " + name, RackMeans.ANSWER)));
    if (problems.isEmpty()) {
      sights.forEach(sight -> look(sight, sights, problems));
    }
    if (problems.isEmpty()) {
      replicas(means, sights, racks).ifPresent(problems::add);
      Graces graces = means.servers().graces();
      asked.accept(graces);
      RackGraces.problem(means, graces).ifPresent(problems::add);
    }
    return problems;
  }

  private static void look(NodeSight sight, List<NodeSight> all, List<Problem> problems) {
    String where = "node " + sight.node().name();
    if (!sight.mode().equals(NodeSight.NORMAL)) {
      problems.add(
          new Problem("it is " + sight.mode(), where, "start it, and wait until it serves"));
    }
    Set<String> away = new TreeSet<>(sight.members());
    away.removeAll(sight.live());
    if (!away.isEmpty()) {
      problems.add(new Problem("it sees down: " + named(away, all), where, "start those nodes"));
    }
    if (sight.members().size() != all.size()) {
      problems.add(
          new Problem(
              "it knows %d nodes, and %d are listed".formatted(sight.members().size(), all.size()),
              where,
              "list every node of the cluster in the inventory"));
    }
    if (!sight.schema().equals(all.get(0).schema())) {
      problems.add(
          new Problem(
              "its schema is another than that of " + all.get(0).node().name(),
              where,
              "wait until all have the same (nodetool describecluster)"));
    }
    if (!sight.busy().isEmpty()) {
      problems.add(new Problem("it is at " + String.join(" and ", sight.busy()), where, WAIT));
    }
    hints(sight, all, where, problems);
  }

  private static void hints(
      NodeSight sight, List<NodeSight> all, String where, List<Problem> problems) {
    NodeSight.Hints hints = sight.hints();
    if (!hints.enabled()) {
      problems.add(
          new Problem(
              "it keeps no hints, which are what a rack that was off is given back",
              where,
              "nodetool enablehandoff, and nodetool enablehintsfordc"));
    }
    if (!sight.owes().isEmpty()) {
      problems.add(
          new Problem(
              "hints are not delivered yet, for " + named(sight.owes(), all),
              where,
              "wait until they are (nodetool listpendinghints); with all nodes up that takes"
                  + " seconds to minutes"));
    }
  }

  /**
   * Refuses to go on with a shift down whose nodes have begun to go, while one that stays is not as
   * it has to be.
   *
   * @throws FailedWorkException naming it
   */
  static void requireStaying(
      RackMeans means, RackState state, Collection<String> staying, String remedy) {
    Set<String> ids = new TreeSet<>();
    staying.forEach(name -> ids.add(state.hostId(name)));
    for (NodeSight sight : means.all(staying)) {
      String where = "node " + sight.node().name();
      if (!sight.mode().equals(NodeSight.NORMAL) || !sight.live().containsAll(ids)) {
        throw new FailedWorkException(
            "it should stay, and is " + sight.mode() + " or sees another of those down",
            where,
            remedy);
      }
      if (!sight.hints().enabled() || sight.hints().mostMebibytes() > 0) {
        throw new FailedWorkException(
            "it keeps no hints, or not all", where, "nodetool enablehandoff; " + remedy);
      }
    }
  }

  /**
   * Refuses to have a further node go in a shift down, whatever a look found minutes ago.
   *
   * @throws FailedWorkException naming what is not as it has to be
   */
  static void requireGoing(
      RackMeans means, RackState state, Collection<String> staying, Set<String> racks) {
    String remedy = means.command("up") + " --undo";
    requireStaying(means, state, staying, remedy);
    requireKept(means, state, racks, remedy);
    for (NodeSight sight : means.sights(means.servers().names())) {
      if (!sight.busy().isEmpty()) {
        throw new FailedWorkException(
            "it is at " + String.join(" and ", sight.busy()),
            "node " + sight.node().name(),
            WAIT + "; or " + remedy);
      }
    }
  }

  /**
   * Refuses to go on with a shift down whose nodes have begun to go, while a range would keep too
   * few copies, by what is promised and replicated now.
   *
   * @throws FailedWorkException naming it
   */
  static void requireKept(RackMeans means, RackState state, Set<String> racks, String remedy) {
    shortfall(means, state, means.all(means.on(state, new TreeSet<>(racks))), racks)
        .ifPresent(
            found -> {
              throw new FailedWorkException(
                  found.words(), "without " + String.join(", ", racks), remedy);
            });
  }

  /**
   * A range that has too few copies while racks are off, by what is promised and replicated now.
   *
   * @param staying some that stay; the first is asked
   */
  static Optional<Shortfall> shortfall(
      RackMeans means, RackState state, List<NodeSight> staying, Set<String> racks) {
    return RackOrder.shortfall(
        state.nodes().stream().map(Known::node).toList(),
        means.relied(staying),
        means.keeps(),
        racks);
  }

  /**
   * Refuses to have racks back while the ring has nodes that are not listed: they may have hints,
   * or lack what was written.
   *
   * @throws BadRequestException naming their host ids
   */
  static void requireListed(RackMeans means, RackState state) {
    Set<String> unlisted = new TreeSet<>();
    Set<String> known = new TreeSet<>();
    for (NodeSight sight : means.sights(means.servers().names())) {
      unlisted.addAll(sight.members());
      known.add(sight.hostId());
    }
    state.nodes().stream()
        .filter(each -> means.servers().names().contains(each.node().name()))
        .forEach(each -> known.add(each.hostId()));
    unlisted.removeAll(known);
    if (!unlisted.isEmpty()) {
      throw new BadRequestException(
          "the cluster has nodes that are not listed, or do not answer, and may have hints: "
              + String.join(", ", unlisted),
          "inventory",
          "list every node of the cluster, with its jmx, and start those that do not run; one that"
              + " is lost for good leaves by nodetool removenode HOST_ID");
    }
  }

  private static String named(Set<String> hostIds, List<NodeSight> all) {
    Set<String> names = new TreeSet<>(hostIds);
    for (NodeSight sight : all) {
      if (names.remove(sight.hostId())) {
        names.add(sight.node().name());
      }
    }
    return String.join(", ", names);
  }

  private static Optional<Problem> replicas(
      RackMeans means, List<NodeSight> sights, Set<String> racks) {
    List<RackNode> nodes = sights.stream().map(NodeSight::node).toList();
    return RackOrder.shortfall(nodes, means.relied(sights), means.keeps(), racks)
        .map(
            found ->
                new Problem(
                    found.words(),
                    "without " + String.join(", ", racks),
                    "have it replicated in more racks: ALTER KEYSPACE %s WITH replication ="
                            .formatted(found.keyspace())
                        + " {'class': 'NetworkTopologyStrategy', ...}, then nodetool repair --full "
                        + found.keyspace()));
  }
}
