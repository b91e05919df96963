package org.calando.gears;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
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

  /** What went wrong with a node, and what to do about it. */
  private record Failure(String problem, String remedy) {}

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
    List<Future<Optional<Failure>>> ends = new ArrayList<>();
    for (String name : names) {
      ends.add(threads.submit(() -> one(means, name, state, order)));
    }
    List<Failure> failed = new ArrayList<>();
    try {
      awaitAll(means, names, state, ends);
      for (Future<Optional<Failure>> end : ends) {
        end.get().ifPresent(failed::add);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("switching", e.getCause());
    } finally {
      threads.shutdownNow();
    }
    if (!failed.isEmpty()) {
      throw new FailedWorkException(
          failed.stream().map(Failure::problem).collect(Collectors.joining("; ")),
          failed.size() + " of " + names.size() + " nodes",
          failed.get(0).remedy());
    }
  }

  /** A switch's own deadline ends it; meanwhile it is said what is waited for. */
  private static void awaitAll(
      NodeMeans means,
      List<String> names,
      PowerSwitch.State state,
      List<Future<Optional<Failure>>> ends)
      throws InterruptedException, ExecutionException {
    long begun = System.nanoTime();
    for (int i = 0; i < ends.size(); ) {
      try {
        var unused = ends.get(i).get(means.patience().telling().toNanos(), TimeUnit.NANOSECONDS);
        i++;
      } catch (TimeoutException e) {
        List<String> left = new ArrayList<>();
        for (int j = i; j < ends.size(); j++) {
          if (!ends.get(j).isDone()) {
            left.add(names.get(j));
          }
        }
        means
            .news()
            .tell(
                "waiting: %s %s not yet %s, for %d s"
                    .formatted(
                        String.join(", ", left),
                        left.size() == 1 ? "is" : "are",
                        state == PowerSwitch.State.ON ? "on" : "off",
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)));
      }
    }
  }

  /**
   * Refuses nodes of which the switch tells neither on nor off, or says off while they answer:
   * nothing that it is told would be believed.
   */
  static void requireKnown(NodeMeans means, Collection<String> names) {
    for (String name : names) {
      if (means.stateOf(name) == PowerSwitch.State.UNKNOWN) {
        throw new FailedWorkException(
            "its switch tells neither on nor off, or says off while the node answers",
            "node " + name,
            Remedies.SWITCH);
      }
    }
  }

  private static Optional<Failure> one(
      NodeMeans means, String name, PowerSwitch.State state, Order order)
      throws InterruptedException {
    try {
      if (means.stateOf(name) != state) {
        order.give(means.switchOf(name));
        means.news().tell(name + (state == PowerSwitch.State.ON ? " is on" : " is off"));
      }
      return Optional.empty();
    } catch (CalandoException e) {
      return Optional.of(new Failure(name + ": " + e.problem(), e.remedy()));
    } catch (RuntimeException e) {
      return Optional.of(new Failure(name + ": " + e, Remedies.SWITCH));
    }
  }
}
