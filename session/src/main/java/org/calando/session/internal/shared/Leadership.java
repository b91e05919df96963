package org.calando.session.internal.shared;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/*
 * The lease is a bid, a row with a time to live: of several that stand it is the first one's. An owner counts its lease from
 * when it sent the bid, and a process that was stopped finds out by its own clock when it goes on. The row itself ends by
 * whole seconds of servers' clocks: up to a second, and by as much as these are apart, sooner. Several may measure for some
 * seconds, until all but one have renewed, which costs requests and nothing else: readers follow the one whose bid counts.
 *
 *   FOLLOWING --no owner seen, after a while of chance; the lease is got--> LEADING
 *   FOLLOWING --some requests in a row failed, or one was refused---------> STANDALONE
 *   LEADING ----another has the lease-------------------------------------> FOLLOWING
 *   LEADING ----the lease ran out, or nothing could be published----------> STANDALONE
 *   STANDALONE -the lease is got------------------------------------------> LEADING
 *   STANDALONE -another has the lease-------------------------------------> FOLLOWING
 *   any --------nobody reads-----------------------------------> IDLE ----a read--> FOLLOWING
 *
 * A STANDALONE instance measures for itself alone and tries for the lease now and then.
 */
/**
 * Who of several instances measures for all: what one of them has to do next. Does no I/O and reads
 * no clock; one thread at a time.
 */
public final class Leadership {
  /** Part that an instance has. */
  public enum Role {
    /** Measures nothing and follows nobody: there are no reads. */
    IDLE,
    /** Reads what the leader publishes. */
    FOLLOWING,
    /** Measures and publishes. */
    LEADING,
    /** Measures for itself: the lease cannot be used. */
    STANDALONE
  }

  /** How a request ended. */
  public enum Answer {
    /** It was done; of the lease: it is ours. */
    YES,
    /** Of the lease only: it is another's, or nobody's. */
    NO,
    /** It may or may not have been done. */
    FAILED,
    /** It cannot be done, and trying again will not help soon. */
    REFUSED
  }

  /** So many failures in a row, and the lease counts as of no use. */
  private static final int MOST_FAILURES = 3;

  private static final int LONGEST_BACKOFF = 64;
  private static final String FAR_APART =
      "bids for the lease end before they are read: servers' clocks may be seconds apart";

  private final LeadershipSettings settings;
  private final DoubleSupplier random;
  private final Supplier<UUID> newTerm;

  private Role role = Role.FOLLOWING;
  private UUID term;
  private final GroupSchedule times = new GroupSchedule();
  private int instances = 1;
  private boolean sawAnOwner;
  private int failedReads;
  private int failedTakes;
  private int lostTakes; // in a row, to nobody who was seen
  private int backoff = 1;
  private String trouble = "";
  private long leasedUntil;
  private long publishedNanos;
  private long reads;
  private long readNanos;
  private boolean joined;
  private boolean rested;
  private boolean bids;

  /**
   * An instance that has just come.
   *
   * @param random draws from 0 .. 1
   * @param newTerm names a time of leading, as no other
   */
  public Leadership(
      LeadershipSettings settings, DoubleSupplier random, Supplier<UUID> newTerm, long now) {
    this.settings = settings;
    this.random = random;
    this.newTerm = newTerm;
    this.term = newTerm.get();
    this.readNanos = now;
    follow(now);
  }

  public Role role() {
    return role;
  }

  /** Whether it is to measure. */
  boolean measures() {
    return role == Role.LEADING || role == Role.STANDALONE;
  }

  /** What its bid is to name, and what its publications are found by. */
  public UUID term() {
    return term;
  }

  /** Whether a bid of its term may stand, which is to be withdrawn when it leaves. */
  public boolean bids() {
    return bids;
  }

  /** Instances as last counted, by whichever of them leads; 1 or more. */
  int instances() {
    return instances;
  }

  /** Why it is standalone; empty unless it is. */
  Optional<String> trouble() {
    return role == Role.STANDALONE ? Optional.of(trouble) : Optional.empty();
  }

  /**
   * What to begin now. None is told again before it is answered.
   *
   * @param allReads reads that the application has made so far
   */
  public Set<GroupRequest> begin(long now, long allReads) {
    look(now, allReads);
    Set<GroupRequest> begun = times.begin(now);
    joined |= !begun.isEmpty();
    bids |= begun.contains(GroupRequest.TAKE);
    return begun;
  }

