package org.calando.study.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {
  private final ClusterWatch watch = new ClusterWatch();
  private final FailedWorkException timeout =
      new FailedWorkException("5 records were not written", "table t", "check the nodes");

  @Test
  void withoutAnEndTheErrorIsItsOwnCause() {
    assertThat(watch.failure()).isEmpty();
    assertThat(watch.explain(timeout, "one-r1")).isSameAs(timeout);
  }

  @Test
  void anythingElseThatFailsTheRunIsTheCauseToo() {
    watch.failed("the event kill-node n3 at 4s failed");
    watch.accept("node n2 (exit code 137)");
    assertThat(watch.failure()).contains("the event kill-node n3 at 4s failed");
  }

  @Test
  void theFirstProcessThatEndsIsTheCause() {
    watch.accept("node n2 (exit code 137)");
    watch.accept("node n3 (exit code 1)");
    assertThat(watch.failure().orElseThrow()).startsWith("node n2 (exit code 137) ended");
    assertThat(watch.explain(timeout, "one-r1"))
        .hasMessageStartingWith("run one-r1: node n2 (exit code 137) ended")
        .hasMessageContaining("--resume")
        .hasCause(timeout);
  }

  @Test
  void loadsEndWhenTheRunIsToEndWhetherTheyHaveBegunByThenOrNot() {
    List<String> ended = new ArrayList<>();
    watch.watch(() -> ended.add("loading"));
    watch.stopLoad();
    watch.watch(() -> ended.add("measured"));
    assertThat(ended).containsExactly("loading", "measured");
    assertThat(watch.failure()).isEmpty();
  }
}
