package org.calando.core.observe;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/*
 * write (level in use) --ack--+-- replica 1: its copy is read, at age 0 and the ages of PollAges, until seen
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
 * So for these, too, it is looked how long they miss a write, through a coordinator that is drawn as
 * the application's are.
 *
 * A node that is off by order is not looked at. No read asks it, so it is taken for as late as the last
 * of the others.
 */
/** One canary from its write to the last of its reads. Thread safe. */
final class CanaryFlight<N> {
  private final Canaries<N> context;
  private final CanaryAccess<N> access;
  private final long key;
  private final long version;
  private final List<N> replicas;
  private final int[] reads;

  // As PropagationLags takes it: a lag of each replica, then those of reads of 2 .. N, and how long
  // the acknowledgement took.
  private final double[] row;
  private final AtomicInteger underWay;
  private final Runnable ended;
  private long writtenNanos;
  private volatile long ackNanos;
  private final AtomicInteger unseen;

  // Of a replica that is not known to be away one does not know whether it had the write.
  private volatile boolean unanswered;

  CanaryFlight(Canaries<N> context, long key, long version, List<N> replicas, Runnable ended) {
    this.context = context;
    this.access = context.access;
    this.key = key;
    this.version = version;
    this.replicas = replicas;
    this.reads = context.readsToWatch(replicas.size());
    this.row = new double[2 * replicas.size()];
    Arrays.fill(row, Double.NaN);
    this.unseen = new AtomicInteger(replicas.size() + reads.length);
    this.underWay = new AtomicInteger(replicas.size() + reads.length + 1);
    this.ended = ended;
  }

  void begin() {
    writtenNanos = access.nowNanos();
    access.write(key, version, context.writeLevel(), this::acknowledged);
  }

  private void acknowledged(Optional<String> failure) {
    if (failure.isPresent()) {
      context.failed(failure.get(), (access.nowNanos() - writtenNanos) / 1e9);
      ended.run();
      return;
    }
    ackNanos = access.nowNanos();
    context.ended(true);
    // Not less than 0, even if the clock was set back meanwhile.
    row[row.length - 1] = Math.max(0, (ackNanos - writtenNanos) / 1e9);
    for (int i = 0; i < replicas.size(); i++) {
      new ReplicaPoll(i).begin();
    }
    for (int read : reads) {
      new Reads(read).begin();
    }
    later(context.drawAgeSeconds(), this::readTruth);
  }

  private void later(double ageSeconds, Runnable work) {
    // A nanosecond more, or it would be asked again before that age for ever where reads take no
    // time.
    long atAge = (long) (ageSeconds * 1e9) + 1;
    // No longer than the age, even if the clock was set back meanwhile.
    access.later(Math.min(atAge, Math.max(0, atAge - (access.nowNanos() - ackNanos))), work);
  }

  private double ageSeconds() {
    return Math.max(0, (access.nowNanos() - ackNanos) / 1e9);
  }

  /** Whether a read found the write; empty without an answer. */
  private Optional<Boolean> seen(OptionalLong found) {
    return found.isPresent() ? Optional.of(found.getAsLong() >= version) : Optional.empty();
  }

  private void readTruth() {
    Canaries.Draw read = context.drawReadReplicas(replicas.size());
    double age = ageSeconds();
    long begun = access.nowNanos();
    access.read(
        key,
        context.readLevel(read.replicas(), replicas.size()),
        found -> {
          seen(found).ifPresent(seen -> context.truth(begun, !seen, replicas.size(), read, age));
          part();
        });
  }

  private void part() {
    if (underWay.decrementAndGet() == 0) {
      ended.run();
    }
  }

  private void end(int cell, double lag) {
    row[cell] = lag;
    if (unseen.decrementAndGet() == 0 && !unanswered) {
      fillThoseThatAreOff();
      context.sample(writtenNanos, replicas.size(), row);
    }
    part();
  }

  private void fillThoseThatAreOff() {
    double last = -1;
    for (int i = 0; i < replicas.size(); i++) {
      last = Double.isNaN(row[i]) ? last : Math.max(last, row[i]);
    }
    for (int i = 0; i < replicas.size(); i++) {
      if (Double.isNaN(row[i])) {
        row[i] = last < 0 ? Double.POSITIVE_INFINITY : last;
      }
    }
  }

  /** Asks one replica until it has the write. */
  private final class ReplicaPoll {
    private final int index;
    private final N node;
    private final Object id;
    private final PollAges ages;
    private double lastUnseenSeconds = -1;

    ReplicaPoll(int index) {
      this.index = index;
      this.node = replicas.get(index);
      this.id = access.id(node);
      this.ages = new PollAges(context.health.expectedSeconds(id));
    }

    void begin() {
      if (access.isOff(node)) {
        end(index, Double.NaN);
      } else if (access.mayAnswer(node)) {
        ask();
      } else {
        found(Double.POSITIVE_INFINITY);
      }
    }

    private void ask() {
      double age = ageSeconds();
      long asked = access.nowNanos();
      access.readCopy(
          node,
          key,
          found -> {
            Optional<Boolean> seen = seen(found);
            context.ended(seen.isPresent());
            if (seen.isEmpty()) {
              context.health.failed(id, asked, access.nowNanos());
              // It may have the write: but to say so of a node that does not answer helps nobody.
              unseen(age, Math.max(2 * ageSeconds(), context.requestTimeoutSeconds()), false);
            } else {
              context.health.answered(id, asked);
              answered(age, seen.get());
            }
          });
    }

    private void answered(double age, boolean seen) {
      if (seen) {
        found(lastUnseenSeconds < 0 ? 0 : (lastUnseenSeconds + age) / 2);
      } else {
        unseen(age, ages.after(age), true);
      }
    }

    private void unseen(double age, double next, boolean answered) {
      lastUnseenSeconds = age;
      if (access.isOff(node)) {
        end(index, Double.NaN);
      } else if (!context.isLive(node)) {
        found(Double.POSITIVE_INFINITY);
      } else if (next > context.deadlineSeconds()) {
        if (!answered) {
          unanswered = true;
        }
        found(Double.POSITIVE_INFINITY);
      } else {
        later(next, this::ask);
      }
    }

    private void found(double lag) {
      context.health.lag(id, lag);
      end(index, lag);
    }
  }

  /** Looks for how long reads of several replicas through one node miss the write. */
  private final class Reads implements ReadPoll.Asking {
    private final int read;
    private final N node;

    Reads(int read) {
      this.read = read;
      this.node = access.drawCoordinator(replicas);
    }

    void begin() {
      if (!access.mayAnswer(node)) {
        end(Double.NaN);
        return;
      }
      double last =
          replicas.stream()
              .mapToDouble(replica -> context.health.expectedSeconds(access.id(replica)))
              .max()
              .orElseThrow();
      new ReadPoll(this, last, context.deadlineSeconds(), access.asksTheSame(), access::random)
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
      access.readThrough(
          node,
          key,
          context.readLevel(read, replicas.size()),
          version -> found.accept(seen(version)));
    }

    @Override
    public void end(double missedSeconds) {
      CanaryFlight.this.end(replicas.size() + read - 2, missedSeconds);
    }
  }
}
