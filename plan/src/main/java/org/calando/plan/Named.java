package org.calando.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.core.policy.joint.JointCluster;
import org.calando.core.store.ConsistencyLevel;
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
    if (gear.filter(value -> !(value instanceof Tree.Scalar)).isPresent()) {
      return new Setting(words(text), text, Kind.POLICY, 1, 0, 0);
    }
    int replicas = beside(control).flatMapToInt(this::heldReads).findFirst().orElse(0);
    Kind kind = replicas > 0 ? Kind.HELD : Kind.READS;
    return new Setting(words(text), text, kind, fixed(gear), 0, replicas);
  }

  /** Replicas that reads of a level ask that is held, where writes are as the cluster has them. */
  private IntStream heldReads(Tree item) {
    if (item instanceof Tree.Scalar both) {
      return level(both).filter(this::isWritten).mapToInt(this::replicas);
    }
    if (!(item instanceof Tree.Mapping pair)) {
      return IntStream.empty();
    }
    boolean isWritten =
        pair.find("write").stream()
            .flatMap(write -> level(write.value()))
            .anyMatch(this::isWritten);
    return isWritten
        ? pair.find("read").stream().flatMap(read -> level(read.value())).mapToInt(this::replicas)
        : pair.find("consistency").stream()
            .flatMapToInt(consistency -> heldReads(consistency.value()));
  }

  private static Stream<ConsistencyLevel> level(Tree value) {
    return value instanceof Tree.Scalar scalar
        ? Arrays.stream(ConsistencyLevel.values()).filter(each -> each.name().equals(scalar.text()))
        : Stream.empty();
  }

  private boolean isWritten(ConsistencyLevel level) {
    return replicas(level) == cluster.writeReplicas();
  }

  private int replicas(ConsistencyLevel level) {
    return level.replicas(cluster.replicas());
  }

  private static boolean isJoint(Tree control) {
    return control instanceof Tree.Mapping mapping && mapping.find(JOINT).isPresent();
  }

  private static Stream<Tree> beside(Tree control) {
    return control instanceof Tree.Mapping mapping
        ? mapping.find("beside").stream()
            .map(Tree.Entry::value)
            .filter(Tree.Sequence.class::isInstance)
            .flatMap(list -> ((Tree.Sequence) list).items().stream())
        : Stream.empty();
  }

  private static Optional<Tree> gear(Tree control) {
    return beside(control)
        .filter(Tree.Mapping.class::isInstance)
        .flatMap(item -> ((Tree.Mapping) item).find(GEAR).stream())
        .map(Tree.Entry::value)
        .findFirst();
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
