package org.calando.clock.thread;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.calando.core.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a process's threads may run. Immutable and thread safe.
 *
 * @param byThread processors by the thread's number
 * @param later processors that threads may get which are born later
 */
public record ThreadCpus(Map<Integer, CpuSet> byThread, List<CpuSet> later) {
  private static final String ITEMS = ";";
  private static final String LATER = "*";

  public ThreadCpus {
    byThread = Collections.unmodifiableMap(new TreeMap<>(byThread));
    later = List.copyOf(later);
  }

  /** Where a thread may run, if that is told. */
  Optional<CpuSet> of(int tid) {
    @Nullable CpuSet cpus = byThread.get(tid);
    return Optional.ofNullable(cpus);
  }

  /** Whether processors are those of some thread, or a part of them: a cpuset may take the rest. */
  boolean covers(CpuSet cpus) {
    List<CpuSet> all = new ArrayList<>(byThread.values());
    all.addAll(later);
    return all.stream().anyMatch(set -> cpus.without(set).isEmpty());
  }

  /** In words that {@link #parse} reads. */
  String text() {
    StringJoiner text = new StringJoiner(ITEMS);
    byThread.forEach((tid, cpus) -> text.add(tid + "=" + cpus));
    later.forEach(cpus -> text.add(LATER + "=" + cpus));
    return text.toString();
  }

  /**
   * Reads the {@link #text}.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ThreadCpus parse(String text) {
    Map<Integer, CpuSet> byThread = new TreeMap<>();
    List<CpuSet> later = new ArrayList<>();
    for (String item : text.split(ITEMS, -1)) {
      int equals = item.indexOf('=');
      if (item.isEmpty()) {
        continue;
      }
      if (equals < 1) {
        throw new IllegalArgumentException("no threads: " + text);
      }
      String thread = item.substring(0, equals);
      CpuSet cpus = CpuSet.parse(item.substring(equals + 1));
      if (thread.equals(LATER)) {
        later.add(cpus);
      } else {
        byThread.put(Integer.valueOf(thread), cpus);
      }
    }
    return new ThreadCpus(byThread, later);
  }
}
