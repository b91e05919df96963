package org.calando.control;

import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.Knob;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.WriteBuffering;
import org.jspecify.annotations.Nullable;

/*
 * The knob is to have all clients share one buffer while a policy decides: a promise is on the session's writes, and the
 * buffers of many clients would each wait for their delay with few writes in them.
 */
/** A session whose writes a policy defers. Thread safe. */
public class DeferringSession implements HeldBuffer.Client {
  private final BufferedWrites session;
  private final Knob<BufferSetting> knob;
  private final Lease lease;
  private final BufferSetting first;

  /**
   * A session, whose writes are strong from now on.
   *
   * @param knob the session's
   * @param mostAtRisk writes that may be at risk at once, at most; those that come then wait
   * @param lease of this process, which owns the knob from now on
   */
  public DeferringSession(
      BufferedWrites session, Knob<BufferSetting> knob, long mostAtRisk, Lease lease) {
    this.session = session;
    this.knob = knob;
    this.lease = lease;
    lease.own(knob);
    session.buffering(WriteBuffering.STRONG);
    session.mostAtRisk(mostAtRisk);
    this.first = knob.current();
  }

  @Override
  public BufferRange range() {
    return new BufferRange(WriteBuffering.SHORTEST_DELAY_NANOS, WriteBuffering.MOST_BYTES);
  }

  @Override
  public BufferSetting current() {
    return knob.current();
  }

  @Override
  public void set(BufferSetting to) throws InterruptedException {
    long unused = lease.set(knob, first, to, first.words());
  }

  @Override
  public void strong() {
    session.buffering(WriteBuffering.STRONG);
  }

  @Override
  public void watch(@Nullable RecentWrites recent) {
    if (recent == null) {
      session.unwatch();
    } else {
      session.watch(recent);
    }
  }

  @Override
  public long atRisk() {
    return session.atRisk();
  }
}
