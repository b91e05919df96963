package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/*
 * write (level in use) --ack--+-- replica 1: read at ONE, at age 0 and the ages of PollAges, until seen
 *                             +-- ...
 *                             +-- replica N
 *                             +-- 2 replicas: read at their level through one node, until seen
 *                             +-- ... as many as may miss a write
 *                             +-- one read at the level in use, at a random age: the truth
 *
 * A node that holds a key answers a read at ONE from its own data, as it is the closest replica to
 * itself; a dynamic snitch may pass one on to another replica when the node is much slower.
 *
 * A lag is the age between the begin of the last read that did not find the write and that of the
 * first that did: what a client's read that begins at some age finds is what a lag is needed for, so
 * the way of the read to the replica belongs to the age on both sides and cancels out.
 *
 * A read of several replicas asks the coordinator's own copy at once, and others only after a way that
 * is often as long as that of the write: it misses less than replicas asked at the same moment would.
 * So for these, too, it is looked how long they miss a write, through a coordinator drawn at random.
 */
/** One canary from its write to the last of its reads. Thread safe. */
final class CanaryFlight {
  private final CanaryContext context;
  private final CqlSession session;
  private final long key;
  private final long version;
  private final List<Node> replicas;
  private final int[] reads;

  // As PropagationLags takes it: a lag of each replica, then those of reads of 2 .. N.
  private final double[] row;
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
    this.reads = context.readsToWatch(replicas.size());
    this.row = new double[reads.length == 0 ? replicas.size() : 2 * replicas.size() - 1];
    Arrays.fill(row, Double.NaN);
    this.unseen = new AtomicInteger(replicas.size() + reads.length);
    this.underWay = new AtomicInteger(replicas.size() + reads.length + 1);
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
      new ReplicaPoll(i).begin();
    }
    for (int read : reads) {
      new ReadPoll(read).begin();
    }
    later(context.drawAgeSeconds(), this::readTruth);
  }

  private void later(double ageSeconds, Runnable work) {
    long delay = Math.max(0, (long) (ageSeconds * 1e9) - (context.now() - ackNanos));
    try {
      var unused =
          context.timer().schedule(() -> context.cost().run(work), delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The timer is shut down: the canary ends here, without a sample.
    }
  }

  private double ageSeconds() {
    return (context.now() - ackNanos) / 1e9;
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

  /** Asks through one node until the write is found. */
  private abstract class Poll {
    final Node node;
    private final int cell;
    private final DefaultConsistencyLevel level;
    private final PollAges ages;
    private double lastUnseenSeconds = -1;

    /**
     * A poll.
     *
     * @param cell of the row, which it fills
     */
    Poll(int cell, Node node, DefaultConsistencyLevel level, double expectedSeconds) {
      this.cell = cell;
      this.node = node;
      this.level = level;
      this.ages = new PollAges(expectedSeconds);
    }

    /** Takes what a poll that was not answered tells. */
    abstract double unanswered();

    /** Notes that the node answered. */
    abstract void answered();

    /** Notes a lag. */
    abstract void found(double seconds);

    void begin() {
      if (ReplicaHealth.mayAnswer(node)) {
        read();
      } else {
        end(unanswered());
      }
    }

    private void read() {
      BoundStatement statement =
          context
              .table()
              .read()
              .bind(key)
              .setNode(node)
              .setConsistencyLevel(level)
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
        end(unanswered());
        return;
      }
      answered();
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
      found(lag);
      row[cell] = lag;
      if (unseen.decrementAndGet() == 0) {
        context.sample(writtenNanos, replicas.size(), row);
      }
      part();
    }
  }

  /** Asks one replica until it has the write. */
  private final class ReplicaPoll extends Poll {
    ReplicaPoll(int index) {
      super(
          index,
          replicas.get(index),
          context.levelOfOneReplica(),
          context.health().expectedSeconds(replicas.get(index)));
    }

    @Override
    double unanswered() {
      if (ReplicaHealth.mayAnswer(node)) {
        context.health().failed(node);
      }
      return Double.POSITIVE_INFINITY;
    }

    @Override
    void answered() {
      context.health().answered(node);
    }

    @Override
    void found(double seconds) {
      context.health().lag(node, seconds);
    }
  }

  /** Reads several replicas until the write is found. */
  private final class ReadPoll extends Poll {
    private final int read;

    ReadPoll(int read) {
      super(
          replicas.size() + read - 2,
          replicas.get(ThreadLocalRandom.current().nextInt(replicas.size())),
          context.readLevel(read, replicas.size()),
          context.health().expectedSeconds(read));
      this.read = read;
    }

    /** That a replica is away says nothing of reads that ask the others. */
    @Override
    double unanswered() {
      return Double.NaN;
    }

    @Override
    void answered() {}

    @Override
    void found(double seconds) {
      context.health().readLag(read, seconds);
    }
  }
}
