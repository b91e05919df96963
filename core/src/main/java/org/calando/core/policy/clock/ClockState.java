package org.calando.core.policy.clock;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a policy of clocks remembers. Immutable and thread safe.
 *
 * <p>Times are of the loop's clock, and only their differences count: after a gap, or a restart
 * with another clock, waiting begins anew.
 *
 * @param atNanos when it last decided
 * @param nodes what it remembers of each node that it last decided for, by name
 */
public record ClockState(long atNanos, SortedMap<String, NodeState> nodes) {
  /** Nothing decided yet. */
  public static final ClockState INITIAL = new ClockState(0, new TreeMap<>());

  private static final String KIND = "clocks/1";
  private static final Pattern NODE = Pattern.compile("(\\d+)/([01])/(\\d+)/(\\d+)");

  public ClockState {
    nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
  }

  /**
   * A node.
   *
   * @param kHz what was set last, above 0
   * @param guarded whether it was raised because of its lag or its link, and has not been released
   * @param easeKHz the highest of the lower clocks that would have done since {@code easeNanos}; 0
   *     if the last decision wanted none lower
   * @param easeNanos for how long lower clocks have done, 0 or more
   */
  public record NodeState(long kHz, boolean guarded, long easeKHz, long easeNanos) {
    public NodeState {
      if (kHz <= 0 || easeKHz < 0 || easeKHz >= kHz || easeNanos < 0) {
        throw new IllegalArgumentException(
            "state of %d kHz, %d kHz for %d ns".formatted(kHz, easeKHz, easeNanos));
      }
    }

    /** At a clock, and waiting for nothing. */
    static NodeState at(long kHz, boolean guarded) {
      return new NodeState(kHz, guarded, 0, 0);
    }
  }

  /** The state as a line of text. */
  public String write() {
    StringBuilder text = new StringBuilder(KIND).append(" at=").append(atNanos);
    nodes.forEach(
        (name, node) ->
            text.append(' ')
                .append(escaped(name))
                .append('=')
                .append(node.kHz())
                .append(node.guarded() ? "/1/" : "/0/")
                .append(node.easeKHz())
                .append('/')
                .append(node.easeNanos()));
    return text.toString();
  }

  /**
   * The state that {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static ClockState read(String text) {
    String[] words = text.split(" ", -1);
    if (words.length < 2 || !words[0].equals(KIND) || !words[1].startsWith("at=")) {
      throw new IllegalArgumentException("not a state of " + KIND + ": " + text);
    }
    TreeMap<String, NodeState> nodes = new TreeMap<>();
    for (int i = 2; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      Matcher node = NODE.matcher(words[i].substring(equals + 1));
      if (equals < 1 || !node.matches()) {
        throw new IllegalArgumentException("'" + words[i] + "' in the state " + text);
      }
      NodeState read =
          new NodeState(
              Long.parseLong(node.group(1)),
              node.group(2).equals("1"),
              Long.parseLong(node.group(3)),
              Long.parseLong(node.group(4)));
      if (nodes.put(plain(words[i].substring(0, equals)), read) != null) {
        throw new IllegalArgumentException("'" + words[i] + "' twice in the state " + text);
      }
    }
    return new ClockState(Long.parseLong(words[1].substring("at=".length())), nodes);
  }

  /** A name without the characters that part words. */
  private static String escaped(String name) {
    return name.replace("%", "%25").replace(" ", "%20").replace("=", "%3D");
  }

  private static String plain(String escaped) {
    return escaped.replace("%3D", "=").replace("%20", " ").replace("%25", "%");
  }
}
