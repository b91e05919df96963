package org.calando.governor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.control.file.AtomicFiles;
import org.calando.control.file.FolderLock;
import org.calando.core.Closing;
import org.calando.core.FailedWorkException;
import org.calando.governor.audit.AuditLog;
import org.calando.governor.order.OrderBook;
import org.calando.governor.told.ToldDecisions;

/**
 * What a governor keeps on the disk of itself: orders of its operators, the audit of their calls,
 * and the decisions that it has told. Thread safe.
 */
public final class GovernorNotes implements AutoCloseable {
  private final Optional<FolderLock> lock;
  private final OrderBook orders;
  private final Optional<AuditLog> audit;
  private final ToldDecisions decisions;

  private GovernorNotes(
      Optional<FolderLock> lock,
      OrderBook orders,
      Optional<AuditLog> audit,
      ToldDecisions decisions) {
    this.lock = lock;
    this.orders = orders;
    this.audit = audit;
    this.decisions = decisions;
  }

  /** Nothing is kept, and no order is taken: of one cluster that somebody sees to. */
  static GovernorNotes none(InstantSource clock) {
    return new GovernorNotes(
        Optional.empty(),
        OrderBook.open(Optional.empty(), clock, System::nanoTime),
        Optional.empty(),
        ToldDecisions.open(Optional.empty(), List.of(), line -> {}));
  }

  /**
   * Opens them. Where another governor of the same file has them, nothing is kept, and no order is
   * taken.
   *
   * @param folder is made
   * @param clusters whose decisions are kept
   * @param trouble takes what goes wrong, a line each, from any thread
   * @throws org.calando.core.CalandoException if what they hold is damaged, or cannot be read or
   *     written
   */
  static GovernorNotes open(
      Path folder, List<String> clusters, InstantSource clock, Consumer<String> trouble) {
    Optional<FolderLock> lock = lock(folder);
    if (lock.isEmpty()) {
      trouble.accept(
          folder + " is another governor's: it takes no orders, and its decisions are not kept");
      return none(clock);
    }
    boolean opened = false;
    try {
      OrderBook orders =
          OrderBook.open(Optional.of(folder.resolve("orders.json")), clock, System::nanoTime);
      AuditLog audit = AuditLog.open(folder, orders.applied(), clock);
      ToldDecisions decisions =
          ToldDecisions.open(Optional.of(folder.resolve("decided")), clusters, trouble);
      opened = true;
      return new GovernorNotes(lock, orders, Optional.of(audit), decisions);
    } finally {
      if (!opened) {
        Closing.all(List.of(lock.get()));
      }
    }
  }

  private static Optional<FolderLock> lock(Path folder) {
    try {
      Files.createDirectories(folder);
      return FolderLock.tryLock(folder);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be written (" + AtomicFiles.reason(e) + ")",
          folder.toString(),
          "see that there is room and the right to write",
          e);
    }
  }

  /** What operators have ordered. */
  public OrderBook orders() {
    return orders;
  }

  /** Who ordered it; empty if no orders are taken. */
  public Optional<AuditLog> audit() {
    return audit;
  }

  /** What was decided. */
  public ToldDecisions decisions() {
    return decisions;
  }

  @Override
  public void close() {
    try (decisions) {
      audit.ifPresent(AuditLog::close);
    } finally {
      lock.ifPresent(its -> Closing.all(List.of(its)));
    }
  }
}
