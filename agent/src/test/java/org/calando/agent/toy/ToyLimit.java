package org.calando.agent.toy;

import static org.calando.schema.Types.integer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.store.Capable;
import org.calando.core.store.CompactionLimits;
import org.calando.knob.KnobAgents;
import org.calando.knob.KnobType;
import org.calando.schema.ScalarType;

/** A limit of a process, which is a number in this one. */
public final class ToyLimit implements KnobType<Integer> {
  /** What each process is set to, by the address of its JMX. */
  public static final Map<String, Integer> LIMITS = new ConcurrentHashMap<>();

  private static final KnobId<Integer> ID = new KnobId<>("toy-limit", Integer.class);

  @Override
  public KnobId<Integer> id() {
    return ID;
  }

  @Override
  public String doc() {
    return "A limit.";
  }

  @Override
  public String example() {
    return "[1]";
  }

  @Override
  public ScalarType<Integer> values() {
    return integer(0, 100);
  }

  @Override
  public Optional<Knob<Integer>> bind(Capable cluster) {
    return cluster
        .find(CompactionLimits.class)
        .<Knob<Integer>>map(its -> new Limit(its.jmx().get(0)))
        .or(() -> cluster.find(KnobAgents.class).map(agents -> agents.knob(this)));
  }

  @Override
  public String needs() {
    return "processes";
  }

  @Override
  public Knob<Integer> reach(String target) {
    return new Limit(target);
  }

  private record Limit(String target) implements Knob<Integer> {
    @Override
    public KnobId<Integer> id() {
      return ID;
    }

    @Override
    public Lifetime lifetime() {
      return Lifetime.LEASED;
    }

    @Override
    public Integer current() {
      return LIMITS.get(target);
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      return new Plan(
          ID.name(),
          target,
          to.toString(),
          from.equals(to) ? List.of() : List.of(new Set(target, from, to)));
    }
  }

  private record Set(String target, int from, int to) implements Plan.Action {
    @Override
    public String name() {
      return "set";
    }

    @Override
    public String describe() {
      return "set " + target + " to " + to;
    }

    @Override
    public void perform() {
      LIMITS.put(target, to);
    }

    @Override
    public boolean isDone() {
      return LIMITS.get(target) == to;
    }

    @Override
    public void undo() {
      LIMITS.put(target, from);
    }
  }
}
