package org.calando.agent.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.calando.agent.AgentWire.SwitchState;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.AgentSwitch.Order;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchSpec;

/**
 * What the agent's file lets governors turn on and off. An order is not undone at the agent's end:
 * what is off stays off, as its plan says. Thread safe; one order at a time for each switch.
 */
final class Switches {
  private final Map<String, Guarded> byName = new TreeMap<>();

  /** A switch, and what goes on at it. */
  private record Guarded(PowerSwitch its, OneAtATime<SwitchState> calls) {
    static Guarded of(PowerSwitch its) {
      return new Guarded(its, new OneAtATime<>(its.describe()));
    }

    SwitchState await(CompletableFuture<SwitchState> call) {
      return calls.await(
          call, () -> new SwitchState(PowerSwitch.State.UNKNOWN.name(), its.canForce()));
    }

    SwitchState state() throws InterruptedException {
      return new SwitchState(its.read().name(), its.canForce());
    }
  }

  Switches(Map<String, SwitchSpec> specs) {
    specs.forEach((name, spec) -> byName.put(name, Guarded.of(spec.plain(name, Ticker.system()))));
  }

  /**
   * How one stands; UNKNOWN while an order or a question to it takes longer than some seconds.
   *
   * @throws BadRequestException if there is none of the name
   * @throws FailedWorkException if it does not answer
   */
  SwitchState state(String name) {
    Guarded found = found(name);
    return found.await(found.calls().join(found::state));
  }

  /**
   * Orders, and tells how it stands then; see {@link #state}.
   *
   * @throws BadRequestException if there is none of the name, it cannot be forced off, or an order
   *     is under way
   */
  SwitchState order(String name, Order order) {
    Guarded found = found(name);
    if (order == Order.FORCE_OFF && !found.its().canForce()) {
      throw new BadRequestException(
          "cannot be turned off by force", found.its().describe(), "give it a force-off");
    }
    return found.await(
        found
            .calls()
            .begin(() -> turned(found, order))
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "an order or a question is under way", name, "order again")));
  }

  private static SwitchState turned(Guarded found, Order order) throws InterruptedException {
    switch (order) {
      case ON -> found.its().on();
      case OFF -> found.its().off();
      case FORCE_OFF -> found.its().forceOff();
    }
    return found.state();
  }

  private Guarded found(String name) {
    Guarded found = byName.get(name);
    if (found == null) {
      throw new BadRequestException(
          "there is no switch of this name", name, "name it in the agent's file: switches");
    }
    return found;
  }
}
