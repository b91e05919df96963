package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * write (level in use) --ack--+-- replica 1: read at ONE, at age 0 and the ages of PollAges, until seen
 *                             +-- ...
 *                             +-- replica N
 *                             +-- one read at the level in use, at a random age: the truth
 *
 * A node that holds a key answers a read at ONE from its own data, as it is the closest replica to
 * itself; a dynamic snitch may pass one on to another replica when the node is much slower.
 *
 * A lag is the age between the begin of the last read that did not find the write and that of the
 * first that did: what a client's read that begins at some age finds is what a lag is needed for, so
 * the way of the read to the replica belongs to the age on both sides and cancels out.
 */
/** One canary from its write to the last of its reads. Thread safe. */
final class CanaryFlight {
  private final CanaryContext context;
  private final CqlSession session;
  private final long key;
  private final long version;
  private final List<Node> replicas;
  private final double[] lagSeconds;
  private final AtomicInteger underWay;
  private final Runnable ended;
  private long writtenNanos;
  private volatile long ackNanos;
  private final AtomicInteger unseen;

  /**
   * A canary.
   *
   * @param replicas nodes that hold the key, 1 or more
   * @param ended runs once, when nothing of it is under way any more
   */
  CanaryFlight(CanaryContext context, long key, long version, List<Node> replicas, Runnable ended) {
    this.context = context;
    this.session = context.session();
    this.key = key;
    this.version = version;
    this.replicas = replicas;
    this.lagSeconds = new double[replicas.size()];
    this.unseen = new AtomicInteger(replicas.size());
    this.underWay = new AtomicInteger(replicas.size() + 1);
    this.ended = ended;
  }

  void begin() {
    BoundStatement write =
        context
            .table()
            .write()
            .bind(key, version, context.filler().duplicate())
            .setConsistencyLevel(context.writeLevel())
            // The version orders a key's writes, whatever this machine's clock does meanwhile.
            .setQueryTimestamp(version)
            .setIdempotent(false)
            .setTimeout(context.requestTimeout());
    writtenNanos = context.now();
    context.cost().request();
    var unused =
        Requests.send(session, write)
            .whenComplete(
                (answer, error) -> {
                  long now = context.now();
                  context.cost().run(() -> acknowledged(now, error));
                });
  }

  private void acknowledged(long now, @Nullable Throwable error) {
    if (error != null) {
      context.failures().add(Failures.text(Failures.cause(error)));
      ended.run();
      return;
    }
    ackNanos = now;
    for (int i = 0; i < replicas.size(); i++) {
      new Poll(i).begin();
    }
    later(context.drawAgeSeconds(), this::readTruth);
  }

  private void later(double ageSeconds, Runnable work) {
    long atAge = (long) (ageSeconds * 1e9);
    // No longer than the age, even if the clock was set back meanwhile.
    long delay = Math.min(atAge, Math.max(0, atAge - (context.now() - ackNanos)));
    try {
      var unused =
          context.timer().schedule(() -> context.cost().run(work), delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The timer is shut down: the canary ends here, without a sample.
    }
  }

  private double ageSeconds() {
    return Math.max(0, (context.now() - ackNanos) / 1e9);
  }

  private boolean sees(AsyncResultSet answer) {
    Row row = answer.one();
    return row != null && row.getLong(0) >= version;
  }

  private void readTruth() {
    int read = context.drawReadReplicas();
    BoundStatement statement =
        context
            .table()
            .read()
            .bind(key)
            .setConsistencyLevel(context.readLevel(read, replicas.size()))
            .setIdempotent(false)
            .setTimeout(context.requestTimeout());
    double age = ageSeconds();
    long begun = context.now();
    context.cost().request();
    var unused =
        Requests.send(session, statement)
            .whenComplete(
                (answer, error) ->
                    context
                        .cost()
                        .run(
                            () -> {
                              if (error == null) {
                                context.truth(begun, !sees(answer), read, age);
                              }
                              part();
                            }));
  }

  private void part() {
    if (underWay.decrementAndGet() == 0) {
      ended.run();
    }
  }

  /** Asks one replica until it has the write. */
  private final class Poll {
    private final int index;
    private final Node node;
    private final PollAges ages;
    private double lastUnseenSeconds = -1;

    Poll(int index) {
      this.index = index;
      this.node = replicas.get(index);
      this.ages = new PollAges(context.health().expectedSeconds(node));
    }

    void begin() {
      if (ReplicaHealth.mayAnswer(node)) {
        read();
      } else {
        end(Double.POSITIVE_INFINITY);
      }
    }

    private void read() {
      BoundStatement statement =
          context
              .table()
              .read()
              .bind(key)
              .setNode(node)
              .setConsistencyLevel(context.levelOfOneReplica())
              .setIdempotent(false)
              .setTimeout(context.requestTimeout());
      double age = ageSeconds();
      context.cost().request();
      var unused =
          Requests.send(session, statement)
              .whenComplete(
                  (answer, error) -> context.cost().run(() -> answered(age, answer, error)));
    }

    private void answered(double age, @Nullable AsyncResultSet answer, @Nullable Throwable error) {
      if (error != null || answer == null) {
        context.health().failed(node);
        end(Double.POSITIVE_INFINITY);
        return;
      }
      context.health().answered(node);
      if (sees(answer)) {
        end(lastUnseenSeconds < 0 ? 0 : (lastUnseenSeconds + age) / 2);
        return;
      }
      lastUnseenSeconds = age;
      double next = ages.after(age);
      if (next > context.deadlineSeconds()) {
        end(Double.POSITIVE_INFINITY);
      } else {
        later(next, this::read);
      }
    }

    private void end(double lag) {
      context.health().lag(node, lag);
      lagSeconds[index] = lag;
      if (unseen.decrementAndGet() == 0) {
        context.sample(writtenNanos, lagSeconds);
      }
      part();
    }
  }
}
