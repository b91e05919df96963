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
  private final LevelPicker picker;

  /**
   * A knob.
   *
   * @param table the table: its target
   * @param picker what the table's reads ask for their level
   */
  public ReadLevelKnob(String table, LevelPicker picker) {
    this.table = table;
    this.picker = picker;
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
    return picker.choice();
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
      String level = "read " + table + " at " + picker.level(to.replicas());
      return to.shareAbove() == 0
          ? level
          : level + ", a share of " + to.shareAbove() + " at " + picker.level(to.replicas() + 1);
    }

    @Override
    public void perform() {
      picker.set(to);
    }

    @Override
    public boolean isDone() {
      return picker.choice().equals(to);
    }

    @Override
    public void undo() {
      picker.set(from);
    }
  }
}
