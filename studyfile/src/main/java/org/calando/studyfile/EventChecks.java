package org.calando.studyfile;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.calando.core.Nearest;
import org.calando.engine.Engine;
import org.calando.engine.Feature;
import org.calando.engine.LinkDelay;
import org.calando.engine.LinkDelayType;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.studyfile.sim.SimSpec;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * Checks the study's events against its store and the lengths of its runs. Works on each event that
 * is right by itself. Not thread safe.
 */
final class EventChecks {
  private static final String EVENTS = "events";

  private final Values study;
  private final List<Item> items = new ArrayList<>();

  /** An event and its place. */
  private record Item(String path, EventSpec event) {}

  EventChecks(Values study) {
    this.study = study;
    for (int i = 0; i < study.items(EVENTS); i++) {
      String path = EVENTS + "[" + i + "]";
      study.peek(path, EventSchema.ITEM).ifPresent(event -> items.add(new Item(path, event)));
    }
  }

  /** Reports all that is wrong. */
  void run(Key<StoreSpec> store, Key<WorkloadSpec> workload, Key<List<MatrixSpec>> matrix) {
    if (!study.has(EVENTS)) {
      return;
    }
    Optional<Engine> engine = StoreSchema.engine(study);
    if (engine.filter(one -> !one.supports(Feature.NODE_EVENTS)).isPresent()) {
      study.errorAt(EVENTS, "are not supported by " + engine.get().id(), "remove them");
      return;
    }
    if (study.has("store.inventory") && !study.has("store.local")) {
      study.errorAt(
          EVENTS,
          "happen to a local cluster only",
          "remove them, or write store.local in place of the inventory");
      return;
    }
    checkOrder();
    study.find(store).ifPresent(this::checkNodes);
    study
        .find(matrix)
        .ifPresent(parts -> checkLengths(parts, study.find(workload), Places.parts(study, matrix)));
  }

  private void checkOrder() {
    for (int i = 1; i < items.size(); i++) {
      long before = items.get(i - 1).event().atNanos();
      if (items.get(i).event().atNanos() < before) {
        study.errorAt(
            items.get(i).path() + ".at",
            "is before the event above, which is at " + Units.formatNanos(before),
            "write events in their order");
      }
    }
  }

  private void checkNodes(StoreSpec store) {
    int nodes = store.nodes();
    List<String> names = IntStream.rangeClosed(1, nodes).mapToObj(i -> "n" + i).toList();
    Set<String> away = new HashSet<>();
    Set<String> off =
        new HashSet<>(SimSpec.of(store).map(sim -> sim.machines().off()).orElse(Set.of()));
    for (Item item : items) {
      EventSpec.Action action = item.event().action();
      if (action instanceof EventSpec.Links && !store.supports(Feature.LINK_DELAYS)) {
        study.errorAt(
            item.path() + ".link-delay", "is not supported by " + store.engine(), "remove it");
      } else if (action instanceof EventSpec.Links links) {
        checkDelay(item, links.delay(), nodes);
      } else if (action instanceof EventSpec.Kill kill) {
        checkEnd(item.path() + ".kill-node", kill.node(), names, away, off);
      } else if (action instanceof EventSpec.Stop stop) {
        checkEnd(item.path() + ".stop-node", stop.node(), names, away, off);
      } else if (action instanceof EventSpec.Start start) {
        checkStart(item.path() + ".start-node", start.node(), names, away, off);
      } else if (!store.isSimulated()) {
        study.errorAt(item.path(), "is for simulated nodes", "kill, stop or start real ones");
      } else if (action instanceof EventSpec.SwitchOff node) {
        checkOff(item.path() + ".switch-off", node.node(), names, away, off);
      } else if (action instanceof EventSpec.SwitchOn node) {
        checkOn(item.path() + ".switch-on", node.node(), names, off);
      }
    }
  }

  private void checkDelay(Item item, LinkDelay delay, int nodes) {
    LinkDelayType.check(study, item.path() + ".link-delay", delay, nodes);
  }

  private void checkEnd(
      String path, String node, List<String> names, Set<String> away, Set<String> off) {
    if (!isThere(path, node, names)) {
      return;
    }
    if (off.contains(node)) {
      study.errorAt(path, node + " is switched off", "switch it on before");
    } else if (!away.add(node)) {
      study.errorAt(path, node + " was ended before", "start it before it ends again");
    }
  }

  private void checkStart(
      String path, String node, List<String> names, Set<String> away, Set<String> off) {
    if (!isThere(path, node, names)) {
      return;
    }
    if (off.contains(node)) {
      study.errorAt(path, node + " is switched off", "write switch-on");
    } else if (!away.remove(node)) {
      study.errorAt(path, node + " is running", "kill or stop it before");
    }
  }

  private void checkOff(
      String path, String node, List<String> names, Set<String> away, Set<String> off) {
    if (!isThere(path, node, names)) {
      return;
    }
    if (away.contains(node)) {
      study.errorAt(path, node + " was ended before", "start it before it is switched off");
    } else if (!off.add(node)) {
      study.errorAt(path, node + " is switched off", "switch it on before");
    }
  }

  private void checkOn(String path, String node, List<String> names, Set<String> off) {
    if (isThere(path, node, names) && !off.remove(node)) {
      study.errorAt(path, node + " is on", "switch it off before");
    }
  }

  private boolean isThere(String path, String node, List<String> names) {
    if (!names.contains(node)) {
      study.errorAt(path, "there is no node " + node, "the nodes are " + Nearest.listed(names));
      return false;
    }
    return true;
  }

  private void checkLengths(
      List<MatrixSpec> parts, Optional<WorkloadSpec> common, List<String> paths) {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < parts.size(); i++) {
      for (Length length : lengths(parts.get(i), common, paths.get(i))) {
        if (length.operations() > 0) {
          study.errorAt(
              length.path(),
              "makes runs of a number of operations, in which events have no place",
              "write duration in place of operations");
          break;
        }
        shortest = length.nanos() > 0 ? Math.min(shortest, length.nanos()) : shortest;
      }
    }
    for (Item item : items) {
      if (item.event().atNanos() >= shortest) {
        study.errorAt(
            item.path() + ".at",
            "is not before the end of runs of " + Units.formatNanos(shortest),
            "write an earlier time, or let runs be longer");
      }
    }
  }

  /** How long runs are and where that is written; nothing is known where all are 0. */
  private record Length(String path, long operations, long nanos) {}

  private static List<Length> lengths(MatrixSpec part, Optional<WorkloadSpec> common, String path) {
    if (part.hasLength()) {
      return List.of(new Length(path, part.operations(), part.durationNanos()));
    }
    if (common.isPresent() && common.get().hasLength()) {
      WorkloadSpec workload = common.get();
      return List.of(new Length("workload", workload.operations(), workload.durationNanos()));
    }
    return part.of(Axes.WORKLOAD).stream()
        .map(workload -> new Length(path, workload.operations(), workload.durationNanos()))
        .toList();
  }
}
