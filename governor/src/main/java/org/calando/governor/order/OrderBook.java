package org.calando.governor.order;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.control.file.StateFile;

/**
 * What operators have ordered of clusters, kept on the disk: orders outlive the governor. Thread
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
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Orders orders;

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

  private OrderBook(Optional<Path> file, InstantSource clock) {
    this.file = file;
    this.clock = clock;
    this.orders = file.map(FILE::read).orElseGet(() -> new Orders(List.of(), ""));
  }

  /**
   * Opens it.
   *
   * @param file where it is kept; empty if it is not
   * @throws org.calando.core.CalandoException if that is damaged: what it holds is not to be
   *     forgotten
   */
  public static OrderBook open(Optional<Path> file, InstantSource clock) {
    return new OrderBook(file, clock);
  }

  /** The call that changed it last; empty if none did. */
  public String applied() {
    return orders.applied();
  }

  /** What is in force now. */
  public List<Ordered> all() {
    Instant now = clock.instant();
    return orders.all().stream().filter(each -> !each.hasEnded(now)).toList();
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
    orders = next;
  }

  /** Forgets what has ended, and has that heard; to be called each second or so. */
  public void tick() {
    boolean ended;
    synchronized (this) {
      List<Ordered> left = all();
      ended = left.size() < orders.all().size();
      if (ended) {
        // Not on the disk: by its time it has ended there too.
        orders = new Orders(left, orders.applied());
      }
    }
    if (ended) {
      listeners.forEach(OrderBook::hear);
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
