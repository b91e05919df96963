package org.calando.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.Capable;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engine;
import org.calando.engine.Feature;
import org.calando.engine.Finding;
import org.calando.engine.InventorySpec;
import org.calando.engine.InventoryTarget;
import org.calando.engine.NodeGears;
import org.calando.engine.SecretsDoctor;
import org.calando.engine.StoreSpec;
import org.calando.engine.SwitchDoctor;
import org.calando.engine.Target;
import org.calando.metering.MeterDoctor;
import org.calando.power.Meters;
import org.calando.report.Drift;
import org.calando.study.sim.SimulatedClusters;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.WorkloadBinder;
import org.calando.studyfile.workload.WorkloadSpec.WarmUp;

/**
 * Checks a study, a governor's file, or an inventory alone, against the world; changes nothing. Not
 * thread safe.
 */
public final class StudyDoctor {
  private static final int COLUMNS = 79;
  private static final int INDENT = 9;

  /** Other work that takes more of the cores than this disturbs runs. */
  private static final double BUSY_SHARE = 0.5;

  private final List<Supplier<List<Finding>>> checks = new ArrayList<>();

  /** A doctor that looks at nothing yet. */
  public StudyDoctor() {}

  /**
   * A doctor for one study.
   *
   * @param study the study, whose file is right
   * @param base folder that relative paths in it are relative to
   */
  public StudyDoctor(StudySpec study, Path base) {
    StoreSpec store = study.store();
    with(() -> List.of(new Finding(true, "file", study.runs() + " runs")));
    if (!store.isSimulated() && !store.supports(Feature.FILES)) {
      with(() -> List.of(warmUp(study)));
      with(
          () ->
              List.of(
                  load(HostEnvironment.loadAverage(), Runtime.getRuntime().availableProcessors())));
    }
    with(() -> policies(study));
    with(() -> drift(Path.of("out", study.name())));
    if (store.isSimulated()) {
      with(() -> knobs(study, SimulatedClusters.of(study).sample()));
    }
    store.local().ifPresent(local -> with(() -> List.of(local(study))));
    if (study.clocks().isPresent() && !store.isSimulated()) {
      with(() -> List.of(clocks(study)));
    }
    if (store.isSimulated()) {
      with(() -> List.of(simulated(study)));
    }
    store
        .inventory()
        .ifPresent(
            inventory -> {
              InventoryTarget target = store.kind().reach(store, study.power().profile(), base);
              with(() -> new SecretsDoctor(store, base).examine());
              with(() -> target.examine(table(study)));
              with(() -> knobs(study, target));
              if (RunPlan.of(study).stream().anyMatch(run -> RunGear.isShifted(study, run))) {
                with(() -> new SwitchDoctor(inventory).examine());
                with(() -> List.of(Finding.of("gears", () -> gears(study, target))));
              }
              with(() -> new MeterDoctor(study.power().meter(), target.nodes()).examine());
            });
  }

  /**
   * A doctor for an inventory alone: its nodes are asked without a user and without TLS.
   *
   * @param store as far as the inventory tells, whose file is right
   * @param base folder that relative paths in it are relative to
   */
  public static StudyDoctor ofInventory(StoreSpec store, Path base) {
    InventorySpec inventory = store.inventory().orElseThrow();
    NodeProfile any = Profiles.byName(Profiles.names().iterator().next()).orElseThrow();
    List<Target.Node> nodes = InventoryTarget.nodes(inventory, any);
    StudyDoctor doctor = new StudyDoctor();
    doctor.with(
        () -> List.of(new Finding(true, "file", inventory.nodes().size() + " nodes listed")));
    doctor.with(() -> new SwitchDoctor(inventory).examine());
    if (store.supports(Feature.GOVERNED)) {
      InventoryTarget target = store.kind().reach(store, any, base);
      doctor.with(() -> target.examine(Optional.empty()));
    }
    return doctor.with(() -> new MeterDoctor(Meters.AUTO, nodes).examine());
  }

  /** Adds a check, which must change nothing and end by itself; they run in this order. */
  public StudyDoctor with(Supplier<List<Finding>> check) {
    checks.add(check);
    return this;
  }

