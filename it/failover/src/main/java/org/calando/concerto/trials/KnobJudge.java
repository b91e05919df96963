package org.calando.concerto.trials;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.calando.core.time.DaemonThread;

/**
 * Looks at processors from outside, each few milliseconds: which of two governors has some of them
 * otherwise than before, and whether both do at once. Each governor's file names processors of its
 * own, so what is set is known to be of which. Thread safe.
 */
final class KnobJudge implements AutoCloseable {
  private static final long BETWEEN_NANOS = 3_000_000;
  private static final int MOST = 20;

  private final List<Map<Cpu, String>> before = new ArrayList<>();
  private final List<String> damage = new ArrayList<>();
  private final Thread thread;
  private final long begunNanos = System.nanoTime();
  private volatile boolean closed;
  private boolean both;

  /** A processor of a machine. */
  record Cpu(FakeClocks clocks, int number) {
    long kiloHertz() {
      return clocks.kiloHertz(number);
    }
  }

  /**
   * Begins.
   *
   * @param governors the processors of each
   */
  KnobJudge(List<List<Cpu>> governors) {
    for (List<Cpu> cpus : governors) {
      Map<Cpu, String> settings = new LinkedHashMap<>();
      cpus.forEach(cpu -> settings.put(cpu, cpu.clocks().settings(cpu.number()).orElseThrow()));
      before.add(settings);
    }
    thread = DaemonThread.start("judge", this::run);
  }

  /** Whether this processor is otherwise than before; not while its files are being written. */
  boolean isSet(Cpu cpu) {
    return before.stream()
        .filter(cpus -> cpus.containsKey(cpu))
        .anyMatch(cpus -> isSet(cpu, cpus.getOrDefault(cpu, "")));
  }

  private static boolean isSet(Cpu cpu, String then) {
    return cpu.clocks().settings(cpu.number()).filter(now -> !now.equals(then)).isPresent();
  }

  /** Whether all is as before. */
  boolean isAsBefore() {
    return before.stream()
        .flatMap(cpus -> cpus.entrySet().stream())
        .allMatch(
            each ->
                each.getKey()
                    .clocks()
                    .settings(each.getKey().number())
                    .filter(each.getValue()::equals)
                    .isPresent());
  }

  /** Which processors are not as before. */
  String differences() {
    List<String> words = new ArrayList<>();
    for (Map<Cpu, String> cpus : before) {
      cpus.forEach(
          (cpu, then) -> {
            if (isSet(cpu, then)) {
              words.add(
                  cpu.clocks().root()
                      + " processor "
                      + cpu.number()
                      + ": "
                      + cpu.clocks().settings(cpu.number()).orElse("being written")
                      + ", not "
                      + then);
            }
          });
    }
    return String.join("; ", words);
  }

  /** When two had set something at once. */
  synchronized List<String> damage() {
    return List.copyOf(damage);
  }

  private boolean has(int governor) {
    return before.get(governor).entrySet().stream()
        .anyMatch(each -> isSet(each.getKey(), each.getValue()));
  }

  private void run() {
    while (!closed) {
      // The first again: it may have ended between the two looks.
      look(has(0) && has(1) && has(0));
      LockSupport.parkNanos(BETWEEN_NANOS);
    }
  }

  private synchronized void look(boolean now) {
    if (now && !both && damage.size() < MOST) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
      damage.add("two governors have clocks " + millis + " ms after the begin: " + differences());
    }
    both = now;
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
