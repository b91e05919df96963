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
import java.util.function.BiConsumer;
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

  /** Reads through one node. */
  private void read(
      Node node,
      DefaultConsistencyLevel level,
      BiConsumer<@Nullable AsyncResultSet, @Nullable Throwable> answered) {
    BoundStatement statement =
        context
            .table()
            .read()
            .bind(key)
            .setNode(node)
            .setConsistencyLevel(level)
            .setIdempotent(false)
            .setTimeout(context.requestTimeout());
    context.cost().request();
    var unused =
        Requests.send(session, statement)
            .whenComplete(
                (answer, error) -> context.cost().run(() -> answered.accept(answer, error)));
  }

  private void end(int cell, double lag) {
    row[cell] = lag;
    if (unseen.decrementAndGet() == 0) {
      context.sample(writtenNanos, replicas.size(), row);
    }
    part();
  }

  /** Asks one replica until it has the write. */
  private final class ReplicaPoll {
    private final int index;
    private final Node node;
    private final PollAges ages;
    private double lastUnseenSeconds = -1;

    ReplicaPoll(int index) {
      this.index = index;
      this.node = replicas.get(index);
      this.ages = new PollAges(context.health().expectedSeconds(node));
    }

    void begin() {
      if (ReplicaHealth.mayAnswer(node)) {
        ask();
      } else {
        found(Double.POSITIVE_INFINITY);
      }
    }

    private void ask() {
      double age = ageSeconds();
      read(node, context.levelOfOneReplica(), (answer, error) -> answered(age, answer, error));
    }

    private void answered(double age, @Nullable AsyncResultSet answer, @Nullable Throwable error) {
      if (error != null || answer == null) {
        context.health().failed(node);
        found(Double.POSITIVE_INFINITY);
        return;
      }
      context.health().answered(node);
      if (sees(answer)) {
        found(lastUnseenSeconds < 0 ? 0 : (lastUnseenSeconds + age) / 2);
        return;
      }
      lastUnseenSeconds = age;
      double next = ages.after(age);
      if (next > context.deadlineSeconds()) {
        found(Double.POSITIVE_INFINITY);
      } else {
        later(next, this::ask);
      }
    }

    private void found(double lag) {
      context.health().lag(node, lag);
      end(index, lag);
    }
  }

  /*
   * A read of several replicas takes longer than the write's way, so to ask again after each answer
   * would tell nothing. It is asked at age 0, and at an age drawn from each half of the time in which
   * the last replica is expected to get the write: each half in which it is not found yet counts as
   * missed whole, which is right in the mean. What is found at age 0 is not missed at all, and asked
   * no further if the answer is back by then.
   */
  /** For how long reads of several replicas through one node miss the write. */
  private final class ReadPoll {
    private static final double BEYOND = 1.25;
    private static final int HALVES = 2;

    private final int read;
    private final Node node;
    private final double half;
    private final AtomicInteger open = new AtomicInteger(1 + HALVES);
    private final AtomicInteger missed = new AtomicInteger();
    private volatile boolean foundAtOnce;
    private volatile boolean failed;

    ReadPoll(int read) {
      this.read = read;
      this.node = replicas.get(ThreadLocalRandom.current().nextInt(replicas.size()));
      double last =
          replicas.stream().mapToDouble(context.health()::expectedSeconds).max().orElseThrow();
      this.half = Math.min(BEYOND * last, context.deadlineSeconds()) / HALVES;
    }

    void begin() {
      if (!ReplicaHealth.mayAnswer(node)) {
        end(cell(), Double.NaN);
        return;
      }
      ask(true);
      for (int i = 0; i < HALVES; i++) {
        later((i + ThreadLocalRandom.current().nextDouble()) * half, () -> ask(false));
      }
    }

    private int cell() {
      return replicas.size() + read - 2;
    }

    private void ask(boolean first) {
      if (foundAtOnce) {
        answered();
        return;
      }
      DefaultConsistencyLevel level = context.readLevel(read, replicas.size());
      read(
          node,
          level,
          (answer, error) -> {
            if (error != null || answer == null) {
              failed = true;
            } else if (sees(answer)) {
              foundAtOnce |= first;
            } else if (!first) {
              missed.incrementAndGet();
            }
            answered();
          });
    }

    private void answered() {
      if (open.decrementAndGet() == 0) {
        // That a replica is away says nothing of reads that ask the others.
        end(cell(), failed ? Double.NaN : foundAtOnce ? 0 : missed.get() * half);
      }
    }
  }
}
