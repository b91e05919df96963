package org.calando.gears;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch;

/*
 * Machines take minutes to boot, and do so beside each other. One that fails does not keep the others from what they were
 * told: all of them are asked for, and the step fails if one did.
 */
/** Switches several nodes at a time. Stateless. */
final class Switching {
  private static final int MOST = 16;

  private Switching() {}

  /** One node's order. */
  private interface Order {
    void give(PowerSwitch of) throws InterruptedException;
  }

  /** Switches nodes on that are not; returns when all are on, by their switches. */
  static void on(NodeMeans means, List<String> names) throws InterruptedException {
    all(means, names, PowerSwitch.State.ON, PowerSwitch::on);
  }

  /** Switches nodes off that are not; returns when all are off, by their switches. */
  static void off(NodeMeans means, List<String> names) throws InterruptedException {
    all(means, names, PowerSwitch.State.OFF, PowerSwitch::off);
  }

  /** Whether all nodes' switches say so. */
  static boolean are(NodeMeans means, List<String> names, PowerSwitch.State state) {
    return names.stream().allMatch(name -> means.stateOf(name) == state);
  }

  private static void all(NodeMeans means, List<String> names, PowerSwitch.State state, Order order)
      throws InterruptedException {
    if (names.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST, names.size()));
    List<Future<Optional<String>>> ends = new ArrayList<>();
    for (String name : names) {
      ends.add(threads.submit(() -> one(means, name, state, order)));
    }
    List<String> failed = new ArrayList<>();
    try {
      for (Future<Optional<String>> end : ends) {
        end.get().ifPresent(failed::add);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("switching", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    if (!failed.isEmpty()) {
      throw new FailedWorkException(
          String.join("; ", failed),
          failed.size() + " of " + names.size() + " nodes",
          "see its switch; the others are as they were told to be");
    }
  }

  private static Optional<String> one(
      NodeMeans means, String name, PowerSwitch.State state, Order order)
      throws InterruptedException {
    try {
      if (means.stateOf(name) != state) {
        order.give(means.switchOf(name));
        means.news().tell(name + (state == PowerSwitch.State.ON ? " is on" : " is off"));
      }
      return Optional.empty();
    } catch (CalandoException e) {
      return Optional.of(
          name + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    } catch (RuntimeException e) {
      return Optional.of(name + ": " + e);
    }
  }
}
