package org.calando.load;

/** What makes the next operation start: the end of the last one, or its time. */
public sealed interface Loop {
  /** Operations that can be under way at once, and therefore slots that the session must have. */
  int slots();

  /** Logical clients, for the oracle's checks per client: numbered 0 .. clients() - 1. */
  int clients();

  /**
   * So many clients, each of which starts an operation when its last one has ended.
   *
   * @param threads clients, 1 or more; client and slot are the same
   */
  record Closed(int threads) implements Loop {
    public Closed {
      positive(threads, "threads");
    }

    @Override
    public int slots() {
      return threads;
    }

    @Override
    public int clients() {
      return threads;
    }
  }

  /**
   * Operations start at times that do not depend on the store.
   *
   * @param arrivals when operations are to start
   * @param maxInFlight operations under way at once at most; those due beyond it start as others
   *     end, and their latency counts from the time at which they were due
   * @param clients logical clients, 1 or more; each operation belongs to one chosen at random
   */
  record Open(ArrivalProcess arrivals, int maxInFlight, int clients) implements Loop {
    public Open {
      positive(maxInFlight, "maxInFlight");
      positive(clients, "clients");
    }

    @Override
    public int slots() {
      return maxInFlight;
    }
  }

  private static void positive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " < 1");
    }
  }
}
