package org.calando.session.internal.shared;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.session.internal.shared.Leadership.Answer;
import org.calando.session.internal.shared.Leadership.Role;

/**
 * Instances and the rows of their lease, in simulated time: requests take their time, are lost on
 * the way there or back, and are refused. What is published beside the lease is checked at each
 * moment.
 */
public final class LeaseWorld {
  static final long MS = 1_000_000;
  static final long SECOND = 1000 * MS;
  private static final long TICK = 250 * MS;
  private static final long TIMEOUT = 2 * SECOND;

  /** An instance, each with a clock of its own zero. */
  public final class Instance {
    public final Leadership leadership;
    final long clockAhead;
    final long lease;
    public boolean killed;
    public boolean stopped;
    boolean governed;
    long reads;
    public boolean isRead = true;
    public int published;
    public int asked;

    Instance(long clockAhead, LeadershipSettings settings) {
      this.clockAhead = clockAhead;
      this.lease = settings.lease();
      this.leadership =
          new Leadership(
              settings,
              random::nextDouble,
              () -> new UUID(random.nextLong(), random.nextLong()),
              clock());
    }

    long clock() {
      return now + clockAhead;
    }

    public Role role() {
      return leadership.role();
    }

    private void tick() {
      if (killed) {
        return;
      }
      if (!stopped) {
        reads += isRead ? 1 : 0;
        (governed ? leadership.rest(clock(), reads) : leadership.begin(clock(), reads))
            .forEach(this::send);
      }
      in(TICK, this::tick);
    }

    private void send(GroupRequest request) {
      asked++;
      UUID term = leadership.term();
      long sent = clock();
      Runnable failed = () -> failed(request, sent);
      switch (request) {
        case TAKE ->
            ask(
                request,
                LeaseWorld.this::owner,
                seen -> {
                  if (seen.isPresent() && !seen.get().equals(term)) {
                    leadership.took(sent, clock(), Answer.NO, "");
                  } else {
                    bid(request, term, how -> leadership.took(sent, clock(), how, ""), failed);
                  }
                },
                failed);
        case RENEW -> bid(request, term, how -> leadership.renewed(sent, clock(), how), failed);
        case LEAVE -> {
          if (leadership.bids()) {
            withdraw(term, leadership::left);
          } else {
            ask(request, () -> true, done -> leadership.left(), failed);
          }
        }
        case READ ->
            ask(request, LeaseWorld.this::owner, seen -> leadership.saw(clock(), seen), failed);
        case PUBLISH -> {
          published++;
          violated |= !isStanding(term);
          ask(
              request,
              () -> bodies.put(term, now + 30 * SECOND),
              done -> leadership.published(sent, true),
              failed);
        }
        case REGISTER ->
            ask(request, () -> true, done -> leadership.registered(clock(), true), failed);
        case COUNT ->
            ask(
                request,
                () -> Optional.of(instances.size()),
                count -> leadership.counted(clock(), count),
                failed);
      }
    }

    private void bid(GroupRequest request, UUID term, Consumer<Answer> answered, Runnable failed) {
      long stamp = ++stamps;
      ask(
          request,
          () -> bids.merge(term, new Bid(stamp, bidsEndAtOnce ? now : now + lease), Bid::later),
          done ->
              ask(
                  request,
                  LeaseWorld.this::owner,
                  seen -> {
                    if (seen.equals(Optional.of(term))) {
                      answered.accept(Answer.YES);
                    } else {
                      withdraw(term, () -> answered.accept(Answer.NO));
                    }
                  },
                  failed),
          failed);
    }

    private void withdraw(UUID term, Runnable then) {
      withdrawn++;
      long stamp = ++stamps;
      ask(
          GroupRequest.LEAVE,
          () -> bids.merge(term, new Bid(stamp, now), Bid::later),
          done -> then.run(),
          then);
    }

    /** Sends a request of one step. */
    private <T> void ask(
        GroupRequest request, Supplier<T> served, Consumer<T> answered, Runnable failed) {
      boolean there = random.nextDouble() >= lost;
      boolean back = random.nextDouble() >= lost;
      in(
          delay(),
          () -> {
            boolean isBroken = isBroken(request);
            Runnable answer = failed;
            if (there && !isBroken) {
              T value = served.get();
              answer = back ? () -> answered.accept(value) : failed;
            }
            Runnable ends = answer;
            in(there && back ? delay() : TIMEOUT, () -> deliver(ends));
          });
    }

