package org.calando.knob.compaction;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.store.CompactionLimits;
import org.calando.core.store.CompactionLimits.Login;

/** Nodes in the words of a journal, without any secret. */
record JmxTarget(List<String> nodes, Optional<Login> login) {
  private static final Pattern WORDS =
      Pattern.compile("(\\S+)(?: as (.+?) with ((?:file|env):.+))?");

  static JmxTarget of(CompactionLimits limits) {
    return new JmxTarget(limits.jmx(), limits.login());
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws BadRequestException if it is no such text
   */
  static JmxTarget parse(String text) {
    Matcher words = WORDS.matcher(text);
    if (!words.matches()) {
      throw new BadRequestException(
          "'" + text + "' names no JMX of nodes",
          "knob " + CompactionType.ID.name(),
          "set the throughput by nodetool setcompactionthroughput");
    }
    return new JmxTarget(
        List.of(words.group(1).split(",", -1)),
        Optional.ofNullable(words.group(2)).map(user -> new Login(user, words.group(3))));
  }

  /** How many compactions wait on the node where most do; asks all. */
  int pending() {
    return nodes.stream().mapToInt(node -> new NodeLimit(node, login).pending()).max().orElse(0);
  }

  @Override
  public String toString() {
    return String.join(",", nodes)
        + login.map(who -> " as " + who.user() + " with " + who.password()).orElse("");
  }
}
