package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A knob of three nodes on lease, one of which is away for a while. */
class LeaseNodesTest {
  @TempDir Path folder;

  private final Nodes knob = new Nodes();

  /** A number of each node, which it has at first, too, when it is back. */
  private static final class Nodes implements Knob<Integer> {
    private final Map<String, Integer> values = new TreeMap<>(Map.of("a", 1, "b", 1, "c", 1));
    private final Set<String> away = new HashSet<>();
    private String dies = "";

    @Override
    public KnobId<Integer> id() {
      return new KnobId<>("number", Integer.class);
    }

    @Override
    public String target() {
      return "three";
    }

    @Override
    public Lifetime lifetime() {
      return Lifetime.LEASED;
    }

    @Override
    public Integer current() {
      requireAll();
      if (new HashSet<>(values.values()).size() > 1) {
        throw new FailedWorkException("differ: " + values, "three", "set them alike");
      }
      return values.values().iterator().next();
    }

    private void requireAll() {
      values.keySet().forEach(this::require);
    }

    private void require(String node) {
      if (away.contains(node)) {
        throw new FailedWorkException("does not answer", node, "start it");
      }
    }

    private List<Integer> all() {
      return List.copyOf(values.values());
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      List<Plan.Action> steps = new ArrayList<>();
      values.keySet().forEach(node -> steps.add(new Set1(node, from, to)));
      return new Plan("number", "three", to.toString(), steps);
    }

    private final class Set1 implements Plan.Action {
      private final String node;
      private final int from;
      private final int to;

      Set1(String node, int from, int to) {
        this.node = node;
        this.from = from;
        this.to = to;
      }

      @Override
      public String name() {
        return "set " + node;
      }

      @Override
      public String describe() {
        return "set " + node + " to " + to;
      }

      @Override
      public void perform() {
        require(node);
        values.put(node, to);
        if (dies.equals(node)) {
          // Its answer is lost.
          away.add(node);
          require(node);
        }
      }

      @Override
      public boolean isDone() {
        require(node);
        return values.get(node) == to;
      }

      @Override
      public void undo() {
        require(node);
        values.put(node, from);
      }
    }
  }

  private Path journal() {
    return folder.resolve("lease.journal");
  }

  private Lease begin() {
    Lease lease =
        Lease.leased(
            journal(),
            List.of(),
            KnobOwners.in(folder, "a test"),
            watched ->
                new LeaseGuard() {
                  @Override
                  public long pid() {
                    return 7;
                  }

                  @Override
                  public void restore() {}

                  @Override
                  public void close() {}
                });
    lease.own(knob);
    return lease;
  }

  private void set(Lease lease, int to) throws InterruptedException {
    long unused = lease.set(knob, 1, to, "1");
  }

  private void fails(Lease lease, int to) {
    assertThatThrownBy(() -> set(lease, to)).isInstanceOf(FailedWorkException.class);
  }

  @Test
  void aNodeThatIsAwayForDaysNeitherGrowsTheJournalNorMovesTheOthers() throws Exception {
    try (Lease lease = begin()) {
      set(lease, 5);
      knob.away.add("b");
      long size = 0;
      for (int i = 0; i < 300; i++) {
        fails(lease, 6 + i % 7);
        assertThat(lease.verify(knob)).anyMatch(line -> line.contains("does not answer"));
        assertThat(knob.values.get("a")).isEqualTo(5);
        assertThat(knob.values.get("c")).isEqualTo(5);
        assertThat(lease.open()).hasSize(2);
        size = Math.max(size, Files.size(journal()));
      }
      assertThat(size).isLessThan(2_200_000);
      assertThat(lease.open()).extracting(JournalEntry::value).containsExactly("5", "6");

      knob.away.clear();
      knob.values.put("b", 1); // as it is after a restart
      assertThat(lease.verify(knob)).singleElement().asString().contains("set b to 5");
      assertThat(knob.all()).containsExactly(5, 5, 5);
      set(lease, 9);
      assertThat(knob.all()).containsExactly(9, 9, 9);
      assertThat(lease.open()).hasSize(1);
    }
    assertThat(knob.all()).containsExactly(1, 1, 1);
    assertThat(journal()).doesNotExist();
  }

  @Test
  void whatAFailedSettingDidNotReachGoesBackTooAtTheEnd() throws Exception {
    Lease lease = begin();
    set(lease, 5);
    knob.away.add("a");
    fails(lease, 6);
    assertThat(knob.all()).containsExactly(5, 5, 5);
    knob.away.clear();
    lease.close();
    assertThat(knob.all()).containsExactly(1, 1, 1);
  }

  @Test
  void whatAFailedSettingLeftIsTakenBackAndNotSetAgain() throws Exception {
    try (Lease lease = begin()) {
      knob.dies = "c";
      fails(lease, 6);
      fails(lease, 7);
      assertThat(knob.all()).containsExactly(1, 1, 6);
      knob.dies = "";
      knob.away.clear();
      assertThat(lease.verify(knob)).isEmpty();
      assertThat(knob.all()).containsExactly(1, 1, 1);
      set(lease, 7);
      assertThat(knob.all()).containsExactly(7, 7, 7);
    }
    assertThat(knob.all()).containsExactly(1, 1, 1);
  }

  @Test
  void whatOthersSetAsItIsToBeGoesBackToo() throws Exception {
    try (Lease lease = begin()) {
      set(lease, 5);
      knob.values.put("b", 6);
      set(lease, 6);
      assertThat(lease.verify(knob)).isEmpty();
    }
    assertThat(knob.all()).containsExactly(1, 1, 1);
  }

  @Test
  void aValueThatItHasAnywayIsHeld() throws Exception {
    try (Lease lease = begin()) {
      set(lease, 1);
      assertThat(lease.verify(knob)).isEmpty();
      knob.values.put("b", 8);
      assertThat(lease.verify(knob)).singleElement().asString().contains("set b to 1");
      assertThat(knob.all()).containsExactly(1, 1, 1);
      set(lease, 4);
      lease.goBack(knob);
      assertThat(knob.all()).containsExactly(1, 1, 1);
      knob.values.put("b", 8);
      assertThat(lease.verify(knob)).as("it is nobody's").isEmpty();
      knob.values.put("b", 1);
    }
    assertThat(knob.all()).containsExactly(1, 1, 1);
  }
}
