package org.calando.session.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * write (level in use) --ack--+-- replica 1: read at ONE, at age 0 and the ages of PollAges, until seen
 *                             +-- ...
 *                             +-- replica N
 *                             +-- 2 replicas: read at their level through one node, until seen
 *                             +-- ... as many as may miss a write
 *                             +-- one read at the level in use if it may miss, at a random age: the truth
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
      new Reads(read).begin();
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
    int read = context.drawReadReplicas(replicas.size());
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
                                context.truth(begun, !sees(answer), replicas.size(), read, age);
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
      long asked = context.now();
      read(
          node,
          context.levelOfOneReplica(),
          (answer, error) -> {
            if (error != null || answer == null) {
              context.health().failed(node, asked, context.now());
              // It may have the write: but to say so of a node that does not answer helps nobody.
              unseen(age, Math.max(2 * ageSeconds(), context.requestTimeoutSeconds()));
            } else {
              context.health().answered(node, asked);
              answered(age, sees(answer));
            }
          });
    }

    private void answered(double age, boolean seen) {
      if (seen) {
        found(lastUnseenSeconds < 0 ? 0 : (lastUnseenSeconds + age) / 2);
      } else {
        unseen(age, ages.after(age));
      }
    }

    private void unseen(double age, double next) {
      lastUnseenSeconds = age;
      if (next > context.deadlineSeconds() || !context.health().isLive(node)) {
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

  /** Looks for how long reads of several replicas through one node miss the write. */
  private final class Reads implements ReadPoll.Asking {
    private final int read;
    private final Node node;

    Reads(int read) {
      this.read = read;
      this.node = replicas.get(ThreadLocalRandom.current().nextInt(replicas.size()));
    }

    void begin() {
      if (!ReplicaHealth.mayAnswer(node)) {
        end(Double.NaN);
        return;
      }
      double last =
          replicas.stream().mapToDouble(context.health()::expectedSeconds).max().orElseThrow();
      new ReadPoll(
              this, last, context.deadlineSeconds(), () -> ThreadLocalRandom.current().nextDouble())
          .begin();
    }

    @Override
    public double ageSeconds() {
      return CanaryFlight.this.ageSeconds();
    }

    @Override
    public void later(double ageSeconds, Runnable work) {
      CanaryFlight.this.later(ageSeconds, work);
    }

    @Override
    public void read(Consumer<Optional<Boolean>> found) {
      CanaryFlight.this.read(
          node,
          context.readLevel(read, replicas.size()),
          (answer, error) ->
              found.accept(
                  error != null || answer == null ? Optional.empty() : Optional.of(sees(answer))));
    }

    @Override
    public void end(double missedSeconds) {
      CanaryFlight.this.end(replicas.size() + read - 2, missedSeconds);
    }
  }
}
