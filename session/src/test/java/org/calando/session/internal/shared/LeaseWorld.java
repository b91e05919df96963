package org.calando.session.internal.shared;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.UUID;
import org.calando.session.internal.shared.Leadership.Answer;
import org.calando.session.internal.shared.Leadership.Role;
import org.jspecify.annotations.Nullable;

/**
 * Instances and their lease's row, in simulated time: requests take their time, are lost on the way
 * there or back, and are refused. What is published beside the lease is checked at each moment.
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
      if (request == GroupRequest.PUBLISH) {
        published++;
        violated |= !Optional.of(term).equals(owner());
      }
      boolean there = random.nextDouble() >= lost;
      boolean back = random.nextDouble() >= lost;
      in(
          delay(),
          () -> {
            Runnable answer =
                there && !isLwtBroken(request)
                    ? served(request, term, sent)
                    : () -> failed(request, sent);
            in(
                there && back ? delay() : TIMEOUT,
                () -> deliver(there && back, answer, request, sent));
          });
    }

    private void deliver(boolean arrived, Runnable answer, GroupRequest request, long sent) {
      if (killed) {
        return;
      }
      if (stopped) {
        in(TICK, () -> deliver(arrived, answer, request, sent));
      } else if (arrived) {
        answer.run();
      } else {
        failed(request, sent);
      }
    }

    private Runnable served(GroupRequest request, UUID term, long sent) {
      boolean owned = Optional.of(term).equals(owner());
      switch (request) {
        case TAKE -> {
          boolean free = owner().isEmpty();
          if (free || owned) {
            grant(term, lease);
          }
          Answer answer = free || owned ? Answer.YES : Answer.NO;
          return () -> leadership.took(sent, clock(), answer, "");
        }
        case RENEW -> {
          if (owned) {
            grant(term, lease);
          }
          return () -> leadership.renewed(sent, clock(), owned ? Answer.YES : Answer.NO);
        }
        case LEAVE -> {
          if (owned) {
            rowOwner = null;
          }
          return leadership::left;
        }
        case READ -> {
          Optional<UUID> owner = owner();
          return () -> leadership.saw(clock(), owner);
        }
        case PUBLISH -> {
          return () -> leadership.published(sent, true);
        }
        case REGISTER -> {
          return () -> leadership.registered(clock(), true);
        }
        case COUNT -> {
          return () -> leadership.counted(clock(), Optional.of(instances.size()));
        }
      }
      throw new AssertionError(request);
    }

    private void failed(GroupRequest request, long sent) {
      Answer how = lwtRefused ? Answer.REFUSED : Answer.FAILED;
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

  private record Event(long at, long number, Runnable what) {}

  public final List<Instance> instances = new ArrayList<>();
  public double lost;
  public boolean lwtFails;
  public boolean lwtRefused;
  public boolean publishingFails;

  /** Whether somebody published who had not the lease at that moment. */
  public boolean violated;

  private final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparing(Event::number));
  private long now;
  private long number;
  private @Nullable UUID rowOwner;
  private long rowEnds;

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
    }
    now = until;
  }

  public List<Instance> leading() {
    return instances.stream()
        .filter(each -> !each.killed && !each.stopped && each.role() == Role.LEADING)
        .toList();
  }

  public Optional<UUID> owner() {
    return rowOwner != null && now < rowEnds ? Optional.of(rowOwner) : Optional.empty();
  }

  private boolean isLwtBroken(GroupRequest request) {
    return switch (request) {
      case TAKE, RENEW, LEAVE -> lwtFails || lwtRefused;
      case PUBLISH -> publishingFails;
      default -> false;
    };
  }

  private void grant(UUID term, long lease) {
    rowOwner = term;
    rowEnds = now + lease;
  }

  private long delay() {
    return (long) (random.nextDouble() * 20 * MS);
  }

  private void in(long nanos, Runnable what) {
    events.add(new Event(now + nanos, number++, what));
  }
}
