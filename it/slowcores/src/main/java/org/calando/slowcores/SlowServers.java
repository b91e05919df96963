package org.calando.slowcores;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * A study starts servers by a program that it is told, and knows nothing of slow cores. Each server
 * that can be slowed makes its page in one folder; its working directory tells which node it is, since
 * local clusters give each node a folder of its name. Its arguments would not do: Redis and Valkey
 * write other text over them.
 */
/**
 * Finds servers that others start by {@link SlowCores#slowable}, and places each node's threads on
 * the tree's core of its number: n1 on core 0, n2 on core 1. Thread safe.
 *
 * <p>Servers in folders of other names, such as Sentinels, stay at full speed.
 */
public final class SlowServers implements AutoCloseable {
  private static final Pattern NODE = Pattern.compile("n([1-9]\\d{0,3})");

  /** A page is made in two steps, some microseconds apart, and told after the first. */
  private static final long AGAIN_MILLIS = 5;

  private static final int MOST_TRIES = 200;
  private static final long CLOSE_MILLIS = 5_000;

  private final SlowCores cores;
  private final Consumer<String> told;
  private final Path proc;
  private final WatchService watcher;
  private final Thread thread;
  private final Map<Long, Integer> tries = new TreeMap<>();
  private final Map<Long, String> placed = new TreeMap<>();

  private SlowServers(SlowCores cores, Consumer<String> told, Path proc) throws IOException {
    this.cores = cores;
    this.told = told;
    this.proc = proc;
    watcher = cores.pages().getFileSystem().newWatchService();
    var unused = cores.pages().register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
    thread = DaemonThread.of("slow-servers", this::follow);
  }

  /**
   * Places all servers that start from now on; pages of ended ones are removed.
   *
   * @param told takes a line for each that cannot be placed, on a thread of this object
   * @throws FailedWorkException if the folder of pages cannot be watched
   */
  public static SlowServers follow(SlowCores cores, Consumer<String> told) {
    try {
      SlowServers servers = new SlowServers(cores, told, Path.of("/proc"));
      servers.forgetEnded();
      servers.thread.start();
      return servers;
    } catch (IOException e) {
      throw new FailedWorkException(
          "servers cannot be watched: " + e, cores.pages().toString(), "is inotify there?", e);
    }
  }

  /** The servers placed so far, ended ones included: the name of each one's node by process. */
  public synchronized Map<Long, String> placed() {
    return Map.copyOf(placed);
  }

  /** Ends the watch; servers keep their cores. Idempotent. */
  @Override
  public void close() {
    try {
      watcher.close();
      thread.join(CLOSE_MILLIS);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the watch does not end: " + e, cores.pages().toString(), "try again", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() {
    try {
      boolean again = false;
      while (true) {
        @Nullable WatchKey key =
            again ? watcher.poll(AGAIN_MILLIS, TimeUnit.MILLISECONDS) : watcher.take();
        if (key != null) {
          key.pollEvents().forEach(event -> created(String.valueOf(event.context())));
          key.reset();
        }
        again = placeAll();
      }
    } catch (ClosedWatchServiceException e) {
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void created(String page) {
    if (page.matches("\\d{1,18}")) {
      tries.put(Long.parseLong(page), 0);
    }
  }

  /** Whether some are still to be placed. */
  private synchronized boolean placeAll() {
    for (long pid : new TreeSet<>(tries.keySet())) {
      String name = folderName(pid);
      OptionalInt node = node(name);
      if (node.isEmpty()) {
        tries.remove(pid);
        continue;
      }
      try {
        for (ThreadKind kind : ThreadKind.values()) {
          cores.place(pid, kind, node.getAsInt() - 1);
        }
        placed.put(pid, name);
        tries.remove(pid);
      } catch (CalandoException e) {
        if (tries.merge(pid, 1, Integer::sum) >= MOST_TRIES) {
          tries.remove(pid);
          told.accept("server " + pid + " is at full speed: " + e.getMessage());
        }
      }
    }
    return !tries.isEmpty();
  }

  /** The number of a node by its folder's name; empty if it is no node's. */
  static OptionalInt node(String folder) {
    Matcher node = NODE.matcher(folder);
    return node.matches() ? OptionalInt.of(Integer.parseInt(node.group(1))) : OptionalInt.empty();
  }

  /** The last name of a process's working directory; empty if it has ended. */
  private String folderName(long pid) {
    try {
      Path folder = Files.readSymbolicLink(proc.resolve(pid + "/cwd"));
      return String.valueOf(folder.getFileName());
    } catch (IOException ended) {
      return "";
    }
  }

  private void forgetEnded() throws IOException {
    List<Path> ended = new ArrayList<>();
    try (Stream<Path> pages = Files.list(cores.pages())) {
      pages
          .filter(page -> !Files.exists(proc.resolve(String.valueOf(page.getFileName()))))
          .forEach(ended::add);
    }
    for (Path page : ended) {
      Files.deleteIfExists(page);
    }
  }
}
