package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CapableTest {
  /** What some sessions offer. */
  private interface Counting {
    int count();
  }

  private static class Plain implements Session {
    @Override
    public int slots() {
      return 1;
    }

    @Override
    public void read(int slot, long key, int field, ConsistencyLevel level, Completion completion) {
      completion.complete(slot, Outcome.NOT_FOUND, NO_VERSION);
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
      completion.complete(slot, Outcome.OK, NO_VERSION);
    }

    @Override
    public void scan(
        int slot, long key, int count, int field, ConsistencyLevel level, Completion completion) {
      completion.complete(slot, Outcome.OK, NO_VERSION);
    }

    @Override
    public void close() {}
  }

  private static final class Counter extends Plain implements Counting {
    @Override
    public int count() {
      return 7;
    }
  }

  private static class Wrapper extends ForwardingSession {
    Wrapper(Session session) {
      super(session);
    }
  }

  private static final class OtherCounter extends Wrapper implements Counting {
    OtherCounter(Session session) {
      super(session);
    }

    @Override
    public int count() {
      return 8;
    }
  }

  @Test
  void aCapabilityIsFoundWhereItIsOffered() {
    assertThat(new Counter().find(Counting.class).map(Counting::count)).hasValue(7);
    assertThat(new Plain().find(Counting.class)).isEmpty();
  }

  @Test
  void aWrapperHasWhatItWrapsUnlessItOffersItItself() {
    Session wrapped = new Wrapper(new Wrapper(new Counter()));
    assertThat(wrapped.find(Counting.class).map(Counting::count)).hasValue(7);
    assertThat(new Wrapper(new Plain()).find(Counting.class)).isEmpty();
    Session other = new OtherCounter(new Counter());
    assertThat(other.find(Counting.class).map(Counting::count)).hasValue(8);
  }

  @Test
  void nobodyAsksForAClass() {
    assertThatThrownBy(() -> new Counter().find(Counter.class))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