  /**
   * As {@link #begin}, while a governor does what a leader would: measures nothing, follows nobody
   * and gives up what it leads.
   */
  Set<GroupRequest> rest(long now, long allReads) {
    if (allReads != reads) {
      reads = allReads;
      readNanos = now;
    }
    rested = true;
    if (role != Role.IDLE) {
      become(Role.IDLE);
      if (joined) {
        times.at(GroupRequest.LEAVE, now);
      }
      joined = false;
    }
    return times.begin(now);
  }

  private void look(long now, long allReads) {
    if (rested) {
      rested = false;
      if (now - readNanos < settings.rest()) {
        // A governor that is silent is so for all at the same moment.
        follow(now + (long) (spread() * random.getAsDouble()));
      }
    }
    if (allReads != reads) {
      reads = allReads;
      readNanos = now;
      if (role == Role.IDLE) {
        follow(now);
      }
    } else if (role != Role.IDLE && now - readNanos >= settings.rest()) {
      become(Role.IDLE);
      times.at(GroupRequest.LEAVE, now);
    }
    if (role == Role.LEADING && now - leasedUntil >= 0) {
      standAlone("the lease ran out", now, 0);
    } else if (role == Role.LEADING && now - publishedNanos >= settings.lease()) {
      standAlone("nothing could be published", now, LONGEST_BACKOFF * settings.retry());
      times.at(GroupRequest.LEAVE, now);
    }
  }

  /**
   * {@link GroupRequest#READ} was answered.
   *
   * @param owner whose the lease is; empty if nobody has bid
   */
  public void saw(long now, Optional<UUID> owner) {
    if (!ended(GroupRequest.READ, Role.FOLLOWING)) {
      return;
    }
    failedReads = 0;
    nextRead(now);
    if (owner.isEmpty()) {
      candidate(now, sawAnOwner ? spread() : settings.retry() / 4);
    } else if (owner.get().equals(term)) {
      candidate(now, 0); // taken by a request that was not answered
    } else {
      sawAnOwner = true;
      failedTakes = 0;
      lostTakes = 0;
      times.cancel(GroupRequest.TAKE);
    }
  }

  /** {@link GroupRequest#READ} failed. */
  public void readFailed(long now, boolean refused, String why) {
    if (ended(GroupRequest.READ, Role.FOLLOWING)) {
      nextRead(now);
      failed(++failedReads, now, refused, why);
    }
  }

  /** How many instances the leader counted. */
  void told(int count) {
    instances = Math.max(1, count);
  }

  /**
   * {@link GroupRequest#TAKE} was answered.
   *
   * @param sentNanos when it was sent
   * @param why it failed or was refused
   */
  public void took(long sentNanos, long now, Answer answer, String why) {
    times.ended(GroupRequest.TAKE);
    switch (answer) {
      case YES -> {
        bids = true; // whatever was withdrawn meanwhile
        if (role == Role.FOLLOWING || role == Role.STANDALONE) {
          lead(sentNanos, now);
        } else if (role == Role.IDLE) {
          times.at(GroupRequest.LEAVE, now);
        }
      }
      case NO -> {
        if (role != Role.IDLE) {
          another(now);
          if (++lostTakes >= MOST_FAILURES) {
            standAlone(FAR_APART, now, LONGEST_BACKOFF * settings.retry());
          }
        }
      }
      case FAILED, REFUSED -> {
        boolean refused = answer == Answer.REFUSED;
        bids = true; // perhaps, whatever was withdrawn meanwhile
        if (role == Role.IDLE) {
          times.at(GroupRequest.LEAVE, now);
        } else if (role == Role.STANDALONE) {
          standAlone(why, now, refused ? LONGEST_BACKOFF * settings.retry() : patience());
        } else if (role == Role.FOLLOWING) {
          candidate(now, settings.retry() + spread());
          failed(++failedTakes, now, refused, why);
        }
      }
    }
  }

  /**
   * {@link GroupRequest#RENEW} was answered.
   *
   * @param sentNanos when it was sent
   */
  public void renewed(long sentNanos, long now, Answer answer) {
    if (!ended(GroupRequest.RENEW, Role.LEADING)) {
      return;
    }
    switch (answer) {
      case YES -> {
        leasedUntil += Math.max(0, sentNanos + settings.lease() - leasedUntil);
        times.at(GroupRequest.RENEW, sentNanos + settings.renew());
      }
      case NO -> another(now);
      case FAILED, REFUSED ->
          times.at(GroupRequest.RENEW, Math.max(now, sentNanos + settings.retry()));
    }
  }

