package org.calando.knob.level;

import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.GearedNodes;
import org.calando.engine.LocalSchema;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.MonitorSchema;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Values;

/** Checks {@code matrix.consistency} against the rest. Not thread safe. */
final class LevelChecks {
  private final StudyChecks checks;
  private final Values study;

  LevelChecks(StudyChecks checks) {
    this.checks = checks;
    this.study = checks.study();
  }

  /** Reports what is wrong with levels whatever else is wrong with the store. */
  void checkKeys() {
    if (study.has("matrix")) {
      Optional<Engine> files =
          StoreSchema.engine(study).filter(engine -> engine.supports(Feature.FILES));
      checks.parts().forEach(part -> checkGiven(part, files));
    }
    ReplicaPlacement placement = placement();
    for (Place<LevelPair> place : checks.values(LevelKnob.AXIS)) {
      checkReplicas(place.path(), place.value(), placement);
    }
  }

  private void checkGiven(String part, Optional<Engine> files) {
    String name = LevelKnob.AXIS.name();
    if (files.isPresent()) {
      String why = "is not supported by " + files.get().title() + ", which has no levels";
      checks.paths(part, name).forEach(path -> study.errorAt(path, why, "remove it"));
    } else if (checks.paths(part, name).isEmpty()
        && checks.covered(part, LevelKnob.AXIS).isEmpty()) {
      study.errorAt(
          part + "." + name, "is missing", "write " + LevelKnob.AXIS.key().type().label());
    } else {
      checks
          .without(part, LevelKnob.AXIS)
          .forEach(
              path ->
                  study.errorAt(
                      path, "has no level or policy of reads", "add one, such as QUORUM"));
    }
  }

  /**
   * That of the store; or, if something is wrong with it, as far as its number of replicas goes.
   */
  private ReplicaPlacement placement() {
    return checks
        .found()
        .map(StoreSpec::placement)
        .or(
            () ->
                study
                    .peek("store.sim.rf", ReplicationSchema.TYPE)
                    .map(ReplicationSchema::total)
                    .or(() -> study.peek("store.local.rf", LocalSchema.RF.type()))
                    .or(
                        () ->
                            study
                                .peek("store.rf", ReplicationSchema.TYPE)
                                .map(ReplicationSchema::total))
                    .map(ReplicaPlacement::single))
        .orElse(ReplicaPlacement.single(Integer.MAX_VALUE));
  }

  private void checkReplicas(String path, LevelPair pair, ReplicaPlacement placement) {
    if (pair.equals(LevelPair.both(pair.write()))) {
      checkLevel(path, pair.write(), placement);
    } else {
      pair.fixedRead().ifPresent(level -> checkLevel(path + ".read", level, placement));
      checkLevel(path + ".write", pair.write(), placement);
    }
  }

  private void checkLevel(String path, ConsistencyLevel level, ReplicaPlacement placement) {
    int needed = placement.involved(level);
    int replicas = placement.among(level);
    if (needed > replicas) {
      study.errorAt(
          path,
          level + " needs " + needed + " replicas, the replication factor is " + replicas,
          "choose a weaker level or a higher replication factor");
    }
  }

  /** Reports what does not fit the store. */
  void check() {
    StoreSpec store = checks.store();
    boolean isStatic =
        study.find(MonitorSchema.MONITOR).filter(MonitorSpec::staticLevels).isPresent();
    if (isStatic && !store.supports(Feature.LEVEL_POLICIES)) {
      study.errorAt("monitor.static-levels", "is not supported by " + store.engine(), "remove it");
    }
    for (Place<LevelPair> place : checks.values(LevelKnob.AXIS)) {
      checkReads(place, store);
      GearedNodes.of(store)
          .filter(geared -> geared.highest().isPresent())
          .ifPresent(geared -> checkGears(place, geared));
    }
  }

  /** What of reads only some engines choose. */
  private void checkReads(Place<LevelPair> place, StoreSpec store) {
    LevelPair pair = place.value();
    if (pair.read() instanceof ReadLevel.From && !store.supports(Feature.READ_FROM)) {
      study.errorAt(
          place.path() + ".read",
          pair.read().label()
              + " is supported only by "
              + Engines.names(Feature.READ_FROM)
              + ", which has one master",
          "write a level such as ONE");
    }
    if (pair.policy().isPresent() && !store.supports(Feature.LEVEL_POLICIES)) {
      study.errorAt(
          place.path() + ".read",
          "a policy of levels is not supported by " + store.engine(),
          "write a level such as ONE");
    }
  }

  /** Gears that have fewer replicas on than levels need. */
  private void checkGears(Place<LevelPair> place, GearedNodes geared) {
    int all = geared.copies(geared.highest().orElseThrow());
    int needed = place.value().replicas(ReplicaPlacement.single(all));
    for (Place<GearChoice> gear : checks.values(GearSchema.AXIS)) {
      int lowest = gear.value().lowest();
      int copies = geared.copies(lowest);
      if (gear.part().equals(place.part()) && gear.isBeside(place) && needed > copies) {
        study.errorAt(
            gear.path(),
            "gear %d has %d of the %d replicas that %s needs"
                .formatted(lowest, copies, needed, place.value().label()),
            "write a higher gear, or a weaker level");
      }
    }
  }
}