    private void deliver(Runnable answer) {
      if (!killed) {
        if (stopped) {
          in(TICK, () -> deliver(answer));
        } else {
          answer.run();
        }
      }
    }

    private void failed(GroupRequest request, long sent) {
      Answer how = bidsRefused ? Answer.REFUSED : Answer.FAILED;
      switch (request) {
        case TAKE -> leadership.took(sent, clock(), how, "no quorum");
        case RENEW -> leadership.renewed(sent, clock(), Answer.FAILED);
        case LEAVE -> leadership.left();
        case READ -> leadership.readFailed(clock(), false, "no answer");
        case PUBLISH -> leadership.published(sent, false);
        case REGISTER -> leadership.registered(clock(), false);
        case COUNT -> leadership.counted(clock(), Optional.empty());
      }
    }
  }

  /** The last that one wrote counts, as it stamps them. */
  private record Bid(long stamp, long ends) {
    Bid later(Bid other) {
      return stamp > other.stamp ? this : other;
    }
  }

  private record Event(long at, long number, Runnable what) {}

  public final List<Instance> instances = new ArrayList<>();
  public double lost;
  public boolean bidsFail;
  public boolean bidsRefused;

  /** Whether bids have ended before anybody reads them. */
  public boolean bidsEndAtOnce;

  public boolean publishingFails;

  /** Whether somebody published whose bid did not stand at that moment. */
  public boolean violated;

  /** The longest time for which several led at once. */
  public long longestTogether;

  /** How often a bid was withdrawn. */
  public int withdrawn;

  private final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparing(Event::number));
  private long now;
  private long number;
  private long stamps;
  private final Map<UUID, Bid> bids = new HashMap<>();
  private final Map<UUID, Long> bodies = new HashMap<>();
  private long togetherSince = Long.MAX_VALUE;

  public LeaseWorld(long seed) {
    random = new SplittableRandom(seed);
  }

  Instance join() {
    return join(60 * SECOND);
  }

  Instance join(long rest) {
    return join(LeadershipSettings.usual(rest));
  }

  Instance join(LeadershipSettings settings) {
    Instance instance = new Instance(random.nextLong(), settings);
    instances.add(instance);
    in((long) (random.nextDouble() * TICK), instance::tick);
    return instance;
  }

  public void run(long nanos) {
    long until = now + nanos;
    while (!events.isEmpty() && events.peek().at() <= until) {
      Event event = Objects.requireNonNull(events.poll());
      now = event.at();
      event.what().run();
      look();
    }
    now = until;
  }

  public List<Instance> leading() {
    return instances.stream()
        .filter(each -> !each.killed && !each.stopped && each.role() == Role.LEADING)
        .toList();
  }

  /** Whose the lease is for all who look now. */
  public Optional<UUID> owner() {
    Map<UUID, Boolean> standing = new HashMap<>();
    bids.keySet().stream()
        .filter(this::isStanding)
        .forEach(term -> standing.put(term, bodies.getOrDefault(term, 0L) > now));
    return SignalRows.owner(standing);
  }

  private boolean isStanding(UUID term) {
    Bid bid = bids.get(term);
    return bid != null && now < bid.ends();
  }

  private void look() {
    if (leading().size() < 2) {
      togetherSince = Long.MAX_VALUE;
    } else {
      togetherSince = Math.min(togetherSince, now);
      longestTogether = Math.max(longestTogether, now - togetherSince);
    }
  }

  private boolean isBroken(GroupRequest request) {
    return switch (request) {
      case TAKE, RENEW, LEAVE -> bidsFail || bidsRefused;
      case PUBLISH -> publishingFails;
      default -> false;
    };
  }

  private long delay() {
    return (long) (random.nextDouble() * 20 * MS);
  }

  private void in(long nanos, Runnable what) {
    events.add(new Event(now + nanos, number++, what));
  }
}
