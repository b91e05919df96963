package org.calando.core.store;

import java.util.List;
import java.util.Optional;

/**
 * Passes every operation on to another session, whose capabilities it has too. As thread safe as
 * that one.
 */
public abstract class ForwardingSession implements Session {
  private final Session session;

  /**
   * Wraps a session.
   *
   * @param session closed with this one
   */
  protected ForwardingSession(Session session) {
    this.session = session;
  }

  @Override
  public <C> Optional<C> find(Class<C> capability) {
    return Session.super.find(capability).or(() -> session.find(capability));
  }

  @Override
  public int slots() {
    return session.slots();
  }

  @Override
  public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
    session.read(slot, key, field, level, completion);
  }

  @Override
  public void write(
      int slot,
      long key,
      int field,
      int valueBytes,
      long version,
      ConsistencyLevel level,
      Completion completion) {
    session.write(slot, key, field, valueBytes, version, level, completion);
  }

  @Override
  public void scan(
      int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
    session.scan(slot, key, count, field, level, completion);
  }

  @Override
  public boolean flush(Runnable done) {
    return session.flush(done);
  }

  @Override
  public List<String> errors() {
    return session.errors();
  }

  @Override
  public void close() {
    session.close();
  }
}
