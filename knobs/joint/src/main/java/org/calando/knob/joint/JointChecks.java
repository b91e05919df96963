package org.calando.knob.joint;

import java.util.List;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.engine.EngineSettings;
import org.calando.engine.StoreSpec;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** Checks {@code control: [{joint: ..}]} against the store and the promise. Not thread safe. */
final class JointChecks {
  private static final String PROMISE = "promise";
  private static final String STALE = PROMISE + ".stale";
  private static final String SURVIVE = PROMISE + ".survive";
  private static final String COPIES = PROMISE + ".copies";
  private static final int MOST = 1000;

  private final StudyChecks checks;
  private final Values study;

  JointChecks(StudyChecks checks) {
    this.checks = checks;
    this.study = checks.study();
  }

  void run() {
    List<Place<JointChoice>> places = checks.values(JointKnob.AXIS);
    if (places.isEmpty()) {
      checkJudged();
      return;
    }
    StoreSpec store = checks.store();
    String first = places.get(0).path();
    if (store.find(ModelledWork.class).isEmpty()) {
      study.errorAt(
          first,
          "is not supported by " + store.kind().title() + ", of which no file says what work costs",
          "study a simulated cluster, or set each knob by a policy: beside");
      return;
    }
    checkCluster(first, store);
    checkPromise(first);
    places.forEach(place -> check(place, store));
  }

  /** What no run of the study is chosen by is not promised. */
  private void checkJudged() {
    for (String part : List.of(COPIES, SURVIVE)) {
      if (study.has(part)) {
        study.errorAt(
            part,
            "only a joint controller keeps to it, and no run is judged by it",
            "remove it, or add joint: {} to matrix.control");
      }
    }
  }

  private void checkCluster(String path, StoreSpec store) {
    if (store.settings().stream().anyMatch(EngineSettings::hasRoles)) {
      study.errorAt(path, "is not supported with masters in groups", "remove these");
    }
    ReplicaPlacement placement = store.placement();
    if (placement.among(ConsistencyLevel.LOCAL_ONE) != placement.among(ConsistencyLevel.ONE)) {
      study.errorAt(path, "is not supported with several data centres", "study one of them");
    }
    for (String key : List.of("ghz", "nodes")) {
      if (study.has("store.sim.clocks." + key)) {
        study.errorAt("store.sim.clocks." + key, "is what " + path + " sets", "remove it");
      }
    }
  }

  /** What is promised has to be there, and something has to tell of each part. */
  private void checkPromise(String path) {
    if (!study.has(PROMISE)) {
      study.errorAt(
          path,
          "keeps the study's promise, and there is none",
          "add promise: {stale: 1%, read-p99: 50ms}");
    }
    if (study.has(PROMISE + ".fresh")) {
      study.errorAt(
          PROMISE + ".fresh",
          "no signal tells " + path + " when others can read a write",
          "remove it, or promise a share of stale reads: stale: 1%");
    }
  }

  private void check(Place<JointChoice> place, StoreSpec store) {
    String path = place.path();
    ReplicaPlacement placement = store.placement();
    ConsistencyLevel write = place.value().write();
    int replicas = placement.among(write);
    int needed = placement.involved(write);
    if (needed > replicas) {
      study.errorAt(
          path + ".write",
          write + " needs " + needed + " replicas, the replication factor is " + replicas,
          "choose a weaker level or a higher replication factor");
    }
    int survive = study.peek(SURVIVE, Types.integer(0, MOST)).orElse(0);
    if (needed <= replicas && needed + survive > replicas) {
      study.errorAt(
          SURVIVE,
          "of %d replicas %d would be left if %d fail, writes at %s need %d"
              .formatted(replicas, Math.max(0, replicas - survive), survive, write, needed),
          "promise less, write at a weaker level, or replicate to more nodes");
    }
    if (needed + survive <= replicas && needed <= survive && !mayBeStale()) {
      study.errorAt(
          SURVIVE,
          "no stale reads are promised, so they ask %d of %d replicas where writes at %s need %d,"
                  .formatted(replicas - needed + 1, replicas, write, needed)
              + " and %d would be left".formatted(replicas - survive),
          "promise some stale reads: stale: 1%, survive less, or write at a stronger level");
    }
    int copies = study.peek(COPIES, Types.integer(1, MOST)).orElse(1);
    if (copies > replicas) {
      study.errorAt(
          COPIES, "the replication factor is " + replicas, "promise at most so many copies");
    }
    if (JointKnob.gears(store, Profiles.byName(Profiles.DEFAULT).orElseThrow()).isPresent()) {
      checkGears(place);
    }
  }

  /** Whether reads need not be strong. */
  private boolean mayBeStale() {
    return study.has(STALE) && study.peek(STALE, Types.share()).orElse(1.0) > 0;
  }

  private void checkGears(Place<JointChoice> place) {
    if (!study.has(place.part() + ".rate")) {
      study.errorAt(
          place.path(), "a closed loop asks for no more than it gets", "write rate, not threads");
    }
    if (study.has("events")) {
      study.errorAt("events", "gears switch nodes, too", "remove events or store.sim.gears");
    }
    boolean dual =
        study
            .peek("staleness", Types.text("a method", "[a-z-]+", ""))
            .filter("dual-read"::equals)
            .isPresent();
    if (dual) {
      study.errorAt(
          place.path(),
          "staleness: dual-read has a second read at ALL after each, which fails while nodes are"
              + " off",
          "write staleness: oracle");
    }
  }
}
