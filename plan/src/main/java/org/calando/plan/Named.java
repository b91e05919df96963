package org.calando.plan;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.joint.JointCluster;
import org.calando.plan.Setting.Kind;
import org.calando.schema.Tree;

/**
 * What a file names in {@code matrix.control}, as settings to compare. Immutable.
 *
 * @param controls items of the list
 * @param cluster what there is to set
 */
record Named(List<Tree> controls, JointCluster cluster) {
  private static final String JOINT = "joint";
  private static final String GEAR = "gear";

  List<Setting> settings() {
    boolean one = controls.stream().filter(Named::isJoint).count() == 1;
    return controls.stream().map(control -> setting(control, one)).toList();
  }

  private Setting setting(Tree control, boolean oneJoint) {
    String text = FlowYaml.of(control);
    if (isJoint(control)) {
      return new Setting(oneJoint ? JOINT : words(text), text, Kind.JOINT, 0, 0, 0);
    }
    Optional<Tree> gear = gear(control);
    boolean shifts = gear.filter(value -> !(value instanceof Tree.Scalar)).isPresent();
    return new Setting(
        words(text), text, shifts ? Kind.POLICY : Kind.READS, shifts ? 1 : fixed(gear), 0, 0);
  }

  private static boolean isJoint(Tree control) {
    return control instanceof Tree.Mapping mapping && mapping.find(JOINT).isPresent();
  }

  private static Optional<Tree> gear(Tree control) {
    return control instanceof Tree.Mapping mapping
        ? mapping.find("beside").stream()
            .map(Tree.Entry::value)
            .filter(Tree.Sequence.class::isInstance)
            .flatMap(list -> ((Tree.Sequence) list).items().stream())
            .filter(Tree.Mapping.class::isInstance)
            .flatMap(item -> ((Tree.Mapping) item).find(GEAR).stream())
            .map(Tree.Entry::value)
            .findFirst()
        : Optional.empty();
  }

  /** All nodes are on where nothing is said; what is no gear a study's own checks refuse. */
  private int fixed(Optional<Tree> gear) {
    return gear.map(value -> ((Tree.Scalar) value).text())
        .filter(text -> text.matches("[1-9]\\d{0,2}"))
        .map(Integer::parseInt)
        .map(value -> Math.min(value, cluster.highest()))
        .orElse(cluster.highest());
  }

  private static String words(String text) {
    return text.replaceAll("[\"{}]", "").replace("beside: ", "").replaceAll("^\\[|\\]$", "");
  }
}
