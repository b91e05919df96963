package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.calando.engine.NodePresence;
import org.junit.jupiter.api.Test;

/** What the meter of a cluster is told of nodes that are off by order. */
class ClusterObserverTest {
  private final List<String> told = new ArrayList<>();
  private final NodePresence meter =
      new NodePresence() {
        @Override
        public void mayEnd(String node) {
          told.add(node + " may end");
        }

        @Override
        public void mayGoOff(String node) {
          told.add(node + " goes off");
        }

        @Override
        public void isOn(String node) {
          told.add(node + " is on");
        }

        @Override
        public void cameBack(String node, long pid) {
          told.add(node + " is process " + pid);
        }
      };

  @Test
  void theMeterIsToldOnceOfEachNodeThatGoesOffOrOn() {
    Set<String> off = ClusterObserver.tell(Set.of("n1"), Set.of("n1"), meter);
    assertThat(told).isEmpty();
    off = ClusterObserver.tell(off, Set.of("n2"), meter);
    assertThat(told).containsExactly("n2 goes off", "n1 is on");
    off = ClusterObserver.tell(off, Set.of("n2"), meter);
    assertThat(off).containsExactly("n2");
    assertThat(told).hasSize(2);
  }
}
