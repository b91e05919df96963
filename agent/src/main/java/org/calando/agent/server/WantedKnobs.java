package org.calando.agent.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.agent.server.ProcessKnobs.Bound;
import org.calando.agent.server.ProcessKnobs.Of;
import org.calando.clock.KnobLease;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/**
 * Knobs of processes on lease, as a governor wants them: in a journal before they are set, read
 * back, and as before when this is closed or the agent ends in whatever way. Used by one thread at
 * a time.
 */
final class WantedKnobs implements AutoCloseable {
  private final ProcessKnobs all;
  private final KnobLease lease;
  private final Map<Of, Held<?>> held = new LinkedHashMap<>();

  /** A knob on lease, how it was, and what it is set to; null where it could not be set. */
  private record Held<V>(Bound<V> bound, V before, @Nullable V value) {
    Held<V> with(@Nullable V to) {
      return new Held<>(bound, before, to);
    }
  }

  WantedKnobs(ProcessKnobs all, KnobLease lease) {
    this.all = all;
    this.lease = lease;
  }

  /**
   * Sets what is wanted, and has as before what is not any more; all that can be done is done.
   *
   * @param wanted values by processes and knobs, as journals write them
   * @throws BadRequestException if there is no such knob or value, or it has another owner
   * @throws FailedWorkException if one cannot be set or restored
   */
  void set(Map<String, Map<String, String>> wanted) {
    Map<Of, String> flat = new LinkedHashMap<>();
    wanted.forEach(
        (process, knobs) -> knobs.forEach((knob, to) -> flat.put(new Of(process, knob), to)));
    List<CalandoException> failed = new ArrayList<>();
    for (Of of : List.copyOf(held.keySet())) {
      if (!flat.containsKey(of)) {
        tried(failed, () -> release(of));
      }
    }
    flat.forEach((of, to) -> tried(failed, () -> set(of, to)));
    if (!failed.isEmpty()) {
      throw failed.get(0);
    }
  }

  @FunctionalInterface
  private interface Attempt {
    void run() throws InterruptedException;
  }

  private static void tried(List<CalandoException> failed, Attempt attempt) {
    try {
      attempt.run();
    } catch (CalandoException e) {
      failed.add(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed.add(new FailedWorkException("interrupted", "knobs", "ask again", e));
    }
  }

  private void set(Of of, String to) throws InterruptedException {
    @Nullable Held<?> known = held.get(of);
    Held<?> now = known == null ? taken(of, all.find(of)) : known;
    set(of, now, to);
  }

  private <V> Held<V> taken(Of of, Bound<V> bound) {
    lease.own(bound.knob());
    V before = bound.knob().current();
    Held<V> taken = new Held<>(bound, before, null);
    held.put(of, taken);
    all.taken(of, bound.axis().text(before));
    return taken;
  }

  private <V> void set(Of of, Held<V> now, String text) throws InterruptedException {
    V to;
    try {
      to = now.bound().axis().parse(text);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(
          String.valueOf(e.getMessage()),
          "knob " + of.knob() + " of " + of.process(),
          "use a governor of this version");
    }
    if (!to.equals(now.value())) {
      // What could not be set is tried again with the next request.
      held.put(of, now.with(null));
      lease.set(now.bound().axis(), now.bound().knob(), now.before(), to);
      held.put(of, now.with(to));
    }
  }

  private void release(Of of) throws InterruptedException {
    @Nullable Held<?> now = held.get(of);
    if (now != null) {
      // What others set since is not how it was.
      List<String> unused = lease.verify(now.bound().knob());
      lease.release(now.bound().knob());
      held.remove(of);
      all.ended(of);
    }
  }

  /**
   * {@inheritDoc} All are as before.
   *
   * @throws FailedWorkException naming what is not
   */
  @Override
  public void close() {
    lease.close();
    // Not before, and not of what is not restored: a successor would take what is set for how it
    // was.
    held.keySet().forEach(all::ended);
  }
}
