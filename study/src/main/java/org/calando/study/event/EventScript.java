package org.calando.study.event;

import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.engine.ClusterControl;
import org.calando.engine.LinkDelay;
import org.calando.engine.NodePresence;
import org.calando.report.Csv;
import org.calando.studyfile.EventSpec;

/**
 * The events of one run in their order, and what has become of them. One thread carries them out,
 * step by step; others may look.
 */
public final class EventScript {
  /** Nothing is left to do. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Time between two questions whether a node that starts takes requests. */
  public static final long POLL_NANOS = 100_000_000L;

  private final ClusterControl control;
  private final NodePresence presence;
  private final LongSupplier clock;
  private final Queue<EventSpec> left;
  private final Set<String> starting = new ConcurrentSkipListSet<>();
  private final List<Done> done = new CopyOnWriteArrayList<>();
  private LinkDelay delay;
  private long beginNanos;

  /**
   * What was done.
   *
   * @param second when it was done, in seconds from the begin of the measured window
   * @param event what, in words
   */
  public record Done(double second, String event) {}

  /**
   * A script of which nothing is done yet.
   *
   * @param events ascending in time
   * @param declared the delay of links before the first event
   * @param control carries them out
   * @param presence is told of nodes before they end and after they have come back
   * @param clock the run's, in nanoseconds
   */
  public EventScript(
      List<EventSpec> events,
      LinkDelay declared,
      ClusterControl control,
      NodePresence presence,
      LongSupplier clock) {
    this.left = new ConcurrentLinkedQueue<>(events);
    this.delay = declared;
    this.control = control;
    this.presence = presence;
    this.clock = clock;
  }

  /** The measured window began at a time of the clock; to be told before the first step. */
  public void begin(long nanos) {
    beginNanos = nanos;
  }

  /**
   * Carries out what is due.
   *
   * @return when to be called again, or {@link #NEVER}
   * @throws FailedWorkException naming the event that cannot be carried out
   */
  public long step() {
    for (EventSpec next = left.peek(); next != null && isDue(next); next = left.peek()) {
      try {
        act(next.action());
      } catch (CalandoException e) {
        throw new FailedWorkException(
            "the event " + next.label() + " failed: " + e.getMessage(), "events", "", e);
      }
      left.remove();
    }
    for (String node : List.copyOf(starting)) {
      if (control.takesRequests(node)) {
        starting.remove(node);
        note("node " + node + " is up");
      }
    }
    EventSpec next = left.peek();
    long due = next == null ? NEVER : beginNanos + next.atNanos();
    return starting.isEmpty() ? due : Math.min(due, clock.getAsLong() + POLL_NANOS);
  }

  private boolean isDue(EventSpec event) {
    return beginNanos + event.atNanos() <= clock.getAsLong();
  }

  private void act(EventSpec.Action action) {
    if (action instanceof EventSpec.Links links) {
      control.delayLinks(links.delay());
      note("link delay " + delay.label() + " -> " + links.delay().label());
      delay = links.delay();
    } else if (action instanceof EventSpec.Kill kill) {
      leave(kill.node());
      control.kill(kill.node());
      note("node " + kill.node() + " killed");
    } else if (action instanceof EventSpec.Stop stop) {
      leave(stop.node());
      control.stop(stop.node());
      note("node " + stop.node() + " stopped");
    } else if (action instanceof EventSpec.Start start) {
      control.start(start.node());
      presence.cameBack(start.node(), control.pid(start.node()));
      starting.add(start.node());
      note("node " + start.node() + " started");
    } else if (action instanceof EventSpec.SwitchOff off) {
      leave(off.node());
      control.switchOff(off.node());
      note("node " + off.node() + " switched off");
    } else if (action instanceof EventSpec.SwitchOn on) {
      control.switchOn(on.node());
      starting.add(on.node());
      note("node " + on.node() + " switched on");
    }
  }

  private void leave(String node) {
    starting.remove(node);
    presence.mayEnd(node);
  }

  private void note(String event) {
    done.add(new Done((clock.getAsLong() - beginNanos) / 1e9, event));
  }

  /** Events that are not carried out yet, in their order. */
  public List<EventSpec> left() {
    return List.copyOf(left);
  }

  /** What was done so far. */
  public List<Done> done() {
    return List.copyOf(done);
  }

  /** Events as CSV, with a header. */
  public static String csv(List<Done> done) {
    StringBuilder csv = new StringBuilder("second,event\n");
    for (Done each : done) {
      csv.append(String.format(Locale.ROOT, "%.3f,", each.second()))
          .append(Csv.quote(each.event()))
          .append('\n');
    }
    return csv.toString();
  }
}
