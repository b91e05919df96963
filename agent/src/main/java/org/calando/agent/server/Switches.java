package org.calando.agent.server;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.agent.AgentWire.SwitchState;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.power.Ticker;
import org.calando.power.onoff.AgentSwitch.Order;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchSpec;

/**
 * What the agent's file lets governors turn on and off. An order is not undone at the agent's end:
 * what is off stays off, as its plan says. Thread safe; one order at a time for each switch.
 */
final class Switches {
  /** Less than what a connection may take for an answer. */
  private static final long PATIENCE_SECONDS = 6;

  private final Map<String, Guarded> byName = new TreeMap<>();

  /** A switch, and what goes on at it. */
  private static final class Guarded {
    final PowerSwitch its;

    /** Guarded by this. */
    private CompletableFuture<SwitchState> call =
        CompletableFuture.completedFuture(new SwitchState("UNKNOWN", false));

    Guarded(PowerSwitch its) {
      this.its = its;
    }

    /** On a thread of its own, as those that answer renew leases too; one call at a time. */
    private CompletableFuture<SwitchState> begin(Call next) {
      CompletableFuture<SwitchState> begun = new CompletableFuture<>();
      call = begun;
      var unused =
          DaemonThread.start(
              "calando-switch",
              () -> {
                try {
                  begun.complete(next.run(its));
                } catch (RuntimeException | Error e) {
                  begun.completeExceptionally(e);
                } catch (InterruptedException e) {
                  begun.completeExceptionally(
                      new FailedWorkException("was interrupted", its.describe(), "ask again", e));
                }
              });
      return begun;
    }

    /** Joins what is under way. */
    synchronized CompletableFuture<SwitchState> ask(Call question) {
      return call.isDone() ? begin(question) : call;
    }

    /** Empty if something is under way: an order is never taken for another. */
    synchronized Optional<CompletableFuture<SwitchState>> order(Call order) {
      return call.isDone() ? Optional.of(begin(order)) : Optional.empty();
    }
  }

  @FunctionalInterface
  private interface Call {
    SwitchState run(PowerSwitch its) throws InterruptedException;
  }

  Switches(Map<String, SwitchSpec> specs) {
    specs.forEach((name, spec) -> byName.put(name, new Guarded(spec.plain(name, Ticker.system()))));
  }

  /**
   * How one stands; UNKNOWN while an order or a question to it takes longer than some seconds.
   *
   * @throws BadRequestException if there is none of the name
   * @throws FailedWorkException if it does not answer
   */
  SwitchState state(String name) {
    Guarded found = found(name);
    return within(found, found.ask(Switches::stateOf));
  }

  /**
   * Orders, and tells how it stands then; see {@link #state}.
   *
   * @throws BadRequestException if there is none of the name, it cannot be forced off, or an order
   *     is under way
   */
  SwitchState order(String name, Order order) {
    Guarded found = found(name);
    if (order == Order.FORCE_OFF && !found.its.canForce()) {
      throw new BadRequestException(
          "cannot be turned off by force", found.its.describe(), "give it a force-off");
    }
    Call call =
        its -> {
          switch (order) {
            case ON -> its.on();
            case OFF -> its.off();
            case FORCE_OFF -> its.forceOff();
          }
          return stateOf(its);
        };
    return within(
        found,
        found
            .order(call)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "an order or a question is under way", name, "order again")));
  }

  private static SwitchState stateOf(PowerSwitch its) throws InterruptedException {
    return new SwitchState(its.read().name(), its.canForce());
  }

  private Guarded found(String name) {
    Guarded found = byName.get(name);
    if (found == null) {
      throw new BadRequestException(
          "there is no switch of this name", name, "name it in the agent's file: switches");
    }
    return found;
  }

  private static SwitchState within(Guarded found, CompletableFuture<SwitchState> call) {
    try {
      return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return new SwitchState(PowerSwitch.State.UNKNOWN.name(), found.its.canForce());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof CalandoException known
          ? known
          : new FailedWorkException(
              String.valueOf(e.getCause()), found.its.describe(), "see the agent's log", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the agent ends", found.its.describe(), "ask again", e);
    }
  }
}
