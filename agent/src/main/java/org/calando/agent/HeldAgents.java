package org.calando.agent;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.RealTimeScheduler;
import org.calando.power.agent.AgentSource;

/** A lease that several agents give, renewed until it is closed. Thread safe. */
final class HeldAgents implements AutoCloseable {
  private static final long RENEW_NANOS = 2_000_000_000L;
  private static final long LOOK_NANOS = 500_000_000L;
  private static final long BEGIN_SECONDS = 30;
  private static final int MOST_TASKS = 16;

  private final Map<AgentSource, AgentLink> links = new LinkedHashMap<>();
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-agents", MOST_TASKS);
  private final String lease;
  private final String what;
  private final GovernorName name;
  private final String id;
  private volatile boolean ending;

  /**
   * Of no agent yet.
   *
   * @param lease by what its governors meet
   * @param what is leased, for those who are refused
   * @param name what agents know this governor by; closed with this
   */
  HeldAgents(String lease, String what, GovernorName name) {
    this.lease = lease;
    this.what = what;
    this.name = name;
    this.id = name + "/" + UUID.randomUUID();
  }

  /** The link to an agent; to be made before {@link #begin}. */
  AgentLink link(AgentSource agent) {
    return links.computeIfAbsent(
        agent, access -> new AgentLink(access, lease, scheduler.clock()::nanos));
  }

  Collection<AgentLink> links() {
    return links.values();
  }

  /**
   * Takes the lease. A holder that has just died is waited for, unless that was this governor: it
   * takes its own over.
   *
   * @param holder who has it, for others who are refused
   * @throws BadRequestException if another has it, or an agent refuses what is wanted
   * @throws FailedWorkException if an agent does not answer, or cannot do what is wanted
   */
  void begin(String holder) {
    long number = 1 + awaitFree();
    links().forEach(link -> link.begin(holder, id, number));
    await(links().stream().map(AgentLink::push).toList());
    links().forEach(AgentLink::requireLeased);
    renew();
  }

  /** Waits for a holder that is silent; one that is heard of meanwhile is alive. */
  private long awaitFree() {
    List<LeaseState> before = states();
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AgentWire.TTL_MILLIS + 2_000);
    for (List<LeaseState> now = before; ; now = states()) {
      Optional<LeaseState> held = now.stream().filter(this::isOfAnother).findFirst();
      if (held.isEmpty()) {
        return now.stream().mapToLong(LeaseState::fence).max().orElse(0);
      }
      for (int i = 0; i < now.size(); i++) {
        boolean heard =
            isOfAnother(now.get(i))
                && isOfAnother(before.get(i))
                && now.get(i).silentMillis() < before.get(i).silentMillis();
        if (heard || System.nanoTime() > deadline) {
          throw new BadRequestException(
              what + " are held by " + held.get().holder() + ", number " + held.get().fence(),
              "agents "
                  + links().stream().map(AgentLink::address).collect(Collectors.joining(", ")),
              "end that governor first");
        }
      }
      before = now;
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private boolean isOfAnother(LeaseState state) {
    return state.held() && !AgentWire.isOfOneGovernor(id, state.id());
  }

  private List<LeaseState> states() {
    List<CompletableFuture<LeaseState>> asked = links().stream().map(AgentLink::holder).toList();
    await(asked);
    return asked.stream().map(CompletableFuture::join).toList();
  }

  /**
   * Waits for answers, 30 s at most.
   *
   * @throws FailedWorkException if one does not come
   */
  static void await(List<? extends CompletableFuture<?>> all) {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
          .get(BEGIN_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CalandoException told) {
        throw told;
      }
      throw new CompletionException(e.getCause());
    } catch (TimeoutException e) {
      throw new FailedWorkException(
          "do not answer within " + BEGIN_SECONDS + " s", "agents", "see their lines", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", "agents", "try again", e);
    }
  }

  private void renew() {
    scheduler.at(
        scheduler.clock().nanos() + RENEW_NANOS,
        () -> {
          try {
            for (AgentLink link : links()) {
              var unused = link.push();
            }
          } finally {
            renew();
          }
        });
  }

  /** Closes what could not be begun. */
  void abandon() {
    try {
      close();
    } catch (FailedWorkException e) {
      // What an agent did not give is nothing to give back.
    }
  }

  /** Whether it has ended, or is to: nothing can be wanted of it any more. */
  boolean isEnding() {
    return ending;
  }

  /**
   * {@inheritDoc} All is as before. Once more it asks the agents that did not say so.
   *
   * @throws FailedWorkException naming the agents that do not say so
   */
  @Override
  public void close() {
    ending = true;
    try (name) {
      release();
    }
  }

  private void release() {
    scheduler.close();
    List<CompletableFuture<String>> released = links().stream().map(AgentLink::release).toList();
    await(released);
    String failed =
        released.stream()
            .map(CompletableFuture::join)
            .filter(why -> !why.isEmpty())
            .collect(Collectors.joining("; "));
    if (!failed.isEmpty()) {
      throw new FailedWorkException(failed, "agents", "see their lines");
    }
  }
}
