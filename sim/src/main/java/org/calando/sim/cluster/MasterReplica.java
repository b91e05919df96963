package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;

/**
 * Asynchronous replication from masters, as Redis does it: the first replica of a key is its
 * master. Clients write to it; it writes, acknowledges, and sends the write on to the others. While
 * it is believed to be down, and until it has the writes that were kept for it then, the next
 * replica stands in for it. Where it takes over again it lacks what the other has not sent by then,
 * until that comes. A level above ONE makes a write wait for acknowledgements of so many replicas
 * in all, the master's included (WAIT n is n + 1 of them), and makes a read return the newest of so
 * many versions. What a master has written and not sent when it fails is lost to the others until
 * it returns, and then sent as hints; what it had not written is lost.
 *
 * @param lag from the master's write until it is sent on, of each replica of each write
 * @param reads which replica clients read from
 * @param groups whether nodes stand in {@link ReplicaGroups}, as Redis has them, which whoever
 *     places keys is to see to; otherwise every node of a ring is the master of some keys
 */
public record MasterReplica(Distribution lag, From reads, boolean groups) {
  /** Masters on a ring. */
  public MasterReplica(Distribution lag, From reads) {
    this(lag, reads, false);
  }

  /** Which replica a client reads from. */
  public enum From {
    /** The master. */
    MASTER,
    /** Any other than the master, unless it is alone. */
    REPLICA,
    /** Any. */
    ANY
  }
}
