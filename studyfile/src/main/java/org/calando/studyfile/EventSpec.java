package org.calando.studyfile;

import org.calando.engine.LinkDelay;
import org.calando.schema.Units;

/**
 * What happens to the cluster in each run of a study.
 *
 * <p>Immutable and thread safe.
 *
 * @param atNanos when, from the begin of the measured window
 * @param action what
 */
public record EventSpec(long atNanos, Action action) {

  /** A change of the cluster. */
  public sealed interface Action {}

  /** The delay of links from then on. */
  public record Links(LinkDelay delay) implements Action {}

  /** A node's process is killed, as by the loss of its power. */
  public record Kill(String node) implements Action {}

  /** A node is asked to end. */
  public record Stop(String node) implements Action {}

  /** A node that was killed or stopped starts. */
  public record Start(String node) implements Action {}

  /** A simulated node is switched off in good order. */
  public record SwitchOff(String node) implements Action {}

  /** A simulated node that was switched off is switched on, and boots. */
  public record SwitchOn(String node) implements Action {}

  /** The event for messages: {@code kill-node n3 at 40s}. */
  public String label() {
    return words() + " at " + Units.formatNanos(atNanos);
  }

  /** Whether a node is away after it. */
  boolean takesNodeAway() {
    return action instanceof Kill || action instanceof Stop || action instanceof SwitchOff;
  }

  private String words() {
    if (action instanceof Links links) {
      return "link-delay " + links.delay().label();
    }
    if (action instanceof Kill kill) {
      return "kill-node " + kill.node();
    }
    if (action instanceof Stop stop) {
      return "stop-node " + stop.node();
    }
    if (action instanceof SwitchOff off) {
      return "switch-off " + off.node();
    }
    return action instanceof SwitchOn on
        ? "switch-on " + on.node()
        : "start-node " + ((Start) action).node();
  }
}
