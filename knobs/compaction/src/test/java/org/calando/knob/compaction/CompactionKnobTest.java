package org.calando.knob.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.control.KnobKit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.calando.core.store.Capable;
import org.calando.core.store.CompactionLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are JMX servers of this process, each with the one attribute. */
@Timeout(120)
class CompactionKnobTest {
  @TempDir Path folder;

  private final List<LimitedNode> nodes = new ArrayList<>();

  @BeforeEach
  void threeNodes() throws IOException {
    for (int i = 0; i < 3; i++) {
      nodes.add(LimitedNode.start(64, Optional.empty()));
    }
  }

  @AfterEach
  void noNodes() {
    nodes.forEach(LimitedNode::close);
  }

  private record Limits(List<String> jmx, Optional<Login> login) implements CompactionLimits {}

  private record Cluster(Limits limits) implements Capable {
    @Override
    public <C> Optional<C> find(Class<C> capability) {
      return Optional.of(limits).filter(capability::isInstance).map(capability::cast);
    }
  }

  private static Knob<Integer> knob(List<LimitedNode> nodes) {
    List<String> addresses = nodes.stream().map(LimitedNode::address).toList();
    return new CompactionType()
        .bind(new Cluster(new Limits(addresses, Optional.empty())))
        .orElseThrow();
  }

  private List<Integer> limits() {
    return nodes.stream().map(LimitedNode::limit).toList();
  }

  private KnobKit.World<Integer> world() {
    nodes.forEach(node -> node.set(64));
    return new KnobKit.World<>() {
      @Override
      public Knob<Integer> knob() {
        return new CompactionType().reach(CompactionKnobTest.knob(nodes).target());
      }

      @Override
      public List<Integer> state() {
        return limits();
      }
    };
  }

  @Test
  void aPlanThatIsCutOffAnywhereIsResumedAndTakenBack() throws InterruptedException {
    assertThat(new KnobKit<>(folder, this::world, knob -> 16).check()).isEqualTo(6);
    assertThat(knob(nodes).plan(16, 16).steps()).as("what it has is held").hasSize(nodes.size());
  }

  @Test
  void noLimitIsSetAndReadBack() throws InterruptedException {
    for (Plan.Action step : knob(nodes).plan(64, 0).steps()) {
      assertThat(step.isDone()).isFalse();
      step.perform();
      assertThat(step.isDone()).isTrue();
    }
    assertThat(knob(nodes).current()).isZero();
  }

  @Test
  void nodesThatDifferOrDoNotAnswerAreRefused() {
    Knob<Integer> knob = knob(nodes);
    nodes.get(1).set(32);
    assertThatThrownBy(knob::current)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("=32")
        .hasMessageContaining("setcompactionthroughput");
    nodes.get(1).set(64);
    assertThat(knob.current()).isEqualTo(64);
    nodes.get(2).close();
    assertThatThrownBy(knob::current)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(nodes.get(2).address());
  }

  @Test
  void aTargetHasTheFileOfThePasswordAndNotThePassword() throws IOException {
    Path file = folder.resolve("jmx password");
    Files.writeString(file, "sesame\n");
    try (LimitedNode guarded = LimitedNode.start(8, Optional.of("sesame"))) {
      CompactionLimits.Login login = new CompactionLimits.Login("ada", "file:" + file);
      String target = new JmxTarget(List.of(guarded.address()), Optional.of(login)).toString();
      assertThat(target).isEqualTo(guarded.address() + " as ada with file:" + file);
      Knob<Integer> reached = new CompactionType().reach(target);
      assertThat(reached.target()).isEqualTo(target);
      assertThat(reached.current()).isEqualTo(8);
      Files.writeString(file, "wrong\n");
      assertThatThrownBy(reached::current)
          .isInstanceOf(FailedWorkException.class)
          .hasMessageNotContaining("wrong");
    }
  }

  @Test
  void aClusterWithoutLimitsOffersNoKnobAndOtherWordsAreNoTarget() {
    assertThat(new CompactionType().bind(new Capable() {})).isEmpty();
    assertThatThrownBy(() -> new CompactionType().reach("no target"))
        .isInstanceOf(BadRequestException.class);
  }
}
