package org.calando.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.core.CalandoException;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.store.cassandra.CassandraStore;
import org.calando.study.config.StoreSpec;
import org.calando.study.config.StudySpec;

/** Checks a study against the world before it is run; changes nothing. */
public final class StudyDoctor {
  private final StudySpec study;
  private final Path base;

  /**
   * What a check found.
   *
   * @param ok whether all is well
   * @param subject what was checked
   * @param text what was found; with the remedy, if all is not well
   */
  public record Finding(boolean ok, String subject, String text) {}

  /**
   * A doctor for one study.
   *
   * @param study the study, whose file is right
   * @param base folder that relative paths in it are relative to
   */
  public StudyDoctor(StudySpec study, Path base) {
    this.study = study;
    this.base = base;
  }

  /** Checks everything; takes as long as reaching the cluster takes. */
  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding(true, "file", study.runs() + " runs"));
    StoreSpec store = study.store();
    store
        .local()
        .ifPresent(
            local ->
                findings.add(
                    check(
                        "local cluster",
                        () -> {
                          LocalCassandra.check(LocalTarget.config(local).build());
                          return store.nodes() + " nodes: ports, memory and Java are there";
                        })));
    store
        .inventory()
        .ifPresent(
            inventory -> {
              InventoryTarget target =
                  new InventoryTarget(store, inventory, study.power().profile(), base);
              findings.add(check("cluster", () -> reach(target)));
              findings.addAll(new MeterDoctor(study.power().meter(), target.nodes()).examine());
            });
    return findings;
  }

  private static String reach(InventoryTarget target) {
    try (CassandraStore store = CassandraStore.connect(target.store())) {
      return store.engine() + " answers, " + store.nodeAddresses().size() + " nodes";
    }
  }

  private interface Check {
    String run();
  }

  private static Finding check(String subject, Check check) {
    try {
      return new Finding(true, subject, check.run());
    } catch (CalandoException e) {
      return new Finding(false, subject, String.valueOf(e.getMessage()));
    }
  }

  /** The finding as a line, or more where a remedy follows. */
  public static String line(Finding finding) {
    return String.format(
        Locale.ROOT,
        "%-8s %s: %s",
        finding.ok() ? "ok" : "PROBLEM",
        finding.subject(),
        finding.text());
  }
}
