package org.calando.toy;

import static org.calando.schema.Types.integer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.calando.control.Sensor;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.store.Capable;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.Target;
import org.calando.knob.KnobType;
import org.calando.report.column.Column;
import org.calando.report.column.RunRecord;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;

/** A dial from 0 to 9 in a file, which is all that a stranger writes of a knob. */
public final class ToyDial implements KnobType<Integer> {
  /** Names the file; clusters have no dial without it. */
  static final String FILE = "toy.dial";

  static final KnobId<Integer> ID = new KnobId<>("dial", Integer.class);
  private static final ScalarType<Integer> VALUES = integer(0, 9);

  /** After so many the sensor sees nothing. */
  static final AtomicInteger LOOKS = new AtomicInteger(Integer.MAX_VALUE);

  /** Why the sensor cannot look now; empty if it can. */
  static final AtomicReference<String> UNSEEN = new AtomicReference<>("");

  /** What happens before the dial goes back. */
  static final AtomicReference<Runnable> BEFORE_UNDO = new AtomicReference<>(() -> {});

  private static final SignalId<Turns> TURNS = new SignalId<>("turns", Turns.class);
  private static final Column HIGHEST =
      new Column("dial_highest", "", "the highest value that the dial had", ToyDial::highest);
  private static final Key<Integer> MOST =
      Key.of("most", VALUES, "The highest value.").mandatory().example("5");
  private static final Key<Integer> NOTE =
      Key.of("note", VALUES, "Of no matter, and not in its name.").example("1");
  private static final Key<Controller<?>> CLIMB =
      Key.of(
              "climb",
              ObjectType.named("the policy climb", "One step up each period, to a highest value.")
                  .keys(MOST, NOTE)
                  .<Controller<?>>build(values -> new Climb(values.get(MOST), List.of(""))),
              "One step up each period.")
          .example("{most: 5}");
  private static final Key<Controller<?>> PAIR =
      Key.of(
              "pair",
              ObjectType.named("the policy pair", "As climb, also of a dial that nobody sets.")
                  .keys(MOST)
                  .<Controller<?>>build(values -> new Climb(values.get(MOST), List.of("", "-two"))),
              "One step up each period, of two.")
          .example("{most: 5}");

  private static final AtomicInteger HAD = new AtomicInteger();

  /** What the sensor sees. */
  record Turns(int at, int seen) {}

  private static String highest(RunRecord run) {
    return run.text("dial_highest");
  }

  @Override
  public KnobId<Integer> id() {
    return ID;
  }

  @Override
  public String doc() {
    return "A toy.";
  }

  @Override
  public String example() {
    return "[2, {climb: {most: 5}}]";
  }

  @Override
  public ScalarType<Integer> values() {
    return VALUES;
  }

  @Override
  public List<Key<? extends Controller<?>>> policies() {
    return List.of(CLIMB, PAIR);
  }

  @Override
  public Optional<Knob<Integer>> bind(Capable cluster) {
    boolean offers =
        cluster.find(KeyValueStore.class).isPresent() || cluster.find(Target.class).isPresent();
    return Optional.ofNullable(System.getProperty(FILE)).filter(file -> offers).map(this::reach);
  }

  @Override
  public String needs() {
    return "a file in the system property " + FILE;
  }

  @Override
  public Knob<Integer> reach(String target) {
    return new Dial(target);
  }

  @Override
  public Optional<Sensor> sensor(Capable cluster, Knob<Integer> knob) {
    AtomicInteger seen = new AtomicInteger();
    HAD.set(0);
    return Optional.of(
        now -> {
          if (!UNSEEN.get().isEmpty()) {
            throw new FailedWorkException(UNSEEN.get(), knob.target(), "wait");
          }
          if (seen.get() >= LOOKS.get()) {
            return Optional.empty();
          }
          Turns turns = new Turns(knob.current(), seen.incrementAndGet());
          HAD.accumulateAndGet(turns.at(), Math::max);
          return Optional.of(Signals.of(now, knob.target(), TURNS, turns));
        });
  }

  @Override
  public List<Column> columns() {
    return List.of(HIGHEST);
  }

  @Override
  public void record(Capable cluster, RunRecord run) {
    run.give(HIGHEST, HAD.get());
  }

  /** Goes up by one each period; the targets are those of signals with these ends. */
  private record Climb(int most, List<String> ends) implements Controller<Integer> {
    @Override
    public String name() {
      return "climb to " + most;
    }

    @Override
    public Set<SignalId<?>> needs() {
      return Set.of(TURNS);
    }

    @Override
    public Set<KnobId<?>> sets() {
      return Set.of(ID);
    }

    @Override
    public Integer initial() {
      return 0;
    }

    @Override
    public Step<Integer> decide(Integer state, Signals signals) {
      int next = Math.min(most, signals.get(TURNS).at() + 1);
      return new Step<>(
          state + 1,
          ends.stream()
              .<Setting<?>>map(end -> new Setting<>(ID, signals.target() + end, next))
              .toList(),
          List.of("climb: from " + signals.get(TURNS).at() + " to " + next));
    }

    @Override
    public String write(Integer state) {
      return "climb/1 decisions=" + state;
    }

    @Override
    public Integer read(String text) {
      return Integer.valueOf(text.replace("climb/1 decisions=", ""));
    }
  }

  /** The file, which begins at 1. */
  private record Dial(String target) implements Knob<Integer> {
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
      try {
        return Integer.valueOf(Files.readString(Path.of(target)).strip());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      List<Plan.Action> steps = from.equals(to) ? List.of() : List.of(new Turn(this, from, to));
      return new Plan(ID.name(), target, to.toString(), steps);
    }

    private void turn(int to) {
      try {
        Files.writeString(Path.of(target), to + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record Turn(Dial dial, int from, int to) implements Plan.Action {
    @Override
    public String name() {
      return "turn";
    }

    @Override
    public String describe() {
      return "turn " + dial.target() + " to " + to;
    }

    @Override
    public void perform() {
      dial.turn(to);
    }

    @Override
    public boolean isDone() {
      return dial.current() == to;
    }

    @Override
    public void undo() {
      BEFORE_UNDO.get().run();
      dial.turn(from);
    }
  }
}