  /**
   * {@link GroupRequest#PUBLISH} was answered.
   *
   * @param sentNanos when it was sent
   */
  public void published(long sentNanos, boolean done) {
    if (ended(GroupRequest.PUBLISH, Role.LEADING)) {
      publishedNanos = done ? sentNanos : publishedNanos;
      times.at(GroupRequest.PUBLISH, sentNanos + settings.publish());
    }
  }

  /** {@link GroupRequest#REGISTER} was answered. */
  public void registered(long now, boolean done) {
    times.ended(GroupRequest.REGISTER);
    if (role == Role.FOLLOWING || role == Role.LEADING) {
      times.at(GroupRequest.REGISTER, now + (done ? settings.register() : 2 * settings.retry()));
    }
  }

  /** {@link GroupRequest#COUNT} was answered, or failed, without a figure. */
  public void counted(long now, Optional<Integer> count) {
    if (ended(GroupRequest.COUNT, Role.LEADING)) {
      count.ifPresent(this::told);
      times.at(GroupRequest.COUNT, now + settings.count());
    }
  }

  /** {@link GroupRequest#LEAVE} was answered; if it failed the lease ends by itself. */
  public void left() {
    times.ended(GroupRequest.LEAVE);
    bids &= times.isExpected(GroupRequest.LEAVE); // of a bid that came behind this one
  }

  private void failed(int inARow, long now, boolean refused, String why) {
    if (refused || inARow >= MOST_FAILURES) {
      standAlone(why, now, refused ? LONGEST_BACKOFF * settings.retry() : patience());
    }
  }

  private void lead(long sentNanos, long now) {
    become(Role.LEADING);
    sawAnOwner = true;
    lostTakes = 0;
    backoff = 1;
    leasedUntil = sentNanos + settings.lease();
    publishedNanos = now;
    times.at(GroupRequest.RENEW, sentNanos + settings.renew());
    times.at(GroupRequest.PUBLISH, now);
    times.at(GroupRequest.COUNT, now);
    times.at(GroupRequest.REGISTER, now);
  }

  /** Another has the lease: what this one publishes from now on is of another time of leading. */
  private void another(long now) {
    sawAnOwner = true;
    backoff = 1;
    term = newTerm.get();
    bids = false;
    follow(now);
  }

  private void follow(long now) {
    become(Role.FOLLOWING);
    times.at(GroupRequest.READ, now);
    times.at(GroupRequest.REGISTER, now);
  }

  /** Keeps the term: perhaps the lease is still, or again, its own. */
  private void standAlone(String why, long now, long untilNext) {
    become(Role.STANDALONE);
    trouble = why;
    lostTakes = 0;
    times.at(GroupRequest.TAKE, now + untilNext);
  }

  /** Longer each time, and some longer than others. */
  private long patience() {
    long nanos = (long) (backoff * settings.retry() * (1 + random.getAsDouble()));
    backoff = Math.min(LONGEST_BACKOFF, 2 * backoff);
    return nanos;
  }

  private void become(Role next) {
    role = next;
    failedReads = 0;
    failedTakes = 0;
    times.clear();
  }

  private void candidate(long now, long longest) {
    if (!times.isExpected(GroupRequest.TAKE)) {
      times.at(GroupRequest.TAKE, now + (long) (longest * random.getAsDouble()));
    }
  }

  /** Over how long all that see the lease free are spread. */
  private long spread() {
    return (long) (settings.retry() * Math.max(1, instances / settings.readers()));
  }

  private void nextRead(long now) {
    double stretched = settings.read() * Math.max(1, instances / settings.readers());
    double period = Math.min((double) settings.longestRead(), stretched);
    times.at(GroupRequest.READ, now + (long) (period * (0.9 + 0.2 * random.getAsDouble())));
  }

  /** Whether an answer is one to a request of the role that it still has. */
  private boolean ended(GroupRequest request, Role of) {
    times.ended(request);
    return role == of;
  }

  @Override
  public String toString() {
    return role + " " + term + ", " + times;
  }
}
