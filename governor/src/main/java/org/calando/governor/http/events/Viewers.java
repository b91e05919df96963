package org.calando.governor.http.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.calando.core.time.DaemonThread;
import org.calando.governor.told.ToldDecisions;
import org.calando.http.server.Answer;
import org.calando.http.server.AnswerSink;
import org.calando.http.server.Call;

/*
 *   decisions kept on the disk --+
 *                                +--> one thread: what each viewer lacks --> its connection, one text at a time
 *   states, once a second -------+
 *
 * A viewer has no queue: its place in what is kept of decisions says what it lacks, and of a state only the newest
 * counts. One that does not take what is written to it is dropped when it is too far behind, or by time. Whoever decides
 * knows of no viewer.
 */
/**
 * Those who watch a governor by server-sent events: states when they change, and decisions. Thread
 * safe.
 */
public final class Viewers implements AutoCloseable {
  /** So many at once. */
  public static final int MOST = 64;

  /** So many from one address: a program that forgets to close must not take all places. */
  private static final int MOST_OF_ONE = 32;

  private static final long STATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ToldDecisions decisions;
  private final Supplier<Map<String, ObjectNode>> states;
  private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Boolean> woken = new ArrayBlockingQueue<>(1);
  private final Runnable wake = this::wake;
  private final Thread thread;
  private volatile boolean closed;

  // Of the thread alone.
  private final Map<String, State> known = new LinkedHashMap<>();
  private long statesNanos = System.nanoTime() - STATE_NANOS;

  /**
   * A state that was told. Immutable.
   *
   * @param version another one for each text
   */
  record State(String text, long version) {}

  /**
   * No viewers yet.
   *
   * @param states the documents of all clusters by their names
   */
  public Viewers(ToldDecisions decisions, Supplier<Map<String, ObjectNode>> states) {
    this.decisions = decisions;
    this.states = states;
    this.thread = DaemonThread.start("calando-events", this::run);
    decisions.onChange(wake);
  }

  /** The answer to who wants to watch; it goes on. */
  public Answer answer(Call call) {
    long last = decisions.last();
    Optional<String> given =
        call.header("last-event-id").or(() -> Optional.ofNullable(call.query().get("after")));
    if (given.isPresent() && !given.get().matches("\\d{1,18}")) {
      return Answer.text(400, "Last-Event-ID, or after, is not the id of an event\n");
    }
    String address = call.client().address();
    Optional<String> full = full(address);
    if (full.isPresent()) {
      return Answer.text(503, full.get());
    }
    long after = given.map(Long::parseLong).orElse(last);
    return Answer.goingOn(
        "text/event-stream", "retry: 2000\n\n", sink -> enter(sink, address, after));
  }

  /** Why there is no place; empty if there is one. */
  private Optional<String> full(String address) {
    if (viewers.size() >= MOST) {
      return Optional.of("there are " + MOST + " viewers already; close one\n");
    }
    return viewers.stream().filter(each -> each.address().equals(address)).count() < MOST_OF_ONE
        ? Optional.empty()
        : Optional.of(
            "there are " + MOST_OF_ONE + " viewers from " + address + " already; close one\n");
  }

  private synchronized void enter(AnswerSink sink, String address, long after) {
    if (closed || full(address).isPresent()) {
      sink.close();
      return;
    }
    viewers.add(new Viewer(sink, address, after, this::wake));
    wake();
  }

  /** How many there are. */
  public int size() {
    return viewers.size();
  }

  private void wake() {
    boolean unused = woken.offer(true);
  }

  private void run() {
    try {
      while (!closed) {
        var unused = woken.poll(STATE_NANOS, TimeUnit.NANOSECONDS);
        viewers.removeIf(Viewer::isGone);
        if (!viewers.isEmpty()) {
          look();
          viewers.forEach(viewer -> viewer.tell(decisions, known));
        }
      }
    } catch (InterruptedException e) {
      // It is closed.
    } finally {
      viewers.forEach(Viewer::close);
    }
  }

  /** At most once a second. */
  private void look() {
    long now = System.nanoTime();
    if (now - statesNanos < STATE_NANOS) {
      return;
    }
    statesNanos = now;
    Map<String, ObjectNode> all;
    try {
      all = states.get();
    } catch (RuntimeException e) {
      return; // A defect of one document must not end the others' news; it is asked for again.
    }
    known.keySet().retainAll(all.keySet());
    all.forEach(
        (name, node) -> {
          String text = node.toString();
          State before = known.get(name);
          if (before == null || !before.text().equals(text)) {
            known.put(name, new State(text, now));
          }
        });
  }

  @Override
  public synchronized void close() {
    closed = true;
    decisions.forget(wake);
    thread.interrupt();
  }
}
