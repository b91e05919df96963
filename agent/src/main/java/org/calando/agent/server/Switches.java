package org.calando.agent.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.calando.agent.AgentWire;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.agent.AgentWire.SwitchOrder;
import org.calando.agent.AgentWire.SwitchState;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.AgentSwitch;
import org.calando.power.onoff.AgentSwitch.Order;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchSpec;
import org.jspecify.annotations.Nullable;

/**
 * What the agent's file lets governors turn on and off. An order is not undone at the agent's end:
 * what is off stays off, as its plan says. Thread safe; one order at a time for each switch.
 */
final class Switches {
  private final Map<String, Guarded> byName = new TreeMap<>();

  /** A switch, and what goes on at it. */
  private static final class Guarded {
    private final PowerSwitch its;
    private final OneAtATime<SwitchState> calls;
    private final FenceFile fence;
    private final Consumer<String> news;

    /** Why the last order failed, where its caller waited no longer; null if it has been told. */
    private final AtomicReference<@Nullable CalandoException> untold = new AtomicReference<>();

    Guarded(
        PowerSwitch its,
        FenceFile fence,
        Duration patience,
        Consumer<String> news,
        Executor calls) {
      this.its = its;
      this.fence = fence;
      this.news = news;
      this.calls = new OneAtATime<>(its.describe(), patience, calls);
    }

    CompletionStage<SwitchState> state() {
      CalandoException failed = untold.getAndSet(null);
      if (failed != null) {
        throw new FailedWorkException(
            AgentSwitch.ORDER_FAILED + ": " + failed.what(),
            its.describe(),
            failed.remedy(),
            failed);
      }
      return calls
          .join(this::read, this::unknown)
          .orElseThrow(
              () -> new FailedWorkException("has not answered yet", its.describe(), "ask again"));
    }

    /** No higher number comes between taking an order's number and beginning the order. */
    synchronized CompletionStage<SwitchState> order(SwitchOrder wanted) {
      admit(wanted);
      Order order = wanted.order();
      return order == null ? begun() : order(order, wanted.fence());
    }

    /**
     * Answers a number alone when what was under way has ended: nothing of whoever has an older
     * number comes after that. What takes longer is seen, as the switch is unknown until it ends.
     */
    private CompletionStage<SwitchState> begun() {
      return calls
          .underWay(this::unknown)
          .orElseGet(() -> CompletableFuture.completedStage(unknown()))
          .exceptionally(failed -> unknown());
    }

    /** Notes the number before anything is done: whoever has an older one was displaced. */
    private void admit(SwitchOrder wanted) {
      LeaseState last = fence.highest();
      String id = wanted.id() == null ? "" : wanted.id();
      if (wanted.fence() != 0 && !id.matches(AgentWire.ID)) {
        throw new BadRequestException(
            "has a number and no id", its.describe(), "use a governor of this version");
      }
      boolean same = wanted.fence() == last.fence() && (last.fence() == 0 || id.equals(last.id()));
      if (wanted.fence() > AgentLease.MOST_FENCE || (wanted.fence() <= last.fence() && !same)) {
        throw older(wanted.fence(), last.fence());
      }
      if (!same) {
        fence.note(new LeaseState(false, wanted.fence(), id, "", 0));
      }
    }

    private BadRequestException older(long shown, long highest) {
      return new BadRequestException(
          "number %d is older than %d, which another has shown since".formatted(shown, highest),
          its.describe(),
          "end whoever else orders it, then shift again");
    }

    private CompletionStage<SwitchState> order(Order order, long shown) {
      return calls
          .begin(() -> turned(order, shown), this::unknown, untold::set)
          .orElseThrow(
              () ->
                  new BadRequestException(
                      "an order or a question is under way", its.describe(), "order again"));
    }

    private SwitchState turned(Order order, long shown) throws InterruptedException {
      untold.set(null);
      // The thread may have come late; whoever shows a higher number from now on waits for this.
      long highest = fence.highest().fence();
      if (shown != highest) {
        throw older(shown, highest);
      }
      news.accept(
          its.describe() + ": is ordered " + order + (shown > 0 ? ", number " + shown : ""));
      switch (order) {
        case ON -> its.on();
        case OFF -> its.off();
        case FORCE_OFF -> its.forceOff();
      }
      return read();
    }

    private SwitchState read() throws InterruptedException {
      return new SwitchState(its.read().name(), its.canForce(), fence.highest().fence());
    }

    private SwitchState unknown() {
      return new SwitchState(
          PowerSwitch.State.UNKNOWN.name(), its.canForce(), fence.highest().fence());
    }
  }

  /**
   * Asks nothing yet.
   *
   * @param fences folder of the numbers that were shown with orders
   * @param patience how long who asks or orders waits
   * @param news takes a line for each order
   */
  Switches(Map<String, SwitchSpec> specs, Path fences, Duration patience, Consumer<String> news) {
    this(specs, fences, patience, news, OneAtATime::startThread);
  }

  /** The same, where something else begins orders and questions. */
  Switches(
      Map<String, SwitchSpec> specs,
      Path fences,
      Duration patience,
      Consumer<String> news,
      Executor calls) {
    specs.forEach(
        (name, spec) ->
            byName.put(
                name,
                new Guarded(
                    spec.plain(name, Ticker.system()),
                    new FenceFile(fences, name),
                    patience,
                    news,
                    calls)));
  }

  /**
   * How one stands; UNKNOWN while an order or a question to it takes longer than some seconds.
   *
   * @throws BadRequestException if there is none of the name
   * @throws FailedWorkException if it does not answer, the last order failed after its caller had
   *     gone, or too many wait for an answer; from the stage too
   */
  CompletionStage<SwitchState> state(String name) {
    return found(name).state();
  }

  /**
   * Orders, and tells how it stands then; see {@link #state}.
   *
   * @throws BadRequestException if there is none of the name, it cannot be forced off, an order is
   *     under way, or its number is older than another's
   */
  CompletionStage<SwitchState> order(String name, SwitchOrder order) {
    Guarded found = found(name);
    if (order.order() == Order.FORCE_OFF && !found.its.canForce()) {
      throw new BadRequestException(
          "cannot be turned off by force", found.its.describe(), "give it a force-off");
    }
    return found.order(order);
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
