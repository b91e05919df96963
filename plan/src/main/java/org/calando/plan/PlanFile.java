package org.calando.plan;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.core.policy.joint.JointController;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnob;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.ManagedClocks;
import org.calando.schema.Overrides;
import org.calando.schema.Problems;
import org.calando.schema.Refusal;
import org.calando.schema.TextFiles;
import org.calando.schema.Tree;
import org.calando.schema.YamlTree;
import org.calando.studyfile.Axes;
import org.calando.studyfile.MatrixSpec;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.sim.SimSpec;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * What is to be planned: a study's file with a promise and one load, of which studies of settings
 * are made. Immutable and thread safe.
 */
public final class PlanFile {
  /** One controller of all knobs, as a study of the file has it, checks the promise, too. */
  private static final String JOINT = "{joint: {}}";

  private static final String MATRIX = "matrix";
  private static final String STORE = "store";
  private static final String CALIBRATION = "calibration";

  /** What real and simulated clusters are told alike. */
  private static final List<String> SHARED = List.of("engine", "keyspace", "request-timeout");

  private static final String CONTROL = "control";
  private static final int LONGEST_NAME = 40;
  private static final String WARM_UP = "45s";
  private static final long WARM_UP_NANOS = 45_000_000_000L;

  /** What of the matrix a plan chooses itself. */
  private static final List<String> CHOSEN = List.of("consistency", "gear");

  private final Path file;
  private final String text;
  private final List<String> overrides;
  private final List<String> simulated;
  private final Tree tree;
  private final boolean ofSimulator;
  private final boolean warmsLonger;
  private final StudySpec study;
  private final HeldSettings held;

  private PlanFile(
      Path file, String text, List<String> overrides, List<String> simulated, Tree tree) {
    this.file = file;
    this.text = text;
    this.overrides = List.copyOf(overrides);
    this.tree = tree;
    this.ofSimulator = simulated.equals(overrides);
    StudySpec given = parse(simulated, List.of(JOINT), List.of());
    this.warmsLonger = isShort(given);
    List<String> more = new ArrayList<>(simulated);
    more.addAll(warmsLonger ? List.of("workload.warm-up=" + WARM_UP) : List.of());
    this.simulated = List.copyOf(more);
    this.study = warmsLonger ? parse(more, List.of(JOINT), List.of()) : given;
    this.held = held(study);
  }

  /**
   * Reads a file.
   *
   * @param overrides each {@code path=value}, put over the file in order
   * @throws BadRequestException listing all that is wrong
   */
  public static PlanFile read(Path file, List<String> overrides) {
    String text = text(file);
    Problems problems = new Problems();
    Optional<Tree> parsed = YamlTree.parse(text, file.toString(), problems);
    problems.throwIfAny();
    Tree tree = Overrides.apply(parsed.orElseThrow(), overrides, problems);
    check(tree, problems);
    List<String> simulated = new ArrayList<>(overrides);
    simulated.addAll(simulated(tree, problems));
    problems.throwIfAny();
    PlanFile plan = new PlanFile(file, text, overrides, simulated, tree);
    plan.checkLoad();
    plan.checkChoice();
    return plan;
  }

  /** Whether policies would still settle when measuring begins, under a load that stays. */
  private static boolean isShort(StudySpec study) {
    WorkloadSpec.WarmUp warmUp = study.workload().warmUp();
    boolean stays = !(study.matrix().get(0).of(Axes.RATE).get(0) instanceof RateSpec.Traced);
    return stays && warmUp.operations() == 0 && warmUp.nanos() < WARM_UP_NANOS;
  }

  private static String text(Path file) {
    try {
      return TextFiles.read(file);
    } catch (Refusal refusal) {
      throw new BadRequestException(refusal.what(), file.toString(), refusal.remedy());
    }
  }

  private static void check(Tree tree, Problems problems) {
    if (below(tree, "promise").isEmpty()) {
      problems.add(
          tree.where(),
          "promise",
          "is missing: a plan finds what keeps it with the fewest joules",
          "add promise: {stale: 1%, read-p99: 50ms}");
    }
    Optional<Tree> matrix = below(tree, MATRIX);
    if (matrix.filter(Tree.Sequence.class::isInstance).isPresent()) {
      problems.add(
          matrix.get().where(), MATRIX, "has parts, and a plan is of one load", "keep one of them");
    } else if (below(tree, MATRIX, "rate").isEmpty()) {
      boolean closed = below(tree, MATRIX, "threads").isPresent();
      problems.add(
          matrix.map(Tree::where).orElse(tree.where()),
          MATRIX + (closed ? ".threads" : ".rate"),
          closed
              ? "a closed loop asks for no more than it gets, so no load is given"
              : "is missing: no load is given to plan for",
          "write matrix: {rate: [{poisson: 400/s}], duration: 60s}, or rate: [{trace: ..}]");
    }
  }

