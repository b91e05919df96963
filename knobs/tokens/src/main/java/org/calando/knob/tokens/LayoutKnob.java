package org.calando.knob.tokens;

import java.util.List;
import java.util.Optional;
import org.calando.engine.LayoutType;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.Choices;
import org.calando.knob.DrivenKnob;
import org.calando.knob.Place;
import org.calando.knob.Point;
import org.calando.knob.StudyChecks;
import org.calando.report.column.Column;
import org.calando.report.column.RunColumns;
import org.calando.schema.Values;

/** How data is laid out on nodes, as what studies vary: tokens of a ring, or blocks. */
public final class LayoutKnob implements DrivenKnob {
  private static final int RANK = 0;

  private static final Axis<StoreLayout> AXIS =
      Axis.of(
          "layout",
          LayoutType.ANY,
          StoreLayout::label,
          "Token layouts to compare, or HDFS's layouts of blocks, on a local cluster that"
              + " starts anew for each of them in each block, or on a simulated one; see"
              + " store.local.layout.",
          "[even, half]");

  private static final List<String> OF_STORES =
      List.of("store.sim.layout", "store.local.layout", "store.local.tokens");

  /** For the service. */
  public LayoutKnob() {}

  @Override
  public Axis<?> axis() {
    return AXIS;
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  public boolean isOfCluster() {
    return true;
  }

  @Override
  public Column column() {
    return RunColumns.LAYOUT;
  }

  @Override
  public Choices orAs(Choices choices, StoreSpec store) {
    return choices.of(AXIS).isEmpty()
        ? choices.with(AXIS, store.storeLayout().stream().toList())
        : choices;
  }

  @Override
  public Optional<StoreLayout> layout(Point point) {
    return point.find(AXIS);
  }

  /** Layouts are those of a cluster that has no other tokens beside them. */
  @Override
  public void checkKeys(StudyChecks checks) {
    Values study = checks.study();
    for (String path : checks.paths(AXIS)) {
      if (study.has("store.inventory")) {
        study.errorAt(
            path,
            "is supported only by a local cluster, which starts anew for each, or a simulated one",
            "remove it, or study such a cluster");
      }
      OF_STORES.stream()
          .filter(study::has)
          .forEach(key -> study.errorAt(path, "given beside " + key, "remove one of them"));
    }
  }

  @Override
  public void check(StudyChecks checks) {
    StoreSpec store = checks.store();
    for (Place<StoreLayout> place : checks.values(AXIS)) {
      if (LayoutType.refuseUnsupported(checks.study(), place.path(), place.value(), store.kind())) {
        store.kind().schema().checkLayout(checks.study(), place.path(), store, place.value());
      }
    }
  }
}
