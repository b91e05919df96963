package org.calando.governor.http.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.calando.governor.http.events.Viewers.State;
import org.calando.governor.told.DecidedText;
import org.calando.governor.told.ToldDecisions;
import org.calando.http.server.AnswerSink;

/** One who watches. Thread safe. */
final class Viewer implements AutoCloseable {
  /** One that takes nothing while so many decisions are taken is dropped. */
  private static final long MOST_BEHIND = 1000;

  private static final int MOST_AT_ONCE = 200;

  /** So long what is written may not be taken. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final AnswerSink sink;
  private final String address;
  private final Runnable wake;

  // Guarded by this.
  private final Map<String, Long> told = new HashMap<>();
  private long after;
  private long gapTo;
  private long lastWritten;
  private long writtenNanos = System.nanoTime();
  private boolean writing;
  private boolean gone;

  /**
   * One who knows of no state yet.
   *
   * @param address from where it watches
   * @param after the last decision that it knows of
   * @param wake is run when it has taken what was written
   */
  Viewer(AnswerSink sink, String address, long after, Runnable wake) {
    this.sink = sink;
    this.address = address;
    this.after = after;
    this.wake = wake;
  }

  /** Whether nothing can be told any more. */
  synchronized boolean isGone() {
    return gone;
  }

  /** From where it watches. */
  String address() {
    return address;
  }

  /** Tells what it lacks, unless it has not taken what was told before; does not wait. */
  void tell(ToldDecisions decisions, Map<String, State> states) {
    String text;
    if (!sink.isAdmitted()) {
      close();
    }
    synchronized (this) {
      if (gone) {
        return;
      }
      if (writing) {
        boolean lost =
            decisions.last() - lastWritten > MOST_BEHIND
                || System.nanoTime() - writtenNanos > PATIENCE_NANOS;
        if (lost) {
          close();
        }
        return;
      }
      StringBuilder lacks = new StringBuilder();
      decisions(decisions, lacks);
      states(states, lacks);
      if (lacks.length() == 0 && System.nanoTime() - writtenNanos > PING_NANOS) {
        lacks.append(": still here\n\n");
      }
      if (lacks.length() == 0) {
        return;
      }
      writing = true;
      lastWritten = decisions.last();
      writtenNanos = System.nanoTime();
      text = lacks.toString();
    }
    sink.write(text, this::taken);
  }

  private void taken(boolean was) {
    synchronized (this) {
      writing = false;
      gone |= !was;
    }
    wake.run();
  }

  private void decisions(ToldDecisions decisions, StringBuilder into) {
    long last = decisions.last();
    if (after > last) {
      // Of files that are gone: nobody knows what was between.
      gap(after, last, into);
      after = last;
    }
    ToldDecisions.After newer = decisions.after(after, MOST_AT_ONCE);
    if (newer.missingTo() > Math.max(after, gapTo)) {
      gapTo = newer.missingTo();
      gap(after, newer.missingTo(), into);
    }
    for (ToldDecisions.Row row : newer.rows()) {
      after = row.decided().id();
      event("decision", DecidedText.node(row.cluster(), row.decided()).toString(), into, after);
    }
  }

  private static void gap(long after, long to, StringBuilder into) {
    event(
        "gap",
        JsonNodeFactory.instance.objectNode().put("after", after).put("to", to).toString(),
        into,
        0);
  }

  private void states(Map<String, State> states, StringBuilder into) {
    states.forEach(
        (name, state) -> {
          Long version = told.put(name, state.version());
          if (version == null || version != state.version()) {
            event("state", state.text(), into, 0);
          }
        });
    Iterator<String> names = told.keySet().iterator();
    while (names.hasNext()) {
      String name = names.next();
      if (!states.containsKey(name)) {
        names.remove();
        event(
            "gone", JsonNodeFactory.instance.objectNode().put("cluster", name).toString(), into, 0);
      }
    }
  }

  private static void event(String name, String data, StringBuilder into, long id) {
    into.append("event: ").append(name).append('\n');
    if (id > 0) {
      into.append("id: ").append(id).append('\n');
    }
    into.append("data: ").append(data).append("\n\n");
  }

  /** Drops it. */
  @Override
  public void close() {
    synchronized (this) {
      gone = true;
    }
    sink.close();
  }
}
