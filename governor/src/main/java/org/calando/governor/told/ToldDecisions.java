package org.calando.governor.told;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.calando.control.file.LineFiles;
import org.calando.core.CalandoException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 *   policy's thread --> queue, bounded --> thread: number, on the disk --> kept in memory --> who listens is woken
 *
 * A row has a number once it is on the disk: a number that somebody has seen is never given out again. Each row says the
 * number of its cluster's row before it, so that who asks for what came after a number learns what is not kept any more.
 */
/**
 * The decisions that changed something, of all clusters of a governor, numbered and kept on the
 * disk, some thousands of each cluster. Adding never waits. Thread safe.
 */
public final class ToldDecisions implements AutoCloseable {
  /** So many of each cluster are kept in memory. */
  static final int MOST_KEPT = 4000;

  private static final int MOST_WAITING = 4096;
  private static final int MOST_AT_ONCE = 256;
  private static final long PART_BYTES = 4L << 20;
  private static final String BEFORE = "before";

  private final Optional<Path> folder;
  private final Consumer<String> trouble;
  private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, LineFiles> files = new HashMap<>();
  private final Thread thread;
  private volatile boolean closed;

  // Guarded by this.
  private final Map<String, Deque<Row>> kept = new LinkedHashMap<>();
  private long last;

  private record Waiting(String cluster, Decided decided) {}

  /**
   * A decision of a cluster. Immutable.
   *
   * @param before the number of the cluster's decision before it; 0 if it is the first
   */
  public record Row(String cluster, long before, Decided decided) {}

  /**
   * What came after a number. Immutable.
   *
   * @param missingTo decisions up to this number may be missing; 0 if none are
   * @param rows by their numbers
   */
  public record After(long missingTo, List<Row> rows) {
    /** Copies the list. */
    public After {
      rows = List.copyOf(rows);
    }
  }

  private ToldDecisions(Optional<Path> folder, Consumer<String> trouble) {
    this.folder = folder;
    this.trouble = trouble;
    this.thread = DaemonThread.start("calando-decided", this::write);
  }

  /**
   * Begins with what is kept of clusters.
   *
   * @param folder where they are kept; empty if they are not
   * @param trouble takes what goes wrong, a line each, from another thread
   * @throws org.calando.core.FailedWorkException if that cannot be read or written
   */
  public static ToldDecisions open(
      Optional<Path> folder, List<String> clusters, Consumer<String> trouble) {
    ToldDecisions opened = new ToldDecisions(folder, trouble);
    clusters.forEach(opened::open);
    return opened;
  }

  private synchronized Optional<LineFiles> open(String cluster) {
    if (folder.isEmpty()) {
      return Optional.empty();
    }
    @Nullable LineFiles known = files.get(cluster);
    if (known == null) {
      known = LineFiles.open(folder.get().resolve(cluster + ".jsonl"), PART_BYTES, 2);
      files.put(cluster, known);
      for (ObjectNode line : known.read()) {
        long before = line.path(BEFORE).asLong();
        DecidedText.read(line).ifPresent(read -> keep(new Row(cluster, before, read)));
      }
    }
    return Optional.of(known);
  }

  private void keep(Row row) {
    Deque<Row> rows = kept.computeIfAbsent(row.cluster(), unused -> new ArrayDeque<>());
    rows.addLast(row);
    if (rows.size() > MOST_KEPT) {
      rows.removeFirst();
    }
    last = Math.max(last, row.decided().id());
  }

  /** Takes a decision, which is numbered a moment later; does not wait. */
  public void add(String cluster, Decided decided) {
    if (!waiting.offer(new Waiting(cluster, decided))) {
      dropped.incrementAndGet();
    }
  }

  private void write() {
    List<Waiting> some = new ArrayList<>();
    try {
      while (!closed || !waiting.isEmpty()) {
        some.clear();
        some.add(waiting.take());
        waiting.drainTo(some, MOST_AT_ONCE - 1);
        write(some);
      }
    } catch (InterruptedException e) {
      some.clear();
      waiting.drainTo(some);
      write(some);
    }
  }

