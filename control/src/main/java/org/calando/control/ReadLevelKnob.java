package org.calando.control;

import java.util.List;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.LevelPicker;
import org.calando.core.policy.Plan;
import org.calando.core.policy.ReadChoice;

/**
 * The level at which a table is read: one step, in this process's memory, from where every read
 * takes it. Ends with the process. Thread safe.
 */
public final class ReadLevelKnob implements Knob<ReadChoice> {
  private static final String AND_ABOVE = "+";

  private final String table;
  private final Reads reads;

  /** What a table's reads look at. Thread safe. */
  public interface Reads {
    /** What was set last. */
    ReadChoice choice();

    /** Sets what the next reads ask. */
    void set(ReadChoice choice);

    /** A choice in words, after what is read. */
    String words(ReadChoice choice);
  }

  /**
   * A knob.
   *
   * @param table the table: its target
   * @param picker what the table's reads ask for their level
   */
  public ReadLevelKnob(String table, LevelPicker picker) {
    this(table, new Picked(picker));
  }

  /**
   * A knob of other reads than those of a level.
   *
   * @param table the table: its target
   */
  public ReadLevelKnob(String table, Reads reads) {
    this.table = table;
    this.reads = reads;
  }

  private record Picked(LevelPicker picker) implements Reads {
    @Override
    public ReadChoice choice() {
      return picker.choice();
    }

    @Override
    public void set(ReadChoice choice) {
      picker.set(choice);
    }

    @Override
    public String words(ReadChoice choice) {
      String level = "at " + picker.level(choice.replicas());
      return choice.shareAbove() == 0
          ? level
          : level
              + ", a share of "
              + choice.shareAbove()
              + " at "
              + picker.level(choice.replicas() + 1);
    }
  }

  @Override
  public KnobId<ReadChoice> id() {
    return KnobId.READ_LEVEL;
  }

  @Override
  public String target() {
    return table;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.PROCESS;
  }

  @Override
  public ReadChoice current() {
    return reads.choice();
  }

  @Override
  public Plan plan(ReadChoice from, ReadChoice to) {
    return new Plan(
        id().name(),
        table,
        text(to),
        from.equals(to) ? List.of() : List.of(new SetLevel(from, to)));
  }

  private static String text(ReadChoice choice) {
    return choice.shareAbove() == 0
        ? String.valueOf(choice.replicas())
        : choice.replicas() + AND_ABOVE + choice.shareAbove();
  }

  private final class SetLevel implements Plan.Action {
    private final ReadChoice from;
    private final ReadChoice to;

    SetLevel(ReadChoice from, ReadChoice to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public String name() {
      return "set-level";
    }

    @Override
    public String describe() {
      return "read " + table + " " + reads.words(to);
    }

    @Override
    public void perform() {
      reads.set(to);
    }

    @Override
    public boolean isDone() {
      return reads.choice().equals(to);
    }

    @Override
    public void undo() {
      reads.set(from);
    }
  }
}
