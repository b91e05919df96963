package org.calando.store.hbase;

import java.util.List;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.store.hbase.internal.HBaseSession;

/**
 * How a session's writes are sent, as a knob: leased, since it ends with the session and its
 * process. Thread safe.
 */
public final class BufferKnob implements Knob<WriteBuffering> {
  /** Its name and type. */
  public static final KnobId<WriteBuffering> ID =
      new KnobId<>("write-buffer", WriteBuffering.class);

  private final HBaseSession session;
  private final String target;

  /**
   * The knob of a session.
   *
   * @param target what it acts on, such as the table's name
   */
  public BufferKnob(HBaseSession session, String target) {
    this.session = session;
    this.target = target;
  }

  @Override
  public KnobId<WriteBuffering> id() {
    return ID;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.LEASED;
  }

  @Override
  public WriteBuffering current() {
    return session.buffering();
  }

  @Override
  public Plan plan(WriteBuffering from, WriteBuffering to) {
    List<Plan.Action> steps = from.equals(to) ? List.of() : List.of(new Change(from, to));
    return new Plan(ID.name(), target, to.label(), steps);
  }

  private final class Change implements Plan.Action {
    private final WriteBuffering from;
    private final WriteBuffering to;

    private Change(WriteBuffering from, WriteBuffering to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public String name() {
      return "write buffer";
    }

    @Override
    public String describe() {
      return "send writes " + to.label() + ", and what was collected " + from.label() + " at once";
    }

    @Override
    public void perform() {
      session.buffering(to);
    }

    @Override
    public boolean isDone() {
      return session.buffering().equals(to);
    }

    @Override
    public void undo() {
      session.buffering(from);
    }
  }
}
