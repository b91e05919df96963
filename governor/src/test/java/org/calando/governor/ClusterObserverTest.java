package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodePresence;
import org.calando.engine.Target;
import org.calando.power.schema.PowerSpec;
import org.junit.jupiter.api.Test;

/** What the meter of a cluster is told of nodes that are off by order. */
class ClusterObserverTest {
  private static final NodeProfile PROFILE = Profiles.byName(Profiles.DEFAULT).orElseThrow();

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

        @Override
        public void cameBack(String node, long pid, List<Long> companions) {
          told.add(node + " is processes " + pid + " and " + companions);
        }
      };

  @Test
  void theMeterIsToldOnceOfEachNodeThatGoesOffOrOn() {
    Set<String> off = tell(Set.of("n1"), Set.of("n1"));
    assertThat(told).isEmpty();
    off = tell(off, Set.of("n2"));
    assertThat(told).containsExactly("n2 goes off", "n1 is processes 11 and [12]", "n1 is on");
    off = tell(off, Set.of("n2"));
    assertThat(off).containsExactly("n2");
    assertThat(told).hasSize(3);
    off = tell(off, Set.of());
    assertThat(off).isEmpty();
    assertThat(told).as("of n2 no process is known").last().isEqualTo("n2 is on");
    assertThat(told).hasSize(4);
  }

  private Set<String> tell(Set<String> before, Set<String> now) {
    List<Target.Node> nodes =
        List.of(
            new Target.Node(
                "n1",
                "n1",
                "",
                PROFILE,
                List.of(),
                Optional.empty(),
                OptionalLong.of(11),
                Optional.empty(),
                List.of(12L)),
            new Target.Node("n2", "n2", "", PROFILE, OptionalLong.empty(), Optional.empty()));
    return ClusterObserver.tell(before, now, () -> nodes, meter);
  }

  /** A node that tells nothing; which ones are off can be read at times. */
  private static final class Unread implements Target {
    boolean isDamaged;

    @Override
    public List<Node> nodes() {
      return List.of(new Node("n1", "n1", "", PROFILE, OptionalLong.empty(), Optional.empty()));
    }

    @Override
    public Set<String> off() {
      if (isDamaged) {
        throw new FailedWorkException("is no state of racks", "racks.json", "restore it");
      }
      return Set.of("n1");
    }

    @Override
    public KeyValueStore connect(LoadBounds bounds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> heal() {
      return List.of();
    }

    @Override
    public void onProcessEnd(Consumer<String> listener) {}

    @Override
    public Optional<ClusterControl> control() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  @Test
  void aFileThatIsDamagedEndsNoObservation() throws InterruptedException {
    Unread cluster = new Unread();
    long period = 1_000_000_000L;
    PowerSpec power =
        new PowerSpec("auto", PROFILE, false, 0, period, EnergyPricing.NONE, Map.of());
    long now = System.nanoTime();
    ClusterAccount account = new ClusterAccount(now);
    try (ClusterObserver observer = ClusterObserver.start(cluster, power, period, account)) {
      cluster.isDamaged = true;
      observer.tick(now + 2 * period);
      assertThat(observer.problems())
          .contains("nodes that are off are not known: racks.json: is no state of racks");
      cluster.isDamaged = false;
      observer.tick(now + 4 * period);
      assertThat(observer.problems()).noneMatch(line -> line.contains("nodes that are off"));
    }
  }
}
