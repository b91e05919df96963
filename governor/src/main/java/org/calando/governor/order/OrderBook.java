package org.calando.governor.order;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.calando.control.file.StateFile;
import org.calando.core.CalandoException;
import org.jspecify.annotations.Nullable;

/*
 *   given     ends so long after as its time was away then, by a clock that does not jump
 *   read      by the time of day of the disk's file: nothing else outlives a process
 *   ended     taken out of the file: the time of day may be set back before it is read again
 */
/**
 * What operators have ordered of clusters, kept on the disk: orders outlive the governor. A time of
 * day that is set forwards or backwards ends none of them earlier or later while it runs. Thread
 * safe; of one process.
 */
public final class OrderBook {
  private static final StateFile<Orders> FILE =
      new StateFile<>(
          new Orders(List.of(), ""),
          "book of orders",
          "order anew what is to be held: remove the file, and nothing is");

  private final Optional<Path> file;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Running running;

  /** Whether the file still holds what has ended. Guarded by this. */
  private boolean isLeft;

  /**
   * What the file holds.
   *
   * @param all in the order in which they were given
   * @param applied the call that changed it last
   */
  record Orders(List<Ordered> all, String applied) {
    Orders {
      all = List.copyOf(all);
    }
  }

  /**
   * The same with its ends.
   *
   * @param endNanos of orders that have one, by the clock that does not jump
   */
  private record Running(Orders orders, Map<Ordered, Long> endNanos) {}

  private OrderBook(Optional<Path> file, InstantSource clock, LongSupplier nanos) {
    this.file = file;
    this.clock = clock;
    this.nanos = nanos;
    this.running =
        running(file.map(FILE::read).orElseGet(() -> new Orders(List.of(), "")), Map.of());
  }

  /**
   * Opens it.
   *
   * @param file where it is kept; empty if it is not
   * @param nanos a clock that does not jump, in nanoseconds
   * @throws org.calando.core.CalandoException if that is damaged: what it holds is not to be
   *     forgotten
   */
  public static OrderBook open(Optional<Path> file, InstantSource clock, LongSupplier nanos) {
    return new OrderBook(file, clock, nanos);
  }

  private Running running(Orders orders, Map<Ordered, Long> known) {
    Map<Ordered, Long> ends = new HashMap<>();
    for (Ordered each : orders.all()) {
      each.end()
          .ifPresent(
              end -> {
                @Nullable Long before = known.get(each);
                ends.put(each, before != null ? before : nanos.getAsLong() + left(end));
              });
    }
    return new Running(orders, ends);
  }

  private long left(Instant end) {
    return TimeUnit.MILLISECONDS.toNanos(end.toEpochMilli() - clock.millis());
  }

  /** The call that changed it last; empty if none did. */
  public String applied() {
    return running.orders().applied();
  }

  /** What is in force now. */
  public List<Ordered> all() {
    Running now = running;
    return now.orders().all().stream().filter(each -> !hasEnded(now.endNanos().get(each))).toList();
  }

  private boolean hasEnded(@Nullable Long endNanos) {
    return endNanos != null && nanos.getAsLong() - endNanos >= 0;
  }

  /** What is in force of a cluster now. */
  public List<Ordered> of(String cluster) {
    return all().stream().filter(each -> each.cluster().equals(cluster)).toList();
  }

  /**
   * Puts an order in force; it takes the place of the one of the same. It is on the disk on return.
   *
   * @throws org.calando.core.FailedWorkException if it cannot be written: it is not in force then
   */
  public void give(Ordered given) {
    change(given, true);
  }

  /**
   * Takes an order back, which is on the disk on return; nothing if there is none of the same.
   *
   * @param like of what is taken back, and the call that does
   * @throws org.calando.core.FailedWorkException if it cannot be written: it stays in force then
   */
  public void takeBack(Ordered like) {
    change(like, false);
  }

  private void change(Ordered given, boolean stays) {
    synchronized (this) {
      List<Ordered> next = new ArrayList<>(all());
      next.removeIf(each -> each.isOfTheSame(given));
      if (stays) {
        next.add(given);
      }
      write(new Orders(next, given.request()));
    }
    listeners.forEach(OrderBook::hear);
  }

  private static void hear(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      // The order is in force: who could not hear of it asks before the next change.
    }
  }

  private void write(Orders next) {
    file.ifPresent(path -> FILE.write(next, path));
    isLeft = false;
    running = running(next, running.endNanos());
  }

  /**
   * Forgets what has ended, and has that heard; to be called each second or so. Where that cannot
   * be written it has ended all the same, and the next call tries to write it again.
   */
  public void tick() {
    boolean ended;
    synchronized (this) {
      List<Ordered> left = all();
      ended = left.size() < running.orders().all().size();
      if (ended) {
        running = running(new Orders(left, running.orders().applied()), running.endNanos());
        isLeft = true;
      }
      if (isLeft) {
        forget();
      }
    }
    if (ended) {
      listeners.forEach(OrderBook::hear);
    }
  }

  private void forget() {
    try {
      write(running.orders());
    } catch (CalandoException e) {
      // By its time it has ended in the file too, unless the time of day is set back.
    }
  }

  /**
   * Calls a listener after each change, until what is returned is run.
   *
   * @param listener is not to block
   */
  public Runnable onChange(Runnable listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }
}
