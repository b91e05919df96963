package org.calando.knob.joint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.joint.ModelledWork;
import org.calando.core.policy.joint.Placing;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReplicaPlacement;
import org.calando.engine.EngineSettings;
import org.calando.engine.Feature;
import org.calando.engine.GearedNodes;
import org.calando.engine.InventorySpec;
import org.calando.engine.StoreSpec;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** Checks {@code control: [{joint: ..}]} against the store and the promise. Not thread safe. */
final class JointChecks {
  private static final String PROMISE = "promise";
  private static final String STALE = PROMISE + ".stale";
  private static final String FRESH = PROMISE + ".fresh";
  private static final String SURVIVE = PROMISE + ".survive";
  private static final String COPIES = PROMISE + ".copies";
  private static final String CALIBRATION = "calibration";
  private static final int MOST = 1000;
  private static final long LONGEST_INTERVAL = 2_000_000_000L;

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
      refuseCalibration("only a joint controller goes by it", "remove it");
      return;
    }
    StoreSpec store = checks.store();
    String first = places.get(0).path();
    if (store.supports(Feature.FILES)) {
      study.errorAt(
          first,
          "is not supported by " + store.kind().title() + ", which stores files",
          "study a store of records, or set the gear by a policy");
      return;
    }
    checkCluster(first, store);
    if (store.isSimulated()) {
      refuseCalibration("is not supported by a simulated cluster", "write it as store.sim.profile");
      refuseDryRun(places);
    } else {
      checkWatched(first, store);
      if (JointKnob.placing(store) != Placing.REPLICAS) {
        refuseCalibration(
            "is of clusters whose replicas are alike", "remove it: what operations cost is learnt");
      }
    }
    checkPromise(first);
    switch (JointKnob.placing(store)) {
      case REPLICAS -> refuseFresh(first);
      case MASTER -> checkMaster(first, store);
      case SERVERS -> checkServers(places, store);
    }
    places.forEach(place -> check(place, store));
  }

  /** What no run of the study is chosen by is not promised. */
  private void checkJudged() {
    List<String> parts = new ArrayList<>(List.of(COPIES, SURVIVE));
    if (JointKnob.placing(checks.store()) == Placing.MASTER) {
      parts.add(FRESH);
    }
    for (String part : parts) {
      if (study.has(part)) {
        study.errorAt(
            part,
            "only a joint controller keeps to it, and no run is judged by it",
            "remove it, or add joint: {} to matrix.control");
      }
    }
  }

  private void refuseDryRun(List<Place<JointChoice>> places) {
    places.stream()
        .filter(place -> place.value().dryRun())
        .forEach(
            place ->
                study.errorAt(
                    place.path() + ".dry-run",
                    "is of a real cluster",
                    "remove it: nothing is set"));
  }

  private void refuseFresh(String path) {
    refusePart(
        FRESH,
        "no signal reports " + path + " when others can read a write",
        "remove it, or promise a share of stale reads: stale: 1%");
  }

  private void refusePart(String part, String problem, String remedy) {
    if (study.has(part)) {
      study.errorAt(part, problem, remedy);
    }
  }

  /** Reads are off-loaded to replicas, whose clocks are set; no node is switched. */
  private void checkMaster(String path, StoreSpec store) {
    if (store.placement().among(ConsistencyLevel.ONE) < 2) {
      study.errorAt(path, "has nothing to decide on without a replica", "write more nodes");
    }
    for (String part : List.of(COPIES, SURVIVE)) {
      refusePart(
          part,
          path + " switches no node of " + store.kind().title() + ", so nothing keeps it",
          "remove it");
    }
    study
        .find(ManagedClocksSchema.CLOCKS)
        .filter(clocks -> clocks.states().isEmpty())
        .ifPresent(
            clocks ->
                study.errorAt(
                    ManagedClocksSchema.CLOCKS.name(),
                    path + " has to know the clocks, and what a core draws at them",
                    "add states: xeon-silver-4114, or those of your processors"));
  }

  /** Servers are switched, and writes are deferred; each key is on one server. */
  private void checkServers(List<Place<JointChoice>> places, StoreSpec store) {
    String path = places.get(0).path();
    for (String part : List.of(COPIES, SURVIVE)) {
      refusePart(part, "nothing tells " + path + " on how many nodes blocks are", "remove it");
    }
    refusePart(
        STALE,
        "reads of %s see all that its servers have; what clients defer, nothing tells in such a share"
            .formatted(store.kind().title()),
        "remove it, or promise when others can read a write: fresh: 500ms");
    for (Place<JointChoice> place : places) {
      if (place.value().write() != ConsistencyLevel.ONE) {
        study.errorAt(
            place.path() + ".write", "each row is on one server", "write it: joint: {write: ONE}");
      }
    }
  }

  private void refuseCalibration(String problem, String remedy) {
    if (study.has(CALIBRATION)) {
      study.errorAt(CALIBRATION, problem, remedy);
    }
  }

  private void checkCluster(String path, StoreSpec store) {
    if (store.settings().stream()
        .filter(ModelledWork.class::isInstance)
        .anyMatch(EngineSettings::hasRoles)) {
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

  /** What nodes of the user's own do is told by their machines. */
  private void checkWatched(String path, StoreSpec store) {
    store.inventory().map(InventorySpec::nodes).orElse(List.of()).stream()
        .filter(node -> node.pid().isEmpty() && node.metrics().isEmpty())
        .findFirst()
        .ifPresent(
            node ->
                study.errorAt(
                    path,
                    "must know how busy nodes are, and nothing reports it for node " + node.name(),
                    "add its metrics to the inventory"));
    study
        .peek("power.interval", Types.duration(1, Long.MAX_VALUE))
        .filter(nanos -> nanos > LONGEST_INTERVAL)
        .ifPresent(
            nanos ->
                study.errorAt(
                    "power.interval",
                    "is how often " + path + " learns how busy nodes are",
                    "write 2s at most"));
  }

  /** What is promised has to be there, and something has to tell of each part. */
  private void checkPromise(String path) {
    if (!study.has(PROMISE)) {
      study.errorAt(
          path,
          "keeps the study's promise, and there is none",
          "add promise: {stale: 1%, read-p99: 50ms}");
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
    NodeProfile any = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    if (GearedNodes.model(store, any, Optional.empty()).isPresent()) {
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
      study.errorAt("events", "gears switch nodes, too", "remove events, or the store's gears");
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
