package org.calando.core.policy.buffer;

import java.util.List;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.WriteBuffering;

/**
 * How a session's writes are sent, as a knob: it ends with the session and its process. Values of
 * plans are those of {@link BufferSetting#words}. Thread safe.
 */
public final class BufferKnob implements Knob<BufferSetting> {
  private final BufferedWrites session;
  private final String target;
  private final boolean shared;
  private final boolean readYourWrites;

  /**
   * The knob of a session.
   *
   * @param target what it acts on, such as the table's name
   * @param shared whether all clients fill one buffer while writes are deferred
   * @param readYourWrites whether reads see writes that have not been sent
   */
  public BufferKnob(BufferedWrites session, String target, boolean shared, boolean readYourWrites) {
    this.session = session;
    this.target = target;
    this.shared = shared;
    this.readYourWrites = readYourWrites;
  }

  @Override
  public KnobId<BufferSetting> id() {
    return KnobId.WRITE_BUFFER;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.PROCESS;
  }

  @Override
  public BufferSetting current() {
    return session.buffering().setting();
  }

  @Override
  public Plan plan(BufferSetting from, BufferSetting to) {
    List<Plan.Action> steps =
        from.equals(to) ? List.of() : List.of(new Change(buffering(from), buffering(to)));
    return new Plan(id().name(), target, to.words(), steps);
  }

  private WriteBuffering buffering(BufferSetting setting) {
    return setting.isStrong()
        ? WriteBuffering.STRONG
        : new WriteBuffering(setting, shared, readYourWrites);
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
      return "send writes of " + target + " " + to.label() + ", before " + from.label();
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
