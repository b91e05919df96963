package org.calando.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.Lookout;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchSpec;

/**
 * Reads the switches of an inventory's nodes, and switches nothing. All are asked at once, as each
 * may take as long as it is given. Not thread safe.
 */
public final class SwitchDoctor {
  private static final int MOST_AT_ONCE = 16;
  private static final Duration KNOCK = Duration.ofSeconds(2);

  private final InventorySpec inventory;

  public SwitchDoctor(InventorySpec inventory) {
    this.inventory = inventory;
  }

  /** A finding for each node that has a switch. */
  public List<Finding> examine() {
    List<InventorySpec.Node> switched =
        inventory.nodes().stream().filter(node -> node.powerSwitch().isPresent()).toList();
    if (switched.isEmpty()) {
      return List.of();
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_AT_ONCE, switched.size()));
    try {
      List<Future<Finding>> asked = new ArrayList<>();
      switched.forEach(node -> asked.add(threads.submit(() -> finding(node))));
      List<Finding> findings = new ArrayList<>();
      for (Future<Finding> each : asked) {
        findings.add(each.get());
      }
      return findings;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("interrupted", "switches", "repeat the command", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading switches", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static Finding finding(InventorySpec.Node node) throws InterruptedException {
    SwitchSpec spec = node.powerSwitch().orElseThrow();
    PowerSwitch asked =
        spec.verified(
            node.name(),
            Optional.of(Lookout.port(node.address(), node.port(), KNOCK)),
            Ticker.system());
    String subject = "switch of " + node.name();
    try {
      PowerSwitch.State state = asked.read();
      String words = asked.describe() + ": " + state.name().toLowerCase(Locale.ROOT);
      return state == PowerSwitch.State.UNKNOWN
          ? new Finding(
              false, subject, words + "; it does not say, or the node's port says otherwise")
          : new Finding(true, subject, words);
    } catch (CalandoException e) {
      return new Finding(false, subject, String.valueOf(e.getMessage()));
    }
  }
}
