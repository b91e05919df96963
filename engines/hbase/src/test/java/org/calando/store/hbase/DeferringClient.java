package org.calando.store.hbase;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.TableSpec;
import org.calando.core.store.WriteBuffering;

/**
 * A process that defers writes until it is ended, and tells after every tenth how many it was told
 * to be done, and how many of them it says to be at risk.
 */
public final class DeferringClient {
  /** How many writes are told of in one line. */
  static final int STEP = 10;

  private DeferringClient() {}

  /** Arguments: ZooKeeper, namespace, table, first key. */
  public static void main(String[] args) {
    HBaseStoreConfig config = HBaseStoreConfig.builder().quorum(args[0]).namespace(args[1]).build();
    long first = Long.parseLong(args[3]);
    try (HBaseStore store = HBaseStore.connect(config)) {
      store.join(new TableSpec(args[2], 1, "field"));
      Session session = store.open(SessionRequest.of(1).writes(WriteBuffering.deferred(200_000)));
      AtomicReference<Outcome> end = new AtomicReference<>(Outcome.OK);
      for (long done = 0; end.get() == Outcome.OK; done++) {
        if (done % STEP == 0) {
          // No write is acknowledged between the two, and what lands meanwhile is at risk no more.
          long atRisk = Requests.buffers(session).atRisk();
          System.out.println(done + " " + atRisk);
          System.out.flush();
        }
        end.set(null);
        session.write(
            0,
            first + done,
            0,
            1_000,
            1,
            ConsistencyLevel.ONE,
            (slot, outcome, version) -> end.set(outcome));
        while (end.get() == null) {
          LockSupport.parkNanos(50_000);
        }
      }
      // Refused: the process is ending.
      LockSupport.park();
    }
  }
}
