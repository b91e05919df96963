package org.calando.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.core.energy.Profiles;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.power.Meters;
import org.calando.study.config.InventorySpec;
import org.calando.study.config.StoreSpec;
import org.calando.study.config.StudySpec;
import org.calando.study.config.WorkloadBinder;
import org.calando.study.sim.SimulatedClusters;

/** Checks a study, or an inventory alone, against the world; changes nothing. Not thread safe. */
public final class StudyDoctor {
  private static final int COLUMNS = 79;
  private static final int INDENT = 9;

  private final List<Supplier<List<Finding>>> checks = new ArrayList<>();

  /**
   * What a check found.
   *
   * @param ok whether all is well
   * @param subject what was checked
   * @param text what was found; with the remedy, if all is not well
   */
  public record Finding(boolean ok, String subject, String text) {}

  private StudyDoctor() {}

  /**
   * A doctor for one study.
   *
   * @param study the study, whose file is right
   * @param base folder that relative paths in it are relative to
   */
  public StudyDoctor(StudySpec study, Path base) {
    StoreSpec store = study.store();
    with(() -> List.of(new Finding(true, "file", study.runs() + " runs")));
    store.local().ifPresent(local -> with(() -> List.of(local(study))));
    store.sim().ifPresent(sim -> with(() -> List.of(simulated(study))));
    store
        .inventory()
        .ifPresent(
            inventory -> {
              InventoryTarget target =
                  new InventoryTarget(store, inventory, study.power().profile(), base);
              with(() -> new SecretsDoctor(store, base).examine());
              with(() -> new ClusterDoctor(store, inventory, target, table(study)).examine());
              with(() -> new MeterDoctor(study.power().meter(), target.nodes()).examine());
            });
  }

  /**
   * A doctor for an inventory alone: its nodes are asked without a user and without TLS.
   *
   * @param inventory the inventory, whose file is right
   * @param base folder that relative paths in it are relative to
   */
  public static StudyDoctor ofInventory(InventorySpec inventory, Path base) {
    StoreSpec store = StoreSpec.ofInventory(inventory);
    InventoryTarget target =
        new InventoryTarget(
            store,
            inventory,
            Profiles.byName(Profiles.names().iterator().next()).orElseThrow(),
            base);
    StudyDoctor doctor = new StudyDoctor();
    doctor.with(
        () -> List.of(new Finding(true, "file", inventory.nodes().size() + " nodes listed")));
    return doctor
        .with(() -> new ClusterDoctor(store, inventory, target, Optional.empty()).examine())
        .with(() -> new MeterDoctor(Meters.AUTO, target.nodes()).examine());
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

  private static Finding local(StudySpec study) {
    return check(
        "local cluster",
        () -> {
          study
              .store()
              .local()
              .ifPresent(local -> LocalCassandra.check(LocalTarget.config(study, local)));
          return study.store().nodes() + " nodes: ports, memory and Java are there";
        });
  }

  private static Finding simulated(StudySpec study) {
    return check(
        "simulated cluster",
        () -> {
          new SimulatedClusters(study.store(), study.power().profile())
              .requirePossible(RunPlan.of(study).stream().map(RunConfig::layout).toList());
          return study.store().nodes() + " nodes: nothing to be reached or started";
        });
  }

  /** Does some work that fails with a message for the user, and returns what to say of it. */
  interface Check {
    String run();
  }

  static Finding check(String subject, Check check) {
    try {
      return new Finding(true, subject, check.run());
    } catch (CalandoException e) {
      return new Finding(false, subject, String.valueOf(e.getMessage()));
    }
  }

  /** The finding in lines of at most 79 columns, where its words allow. */
  public static String line(Finding finding) {
    String mark = String.format(Locale.ROOT, "%-8s ", finding.ok() ? "ok" : "PROBLEM");
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