  /** What a cluster that is no simulated one is simulated with: what was found of its work. */
  private static List<String> simulated(Tree tree, Problems problems) {
    Optional<Tree.Scalar> id =
        below(tree, "store", "engine")
            .filter(Tree.Scalar.class::isInstance)
            .map(Tree.Scalar.class::cast);
    Optional<Engine> engine =
        id.flatMap(
            named ->
                Engines.all().stream().filter(one -> one.id().equals(named.text())).findFirst());
    if (engine.isEmpty() || engine.get().supports(Feature.SIMULATED)) {
      return List.of(); // a study's own checks tell what is wrong with others
    }
    String simulator = Engines.with(Feature.SIMULATED).get(0).id();
    Optional<Tree> calibration = below(tree, CALIBRATION);
    boolean profiled = below(tree, STORE, simulator, "profile").isPresent();
    if (!profiled && calibration.isEmpty()) {
      problems.add(
          id.get().where(),
          "store.engine",
          "nothing says what the operations of this " + engine.get().title() + " cost",
          "calibrate it (./calando calibrate DIR), and write store.sim: {profile: FILE} beside it");
    }
    List<String> set = new ArrayList<>(List.of("store.engine=" + simulator, CALIBRATION + "="));
    if (!profiled) {
      calibration.ifPresent(
          given -> set.add("store." + simulator + ".profile=" + FlowYaml.of(given)));
    }
    set.addAll(unshared(tree, simulator));
    return set;
  }

  /** Clears what only the real cluster is told; its replication factor is the simulated one's. */
  private static List<String> unshared(Tree tree, String simulator) {
    List<String> set = new ArrayList<>();
    boolean local = below(tree, STORE, "local").isPresent();
    boolean centres = below(tree, STORE, simulator, "datacenters").isPresent();
    Optional<Tree> rf = below(tree, STORE, "rf");
    if (below(tree, STORE, simulator, "rf").isEmpty()) {
      rf.map(given -> centres ? given : single(given))
          .ifPresent(given -> set.add("store." + simulator + ".rf=" + FlowYaml.of(given)));
    }
    List<String> kept = new ArrayList<>(SHARED);
    kept.add(simulator);
    kept.addAll(local ? List.of("local", "gears") : List.of());
    kept.addAll(centres ? List.of("local-dc") : List.of());
    below(tree, STORE)
        .filter(Tree.Mapping.class::isInstance)
        .map(store -> ((Tree.Mapping) store).entries())
        .orElse(List.of())
        .stream()
        .map(Tree.Entry::name)
        .filter(key -> !kept.contains(key))
        .forEach(key -> set.add("store." + key + "="));
    return set;
  }

  /** The number of a mapping that names one data centre, which a simulated cluster names itself. */
  private static Tree single(Tree rf) {
    return rf instanceof Tree.Mapping mapping && mapping.entries().size() == 1
        ? mapping.entries().get(0).value()
        : rf;
  }

  private static Optional<Tree> below(Tree tree, String... path) {
    Optional<Tree> at = Optional.of(tree);
    for (String name : path) {
      at =
          at.filter(Tree.Mapping.class::isInstance)
              .flatMap(found -> ((Tree.Mapping) found).find(name))
              .map(Tree.Entry::value);
    }
    return at;
  }

  private void checkLoad() {
    long loads = part().configurations();
    if (loads != 1) {
      throw new BadRequestException(
          "the matrix has " + loads + " loads, layouts and write buffers; a plan is of one",
          file.toString(),
          "keep one of each, such as --set 'matrix.rate=[400/s]'");
    }
  }

  private void checkChoice() {
    boolean one =
        held.cluster().replicas() == 1
            && held.cluster().highest() == 1
            && held.cluster().clocksKHz().size() == 1;
    if (one) {
      throw new BadRequestException(
          "there is nothing to choose: one replica, no gears, no clocks",
          file.toString(),
          "replicate (store.sim.rf: 3), or add store.sim.gears or store.sim.clocks");
    }
  }

