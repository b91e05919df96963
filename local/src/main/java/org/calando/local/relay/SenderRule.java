package org.calando.local.relay;

/** Tells which node has opened a connection, from the first bytes it sends. */
interface SenderRule {
  /** More bytes are needed. */
  int UNDECIDED = -2;

  /** It is no node of the cluster. */
  int STRANGER = -1;

  /** The sender, counted from 0, or {@link #UNDECIDED}, or {@link #STRANGER}. */
  int sender(DelayLine received);

  /**
   * The rule for Cassandra's internode protocol from 4.0 on.
   *
   * <p>A connection begins with the number 0xCA552DFA, four bytes of flags, the length of an
   * address with its port (6 for IPv4), and the sender's broadcast address.
   *
   * @param blockFirst first byte of the cluster's addresses
   * @param blockSecond second byte of them
   */
  static SenderRule internode(int nodes, int blockFirst, int blockSecond) {
    return received -> {
      if (received.size() < 13) {
        return UNDECIDED;
      }
      boolean internode =
          (received.peek(0) & 0xff) == 0xca
              && (received.peek(1) & 0xff) == 0x55
              && (received.peek(2) & 0xff) == 0x2d
              && (received.peek(3) & 0xff) == 0xfa
              && received.peek(8) == 6
              && (received.peek(9) & 0xff) == blockFirst
              && (received.peek(10) & 0xff) == blockSecond;
      int node = (received.peek(12) & 0xff) - 1;
      return internode && node >= 0 && node < nodes ? node : STRANGER;
    };
  }
}
