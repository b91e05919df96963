package org.calando.studyfile;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.store.ReplicaPlacement;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.GearedFiles;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.Place;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.level.LevelPair;
import org.calando.studyfile.sim.SimSpec;

/** Checks {@code matrix.gear} and the store's gears against the rest. Not thread safe. */
final class GearChecks {
  private static final String GEARS = "store.sim.gears";

  private final Values study;

  GearChecks(Values study) {
    this.study = study;
  }

  /** Reports all that is wrong; what is wrong with the store is told already. */
  void run(Key<StoreSpec> storeKey, Key<List<MatrixSpec>> matrix) {
    Optional<StoreSpec> store = study.find(storeKey);
    if (store.isEmpty()) {
      return;
    }
    Optional<GearedFiles> files = store.get().local().flatMap(one -> one.find(GearedFiles.class));
    if (files.isPresent()) {
      checkFiles(files.get(), matrix);
      return;
    }
    Optional<SimSpec> sim = SimSpec.of(store.get());
    Optional<GearNodes> gears = sim.flatMap(SimSpec::gears);
    gears.ifPresent(nodes -> checkCluster(sim.orElseThrow(), nodes));
    for (String path : Places.of(study, matrix, Axes.GEAR)) {
      if (gears.isEmpty()) {
        study.errorAt(
            path,
            "holds only for a simulated cluster with gears, and for " + real(),
            "add " + GEARS + ": {nodes: [3, 7], capacity: 100/s}, or remove it");
      }
    }
    gears.ifPresent(
        nodes -> Places.parts(study, matrix).forEach(part -> checkChoices(part, nodes)));
    if (study.has("events") && study.find(matrix).stream().anyMatch(GearChecks::shifts)) {
      study.errorAt("events", "gears switch nodes, too", "remove events or matrix.gear");
    }
  }

  /** A real cluster keeps every block readable in every gear. */
  private void checkFiles(GearedFiles files, Key<List<MatrixSpec>> matrix) {
    for (Place<GearChoice> place : Places.values(study, matrix, Axes.GEAR)) {
      check(place.path(), place.value(), files.gears().size());
      if (place.value().kind() != GearChoice.Kind.FIXED) {
        checkPolicy(place.path(), place.part(), files);
      }
    }
  }

  private void checkPolicy(String item, String part, GearedFiles files) {
    checkOpenLoop(item, part);
    if (files.nodePerSecond().isEmpty()) {
      study.errorAt(
          item, "nobody tells what a node serves", "write store.local.capacity, such as 40/s");
    }
  }

  private void checkOpenLoop(String item, String part) {
    if (!study.has(part + ".rate")) {
      study.errorAt(item, "a closed loop asks for no more than it gets", "write rate, not threads");
    }
  }

  private static String real() {
    return Engines.with(Feature.GEARS).stream()
        .filter(engine -> !engine.supports(Feature.SIMULATED))
        .map(Engine::id)
        .collect(Collectors.joining(" and "));
  }

  private static boolean shifts(List<MatrixSpec> parts) {
    return parts.stream().anyMatch(part -> part.sets(Axes.GEAR));
  }

  private void checkCluster(SimSpec sim, GearNodes gears) {
    int last = gears.nodesOn().get(gears.gears() - 1);
    if (last != sim.size()) {
      study.errorAt(
          GEARS,
          "the last gear has " + last + " nodes, the cluster " + sim.size(),
          "write all nodes for the last gear");
    }
    if (sim.dataCentres().size() > 1 || sim.model().hasGroups()) {
      study.errorAt(
          GEARS, "is not supported with data centres, or masters in groups", "remove these");
    }
    if (ReplicationSchema.total(sim.replicas()) != gears.gears()) {
      study.errorAt(
          GEARS,
          "each of the " + gears.gears() + " groups holds a replica of everything",
          "write rf: " + gears.gears());
    }
    for (String key : List.of("racks", "layout", "off")) {
      if (study.has("store.sim." + key)) {
        study.errorAt("store.sim." + key, "given beside gears, which say it", "remove it");
      }
    }
  }

  private void checkChoices(String part, GearNodes gears) {
    if (!Places.of(study, part, Axes.GEAR).isEmpty()) {
      Places.of(study, part, Axes.LAYOUT)
          .forEach(
              path ->
                  study.errorAt(path, "is not supported with a cluster with gears", "remove it"));
    }
    for (Place<GearChoice> place : Places.values(study, part, Axes.GEAR)) {
      check(place.path(), place.value(), gears.gears());
      checkLevels(place, gears);
      if (place.value().kind() != GearChoice.Kind.FIXED) {
        checkOpenLoop(place.path(), part);
      }
    }
  }

  /** In gear g there are g replicas of a key. */
  private void checkLevels(Place<GearChoice> gear, GearNodes gears) {
    ReplicaPlacement all = ReplicaPlacement.single(gears.gears());
    int lowest = gear.value().lowest();
    for (Place<LevelPair> place : Places.values(study, gear.part(), Axes.CONSISTENCY)) {
      if (!place.isBeside(gear)) {
        continue;
      }
      LevelPair pair = place.value();
      int read = pair.fixedRead().map(all::involved).orElse(0);
      int needed = Math.max(read, all.involved(pair.write()));
      if (needed > lowest) {
        study.errorAt(
            gear.path(),
            "gear %d has %d of the %d replicas that %s needs"
                .formatted(lowest, lowest, needed, pair.label()),
            "write a higher gear, or a weaker level");
      }
    }
  }

  private void check(String item, GearChoice choice, int gears) {
    if (choice.highest() > gears) {
      study.errorAt(item, "there is no gear " + choice.highest(), "write at most " + gears);
    }
    if (choice.kind() == GearChoice.Kind.SCHEDULE) {
      try {
        choice.timetable();
      } catch (BadRequestException | IllegalArgumentException e) {
        study.errorAt(item, "two entries are of one time", "write each time once");
      }
    }
  }
}