  private static HeldSettings held(StudySpec study) {
    for (DrivenKnob knob : DrivenKnobs.of(study.matrix().get(0).points().get(0))) {
      Optional<JointController> joint =
          knob.controller(configuration(study))
              .filter(JointController.class::isInstance)
              .map(JointController.class::cast);
      if (joint.isPresent()) {
        return new HeldSettings(joint.get().cluster());
      }
    }
    throw new IllegalStateException("no controller of all knobs");
  }

  private static Configuration configuration(StudySpec study) {
    return new Configuration(
        study.matrix().get(0).points().get(0),
        study.store(),
        study.power().profile(),
        study.clocks().orElse(ManagedClocks.SIMULATED),
        study.monitor(),
        1,
        study.promise());
  }

  private StudySpec parse(List<String> base, List<String> controls, List<String> more) {
    List<String> all = new ArrayList<>(base);
    Stream.concat(CHOSEN.stream(), Stream.of("clock"))
        .forEach(key -> all.add(MATRIX + "." + key + "="));
    all.add(MATRIX + "." + CONTROL + "=[" + String.join(", ", controls) + "]");
    all.addAll(more);
    return StudyFile.parse(text, file.toString(), directory(), all);
  }

  /** A study of the simulated cluster under other settings. */
  StudySpec study(String part, List<Setting> settings, List<String> more) {
    return study(simulated, part, settings, more);
  }

  /**
   * A study of the file's own cluster.
   *
   * @throws BadRequestException if a setting is not supported there
   */
  StudySpec confirming(List<Setting> settings, List<String> more) {
    if (isSimulated()) {
      return study(simulated, "confirm", settings, more);
    }
    List<String> real = new ArrayList<>(overrides);
    real.add("store." + Engines.with(Feature.SIMULATED).get(0).id() + "=");
    return study(real, "confirm", settings, more);
  }

  private StudySpec study(
      List<String> base, String part, List<Setting> settings, List<String> more) {
    List<String> all = new ArrayList<>(more);
    String name = study.name();
    all.add("study=" + name.substring(0, Math.min(LONGEST_NAME, name.length())) + "-" + part);
    if (settings.stream().noneMatch(Setting::isJoint)) {
      // No run is judged by these, and no setting is chosen by them: the plan has judged it.
      all.addAll(List.of("promise.copies=", "promise.survive=", CALIBRATION + "="));
      if (limit(Promised.STALE).isEmpty() && limit(Promised.READ_P99).isEmpty()) {
        all.add("promise=");
      }
    }
    return parse(base, settings.stream().map(Setting::control).toList(), all);
  }

  /** Controllers that the file names itself; empty if it leaves that to the plan. */
  List<Tree> controls() {
    return below(tree, MATRIX, CONTROL)
        .filter(Tree.Sequence.class::isInstance)
        .map(list -> ((Tree.Sequence) list).items())
        .orElse(List.of());
  }

  /** What of the file the plan does not follow. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    CHOSEN.stream()
        .filter(key -> below(tree, MATRIX, key).isPresent())
        .forEach(key -> notes.add(MATRIX + "." + key + " is not followed: the plan chooses it"));
    if (warmsLonger) {
      notes.add("runs warm up for " + WARM_UP + ", in which policies settle");
    }
    return notes;
  }

  /** The study's name. */
  public String name() {
    return study.name();
  }

  Path directory() {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** The study of the simulated cluster, under one controller of all knobs. */
  StudySpec study() {
    return study;
  }

  /** Whether the file's own cluster is a simulated one. */
  boolean isSimulated() {
    return ofSimulator;
  }

  /** Whether simulated nodes do work of their own, of which the closed form knows nothing. */
  boolean hasOwnWork() {
    return SimSpec.of(study.store()).flatMap(sim -> sim.machines().background()).isPresent();
  }

  HeldSettings held() {
    return held;
  }

  Promise promise() {
    return study.promise();
  }

  OptionalDouble limit(Promised part) {
    return study.promise().limit(part);
  }

  MatrixSpec part() {
    return study.matrix().get(0);
  }

  RateSpec rate() {
    return part().of(Axes.RATE).get(0);
  }
}