  /** Checks everything; takes as long as reaching the cluster takes. */
  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    checks.forEach(check -> findings.addAll(check.get()));
    return findings;
  }

  private static Optional<String> table(StudySpec study) {
    return Optional.of(WorkloadBinder.bind(study.workload()).workload().table());
  }

  /** A cold engine makes the first runs dear, and configurations that came early look so. */
  private static Finding warmUp(StudySpec study) {
    boolean warmed =
        RunPlan.of(study).stream()
            .allMatch(
                run -> {
                  WarmUp warmUp = run.workload().warmUp();
                  return warmUp.operations() + warmUp.nanos() > 0
                      || new RunLoad(run).warmsUntilSteady();
                });
    return warmed
        ? new Finding(true, "warm-up", "before each run's measured window")
        : new Finding(
            true,
            true,
            "warm-up",
            "not before every run, so that early runs measure a cold engine and driver\n"
                + "remedy: give workload.warm-up a time; without that key it lasts until throughput"
                + " is steady, but for rates that change");
  }

  /** What a run is to be warmed up for its policies to have figures; 0 if it is for long enough. */
  private static long lacksNanos(StudySpec study, RunConfig run) {
    WarmUp warmUp = run.workload().warmUp();
    long needed = RunControllers.configuration(study, run).warmUpNanos();
    boolean enough =
        warmUp.operations() > 0 || warmUp.nanos() >= needed || new RunLoad(run).warmsUntilSteady();
    return enough ? 0 : needed;
  }

  /** Whether policies have figures to decide on when the measured window begins. */
  private static List<Finding> policies(StudySpec study) {
    long needed =
        RunPlan.of(study).stream().mapToLong(run -> lacksNanos(study, run)).max().orElse(0);
    return needed > 0
        ? List.of(
            new Finding(
                true,
                true,
                "policies",
                "begin at the fallback, and have no figures for the first part of the window\n"
                    + "remedy: give workload.warm-up %d s"
                        .formatted((needed + 999_999_999L) / 1_000_000_000L)))
        : List.of();
  }

  /** Whether the machine was at rest; nothing of the study's runs yet. */
  static Finding load(double average, int cores) {
    String words = String.format(Locale.ROOT, "load average %.1f, %d cores", average, cores);
    return average <= BUSY_SHARE * cores
        ? new Finding(true, "machine", words)
        : new Finding(
            true,
            true,
            "machine",
            words
                + ": other work takes cores, which makes runs dearer and slower, and others'"
                + " comparison with them wrong\n"
                + "remedy: end it, or begin when it has ended");
  }

  /** What a study that begins should say of other work on its machine; nothing if it is at rest. */
  static Optional<String> busyMachine(double average) {
    Finding found = load(average, Runtime.getRuntime().availableProcessors());
    return found.warning()
        ? Optional.of(found.subject() + ": " + found.text().replace("\n", ". "))
        : Optional.empty();
  }

  /** What the study's own results say, if it has any. */
  private static List<Finding> drift(Path results) {
    if (!Files.isRegularFile(results.resolve("results.csv"))) {
      return List.of();
    }
    try {
      List<String> drift = Drift.read(results);
      return drift.isEmpty()
          ? List.of(new Finding(true, "results in " + results, "blocks do not drift"))
          : List.of(new Finding(true, true, "results in " + results, String.join(" ", drift)));
    } catch (CalandoException e) {
      return List.of(); // a damaged folder is for the command to tell that works on it
    }
  }

  private static Finding local(StudySpec study) {
    Engine engine = study.store().kind();
    return Finding.of(
        "local cluster",
        () -> {
          engine.requireStartable(
              new ClusterRequest(
                  study.store(), study.power(), study.changesLinks(), Optional.empty()));
          return study.store().nodes() + " nodes: " + engine.needs() + " are there";
        });
  }

  private static String gears(StudySpec study, Target target) {
    try (NodeGears gears = RunGear.require(study, RunPlan.of(study), target).orElseThrow()) {
      return gears.highest() + " gears, and all nodes are on";
    }
  }

  private static Finding clocks(StudySpec study) {
    return Finding.of("clocks", () -> ClockBounds.require(study).orElseThrow().words());
  }

  /** Whether the cluster offers the study's knobs that are found as services; reads them. */
  private static List<Finding> knobs(StudySpec study, Capable cluster) {
    return RunKnobs.ofClusters(RunPlan.of(study)).stream()
        .map(
            knob ->
                Finding.of(
                    "knob " + knob.axis(), () -> knob.examine(cluster, RunKnobs.where(knob))))
        .toList();
  }

  private static Finding simulated(StudySpec study) {
    return Finding.of(
        "simulated cluster",
        () -> {
          SimulatedClusters.of(study)
              .requirePossible(RunPlan.of(study).stream().map(RunConfig::tokens).toList());
          return study.store().nodes() + " nodes: nothing to be reached or started";
        });
  }

  private static String mark(Finding finding) {
    if (!finding.ok()) {
      return "PROBLEM";
    }
    return finding.warning() ? "WARNING" : "ok";
  }

  /** The finding in lines of at most 79 columns, where its words allow. */
  public static String line(Finding finding) {
    String mark = String.format(Locale.ROOT, "%-8s ", mark(finding));
    StringBuilder text = new StringBuilder(mark);
    int column = INDENT;
    boolean first = true;
    for (String line : (finding.subject() + ": " + finding.text()).split("\n", -1)) {
      if (!first) {
        text.append('\n').append(" ".repeat(INDENT));
        column = INDENT;
      }
      first = false;
      for (String word : line.strip().split(" ", -1)) {
        if (column > INDENT && column + 1 + word.length() > COLUMNS) {
          text.append('\n').append(" ".repeat(INDENT));
          column = INDENT;
        }
        if (column > INDENT) {
          text.append(' ');
          column++;
        }
        text.append(word);
        column += word.length();
      }
    }
    return text.toString();
  }
}
