package org.calando.store.hdfs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import org.calando.core.CalandoException;
import org.calando.core.observe.ClientRequests;
import org.calando.core.time.DaemonThread;
import org.calando.store.hdfs.internal.Beans;
import org.calando.store.hdfs.internal.HostsFile;
import org.calando.store.hdfs.internal.Reports;

/*
 * A DataNode counts a block that it writes whether a client, the node before it in the pipeline or an order sends it, and
 * has no count of the first alone. So a cluster's writes are the blocks that its NameNode has given out: each once.
 */
/**
 * What clients ask of an HDFS, in blocks, by the servers' own counters, which are up to 10 s old:
 * reads of DataNodes, and what they have written, each replica by itself; writes of the cluster,
 * each block once. Reads that a client makes past the DataNode, of a file on its own machine, are
 * not among them. Thread safe.
 */
public final class HdfsRequests implements ClientRequests {
  /** A life of its own: that of nodes that are off by order. */
  private static final long NONE = 0;

  /** So many nodes are asked at once. */
  private static final int THREADS = 8;

  private final Map<String, String> names;
  private final Optional<HostsFile> hosts;
  private final Beans beans;
  private final ExecutorService threads = DaemonThread.pool("calando-hdfs-requests", THREADS);
  private volatile List<String> problems = List.of();

  private HdfsRequests(HdfsAccess access, Map<String, String> names) {
    this.names = Map.copyOf(names);
    this.hosts = access.hostsFile().map(HostsFile::new);
    this.beans = new Beans(access);
  }

  /**
   * Prepares questions; none is asked yet.
   *
   * @param names of the nodes, by {@code ADDRESS:PORT} where they take blocks
   */
  public static HdfsRequests of(HdfsAccess access, Map<String, String> names) {
    return new HdfsRequests(access, names);
  }

  @Override
  public CompletionStage<Counts> ask() {
    return CompletableFuture.supplyAsync(() -> Reports.pages(beans), threads)
        .thenCompose(this::ask)
        .exceptionally(this::failed);
  }

  private CompletionStage<Counts> ask(Map<String, String> pages) {
    Map<String, CompletableFuture<Optional<Count>>> asked = new HashMap<>();
    pages.forEach(
        (node, page) -> {
          if (names.containsKey(node)) {
            asked.put(
                node, CompletableFuture.supplyAsync(() -> Reports.requests(beans, page), threads));
          }
        });
    CompletableFuture<Optional<Count>> writes =
        CompletableFuture.supplyAsync(() -> Reports.writes(beans), threads);
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture<?>[]::new))
        .thenCombine(writes, (all, whole) -> whole)
        .thenApply(whole -> whole.map(count -> counts(asked, count)).orElseGet(this::uncounted));
  }

  private Counts counts(Map<String, CompletableFuture<Optional<Count>>> asked, Count writes) {
    Map<String, Count> nodes = new HashMap<>();
    asked.forEach((node, count) -> count.join().ifPresent(its -> nodes.put(name(node), its)));
    Set<String> silent = new TreeSet<>(names.keySet());
    silent.removeIf(node -> nodes.containsKey(name(node)));
    Set<String> off = off(silent);
    silent.removeAll(off);
    off.forEach(node -> nodes.put(name(node), new Count(NONE, System.nanoTime(), 0, 0)));
    problems = silent.stream().map(node -> name(node) + " does not answer over HTTP").toList();
    return new Counts(nodes, Optional.of(writes));
  }

  private String name(String node) {
    return Objects.requireNonNull(names.get(node));
  }

  /** Those that are in maintenance; none if the hosts file cannot be read. */
  private Set<String> off(Set<String> silent) {
    try {
      return silent.isEmpty() || hosts.isEmpty() ? Set.of() : hosts.get().maintenance(silent);
    } catch (CalandoException unreadable) {
      return Set.of();
    }
  }

  private Counts uncounted() {
    problems = List.of("no requests: the NameNode shows no AddBlockOps");
    return Counts.UNKNOWN;
  }

  private Counts failed(Throwable failed) {
    Throwable cause = Objects.requireNonNullElse(failed.getCause(), failed);
    problems = List.of("no requests: " + cause.getMessage());
    return Counts.UNKNOWN;
  }

  @Override
  public List<String> problems() {
    return problems;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
