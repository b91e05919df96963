package org.calando.clock.thread;

import java.util.List;
import java.util.Optional;
import org.calando.core.CpuSet;

/**
 * Where threads of a name run. Immutable and thread safe.
 *
 * @param name the thread's name; a {@code *} stands for any letters, such as {@code io_thd_*}
 * @param cpus where it runs; not empty
 */
public record ThreadRule(String name, CpuSet cpus) {
  /** Any thread. */
  public static final String ANY = "*";

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if there is no processor
   */
  public ThreadRule {
    if (cpus.isEmpty()) {
      throw new IllegalArgumentException("threads " + name + " without a processor");
    }
  }

  /** The processors of the first rule that fits; nothing for a thread that is left alone. */
  static Optional<CpuSet> find(List<ThreadRule> rules, String threadName) {
    return rules.stream().filter(rule -> rule.fits(threadName)).map(ThreadRule::cpus).findFirst();
  }

  private boolean fits(String threadName) {
    StringBuilder pattern = new StringBuilder();
    for (String part : name.split("\\*", -1)) {
      pattern.append(pattern.isEmpty() ? "" : ".*").append(java.util.regex.Pattern.quote(part));
    }
    return threadName.matches(pattern.toString());
  }
}
