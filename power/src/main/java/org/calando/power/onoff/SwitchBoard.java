package org.calando.power.onoff;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;

/*
 * Machines take minutes to boot, and do so beside each other. One that fails does not keep the others from what they were
 * told: all of them are asked for, and the step fails if one did.
 */
/**
 * Switches several nodes at a time. Immutable; thread safe as its parts are.
 *
 * @param switches of nodes that can be switched, by name
 * @param telling from one line that says what is waited for to the next
 * @param news takes lines for people, on the thread that switches and on others
 */
public record SwitchBoard(
    Map<String, PowerSwitch> switches, Duration telling, Consumer<String> news) {
  /** A switch that is not what it says. */
  public static final String DOUBTFUL =
      "see that its switch is this node's, and switch it by hand; a process that was started by hand"
          + " is ended by hand (docs/switches.md)";

  /** A node that nothing switches. */
  public static final String NO_SWITCH = "give it a switch in the inventory; see docs/switches.md";

  private static final int MOST = 16;

  /** As long as a switch may take for one question. */
  private static final Duration BEGIN_WITHIN = Duration.ofSeconds(30);

  /** Copies the map. */
  public SwitchBoard {
    switches = Map.copyOf(switches);
  }

  /** What went wrong with a node, and what to do about it. */
  private record Failure(String problem, String remedy) {}

  /** One node's order. */
  private interface Order {
    void give(PowerSwitch of) throws InterruptedException;
  }

  /**
   * Begins to order: a shift that was cut off on another machine is to order nothing in the midst
   * of this one. Asks all switches at once, and returns after 30 s at most; orders to those that
   * have not answered fail.
   */
  public void begin() throws InterruptedException {
    begin(BEGIN_WITHIN);
  }

  void begin(Duration within) throws InterruptedException {
    // As many as there are switches: those that hang keep no other waiting.
    ExecutorService threads =
        Executors.newCachedThreadPool(DaemonThread.factory("calando-begin-switches"));
    List<Callable<Boolean>> each = new ArrayList<>();
    for (PowerSwitch one : switches.values()) {
      each.add(
          () -> {
            one.begin();
            return true;
          });
    }
    try {
      // What failed is told by its orders, if there are any.
      var unused = threads.invokeAll(each, within.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Switches nodes on that are not; returns when all are on, by their switches.
   *
   * @throws FailedWorkException if one is not, when all have been asked for
   */
  public void on(List<String> names) throws InterruptedException {
    all(names, PowerSwitch.State.ON, PowerSwitch::on);
  }

  /**
   * Switches nodes off that are not; returns when all are off, by their switches.
   *
   * @throws FailedWorkException if one is not, when all have been asked for
   */
  public void off(List<String> names) throws InterruptedException {
    all(names, PowerSwitch.State.OFF, PowerSwitch::off);
  }

  /** Whether all nodes' switches say so. */
  public boolean are(List<String> names, PowerSwitch.State state) {
    return names.stream().allMatch(name -> stateOf(name) == state);
  }

  /**
   * What a node's switch says.
   *
   * @throws FailedWorkException if it has none, or it does not answer
   */
  public PowerSwitch.State stateOf(String name) {
    try {
      return switchOf(name).read();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException(
          "interrupted while its switch was asked", "node " + name, "repeat the command", e);
    }
  }

  /** What a node's switch says; UNKNOWN without one, or where it does not answer. */
  public PowerSwitch.State power(String name) {
    if (!switches.containsKey(name)) {
      return PowerSwitch.State.UNKNOWN;
    }
    try {
      return stateOf(name);
    } catch (FailedWorkException e) {
      return PowerSwitch.State.UNKNOWN;
    }
  }

  /**
   * Refuses nodes of which the switch tells neither on nor off, or says off while they answer:
   * nothing that it is told would be believed.
   *
   * @throws FailedWorkException naming the first
   */
  public void requireKnown(Collection<String> names) {
    for (String name : names) {
      if (stateOf(name) == PowerSwitch.State.UNKNOWN) {
        throw new FailedWorkException(
            "its switch reports neither on nor off, or says off while the node answers",
            "node " + name,
            DOUBTFUL);
      }
    }
  }

  private PowerSwitch switchOf(String name) {
    PowerSwitch found = switches.get(name);
    if (found == null) {
      throw new FailedWorkException("nothing switches it", "node " + name, NO_SWITCH);
    }
    return found;
  }

  private void all(List<String> names, PowerSwitch.State state, Order order)
      throws InterruptedException {
    if (names.isEmpty()) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST, names.size()));
    List<Future<Optional<Failure>>> ends = new ArrayList<>();
    for (String name : names) {
      ends.add(threads.submit(() -> one(name, state, order)));
    }
    List<Failure> failed = new ArrayList<>();
    try {
      awaitAll(names, state, ends);
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
  private void awaitAll(
      List<String> names, PowerSwitch.State state, List<Future<Optional<Failure>>> ends)
      throws InterruptedException, ExecutionException {
    long begun = System.nanoTime();
    for (int i = 0; i < ends.size(); ) {
      try {
        var unused = ends.get(i).get(telling.toNanos(), TimeUnit.NANOSECONDS);
        i++;
      } catch (TimeoutException e) {
        List<String> left = new ArrayList<>();
        for (int j = i; j < ends.size(); j++) {
          if (!ends.get(j).isDone()) {
            left.add(names.get(j));
          }
        }
        news.accept(
            "waiting: %s %s not yet %s, for %d s"
                .formatted(
                    String.join(", ", left),
                    left.size() == 1 ? "is" : "are",
                    state == PowerSwitch.State.ON ? "on" : "off",
                    TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)));
      }
    }
  }

  private Optional<Failure> one(String name, PowerSwitch.State state, Order order)
      throws InterruptedException {
    try {
      if (stateOf(name) != state) {
        order.give(switchOf(name));
        news.accept(name + (state == PowerSwitch.State.ON ? " is on" : " is off"));
      }
      return Optional.empty();
    } catch (CalandoException e) {
      return Optional.of(new Failure(name + ": " + e.problem(), e.remedy()));
    } catch (RuntimeException e) {
      return Optional.of(new Failure(name + ": " + e, DOUBTFUL));
    }
  }
}
