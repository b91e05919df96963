package org.calando.study.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.engine.NodePresence;
import org.calando.studyfile.EventSpec;
import org.junit.jupiter.api.Test;

class EventScriptTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BEGIN = 100 * SECOND;
  private static final LinkDelay DECLARED = LinkDelay.uniform(5_000_000);

  private final FakeCluster cluster = new FakeCluster();

  @Test
  void eventsAreCarriedOutWhenTheyAreDueInTheirOrder() {
    EventScript script =
        script(at(0, links(50)), at(2, new EventSpec.Kill("n3")), at(2, new EventSpec.Stop("n2")));
    assertThat(script.step()).isEqualTo(BEGIN + 2 * SECOND);
    assertThat(script.step()).isEqualTo(BEGIN + 2 * SECOND);
    assertThat(cluster.calls).containsExactly("delay 50ms");
    assertThat(script.left()).hasSize(2);

    cluster.now = BEGIN + 2 * SECOND;
    assertThat(script.step()).isEqualTo(EventScript.NEVER);

    assertThat(cluster.calls)
        .containsExactly("delay 50ms", "n3 may end", "kill n3", "n2 may end", "stop n2");
    assertThat(script.left()).isEmpty();
  }

  @Test
  void theFileSaysWhenEachWasDoneAndWhenAStartedNodeTakesRequests() {
    EventScript script =
        script(
            at(1, links(50)),
            at(2, new EventSpec.Kill("n3")),
            at(3, new EventSpec.Start("n3")),
            at(4, links(0)));
    cluster.now = BEGIN + SECOND + 250_000;
    script.step();
    cluster.now = BEGIN + 2 * SECOND;
    cluster.actionNanos = 70_000_000;
    script.step();
    cluster.actionNanos = 0;
    cluster.now = BEGIN + 3 * SECOND;
    assertThat(script.step()).isEqualTo(BEGIN + 3 * SECOND + EventScript.POLL_NANOS);
    cluster.now = BEGIN + 4 * SECOND;
    assertThat(script.step()).isEqualTo(BEGIN + 4 * SECOND + EventScript.POLL_NANOS);
    cluster.up = true;
    cluster.now = BEGIN + 15 * SECOND + 1_234_000_000L;
    assertThat(script.step()).isEqualTo(EventScript.NEVER);

    assertThat(EventScript.csv(script.done()))
        .isEqualTo(
            """
            second,event
            1.000,link delay 5ms -> 50ms
            2.070,node n3 killed
            3.000,node n3 started
            4.000,link delay 50ms -> 0ms
            16.234,node n3 is up
            """);
    assertThat(cluster.calls).contains("n3 is 4711").doesNotContain("n3 is 0");
  }

  @Test
  void aMatrixOfDelaysIsOneFieldOfTheFile() {
    LinkDelay matrix = new LinkDelay(List.of(List.of(0L, 1_000_000L), List.of(2_000_000L, 0L)));
    EventScript script = script(at(0, new EventSpec.Links(matrix)));
    script.step();
    assertThat(EventScript.csv(script.done()))
        .endsWith("0.000,\"link delay 5ms -> [[0ms, 1ms], [2ms, 0ms]]\"\n");
  }

  @Test
  void aNodeThatEndsWhileItStartsIsNotWaitedFor() {
    EventScript script =
        script(
            at(0, new EventSpec.Kill("n3")),
            at(0, new EventSpec.Start("n3")),
            at(0, new EventSpec.Kill("n3")));
    assertThat(script.step()).isEqualTo(EventScript.NEVER);
  }

  @Test
  void anEventThatFailsIsNamedAndStaysUndone() {
    cluster.failure = new FailedWorkException("n3 outlived SIGKILL", "n3.log", "");
    EventScript script = script(at(0, new EventSpec.Kill("n3")));
    assertThatThrownBy(script::step)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("kill-node n3 at 0ms")
        .hasMessageContaining("outlived SIGKILL");
    assertThat(script.left()).hasSize(1);
    assertThat(script.done()).isEmpty();
  }

  private EventScript script(EventSpec... events) {
    EventScript script =
        new EventScript(List.of(events), DECLARED, cluster, cluster, () -> cluster.now);
    script.begin(BEGIN);
    return script;
  }

  private static EventSpec at(long second, EventSpec.Action action) {
    return new EventSpec(second * SECOND, action);
  }

  private static EventSpec.Action links(long millis) {
    return new EventSpec.Links(LinkDelay.uniform(millis * 1_000_000));
  }

  /** Writes down what it is asked, on a clock that only the test and actions move. */
  private static final class FakeCluster implements ClusterControl, NodePresence {
    final List<String> calls = new ArrayList<>();
    long now = BEGIN;
    long actionNanos;
    boolean up;
    FailedWorkException failure;

    private void call(String what) {
      if (failure != null) {
        throw failure;
      }
      calls.add(what);
      now += actionNanos;
    }

    @Override
    public void delayLinks(LinkDelay delay) {
      call("delay " + delay.label());
    }

    @Override
    public void kill(String node) {
      call("kill " + node);
    }

    @Override
    public void stop(String node) {
      call("stop " + node);
    }

    @Override
    public void start(String node) {
      call("start " + node);
    }

    @Override
    public boolean takesRequests(String node) {
      return up;
    }

    @Override
    public long pid(String node) {
      return calls.contains("start " + node) ? 4711 : 0;
    }

    @Override
    public void mayEnd(String node) {
      calls.add(node + " may end");
    }

    @Override
    public void cameBack(String node, long pid) {
      calls.add(node + " is " + pid);
    }
  }
}