  private void write(List<Waiting> some) {
    // Before numbers are given out: one of a cluster that came later may have greater ones.
    some.forEach(each -> openTold(each.cluster()));
    Map<String, List<Row>> rows = numbered(some);
    rows.forEach(this::store);
    // All at once: who has seen a number has seen those before.
    synchronized (this) {
      rows.values().stream().flatMap(List::stream).forEach(this::keep);
    }
    listeners.forEach(Runnable::run);
  }

  private Optional<LineFiles> openTold(String cluster) {
    try {
      return open(cluster);
    } catch (CalandoException e) {
      trouble.accept("decisions are not kept: " + e.getMessage());
      return Optional.empty();
    }
  }

  private synchronized Map<String, List<Row>> numbered(List<Waiting> some) {
    Map<String, List<Row>> rows = new LinkedHashMap<>();
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      trouble.accept(lost + " decisions are not kept: the disk is too slow");
    }
    long next = last + lost;
    for (Waiting each : some) {
      List<Row> own = rows.computeIfAbsent(each.cluster(), unused -> new ArrayList<>());
      long before = own.isEmpty() ? lastOf(each.cluster()) : own.get(own.size() - 1).decided().id();
      // What was lost may have been of any cluster.
      before = lost > 0 && own.isEmpty() ? last + lost : before;
      own.add(new Row(each.cluster(), before, each.decided().withId(++next)));
    }
    return rows;
  }

  private long lastOf(String cluster) {
    Deque<Row> rows = kept.get(cluster);
    return rows == null || rows.isEmpty() ? 0 : rows.getLast().decided().id();
  }

  private void store(String cluster, List<Row> rows) {
    List<ObjectNode> lines =
        rows.stream()
            .map(row -> DecidedText.node(cluster, row.decided()).put(BEFORE, row.before()))
            .toList();
    try {
      open(cluster).ifPresent(file -> file.add(lines));
    } catch (CalandoException e) {
      trouble.accept("decisions are not kept: " + e.getMessage());
    }
  }

  /** Calls a listener after each change, on the writing thread; it is not to block. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }

  /** Ends that. */
  public void forget(Runnable listener) {
    listeners.remove(listener);
  }

  /** The greatest number that was given out; 0 if none was. */
  public synchronized long last() {
    return last;
  }

  /**
   * What came after a number, of all clusters.
   *
   * @param most so many of them, the first
   */
  public synchronized After after(long id, int most) {
    long missing = 0;
    List<Row> rows = new ArrayList<>();
    for (Deque<Row> of : kept.values()) {
      Iterator<Row> newest = of.descendingIterator();
      long before = Long.MAX_VALUE;
      boolean all = false;
      while (!all && newest.hasNext()) {
        Row row = newest.next();
        boolean lost = before != Long.MAX_VALUE && before > Math.max(id, row.decided().id());
        missing = lost ? Math.max(missing, before) : missing;
        all = row.decided().id() <= id;
        if (!all) {
          rows.add(row);
          before = row.before();
        }
      }
      if (!all && before != Long.MAX_VALUE && before > id) {
        missing = Math.max(missing, before);
      }
    }
    rows.sort(Comparator.comparingLong(row -> row.decided().id()));
    return new After(missing, rows.size() > most ? rows.subList(0, most) : rows);
  }

  /**
   * Decisions of a cluster, the newest last.
   *
   * @param after with greater numbers only; below 0 for all
   * @param most so many: the first after a number, the last where that is below 0
   */
  public synchronized List<Decided> of(
      String cluster, long after, Predicate<Decided> wanted, int most) {
    Deque<Row> rows = kept.getOrDefault(cluster, new ArrayDeque<>());
    List<Decided> found =
        rows.stream().map(Row::decided).filter(each -> each.id() > after).filter(wanted).toList();
    int surplus = Math.max(0, found.size() - most);
    return after >= 0
        ? found.subList(0, found.size() - surplus)
        : found.subList(surplus, found.size());
  }

  /** {@inheritDoc} What waits is written before. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      files.values().forEach(LineFiles::close);
    }
  }
}
