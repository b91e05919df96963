package org.calando.agent.toy;

import static org.calando.schema.Types.integer;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.FailedWorkException;
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

  /** Happens before and after each call of a knob or a step. */
  public static volatile Runnable between = () -> {};

  /** Processes whose limit cannot be restored, by the address of their JMX. */
  public static final Set<String> STUCK = ConcurrentHashMap.newKeySet();

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
      between.run();
      return LIMITS.get(target);
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      between.run();
      return new Plan(ID.name(), target, to.toString(), List.of(new Step(target, from, to)));
    }
  }

  private record Step(String target, int from, int to) implements Plan.Action {
    @Override
    public String name() {
      between.run();
      return "set";
    }

    @Override
    public String describe() {
      return "set " + target + " to " + to;
    }

    @Override
    public void perform() {
      between.run();
      LIMITS.put(target, to);
      between.run();
    }

    @Override
    public boolean isDone() {
      between.run();
      return LIMITS.get(target) == to;
    }

    @Override
    public void undo() {
      between.run();
      // In another process, such as a guard, there are none.
      if (STUCK.contains(target) || !LIMITS.containsKey(target)) {
        throw new FailedWorkException("does not answer", target, "start it");
      }
      LIMITS.put(target, from);
      between.run();
    }
  }
}
