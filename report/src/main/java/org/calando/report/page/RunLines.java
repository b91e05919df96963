package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.calando.report.RunRow;

/** Runs for the page's script, as many as fit the page. Not thread safe. */
public abstract class RunLines {
  private static final int MOST_NAMED = 20;

  private final int mostChars;
  private final String elsewhere;
  private final ArrayNode runs = JsonNodeFactory.instance.arrayNode();
  private final List<String> left = new ArrayList<>();
  private int chars;
  private int longest;

  /**
   * None yet.
   *
   * @param mostChars text of all runs together; the first one is never left out
   * @param elsewhere where those are that are left out, in words
   */
  protected RunLines(int mostChars, String elsewhere) {
    this.mostChars = mostChars;
    this.elsewhere = elsewhere;
  }

  protected final void add(RunRow row, ObjectNode run) {
    int length = run.toString().length();
    if (chars + length > mostChars && !runs.isEmpty()) {
      left.add(row.id());
    } else {
      chars += length;
      longest = Math.max(longest, run.path("step").asInt());
      runs.add(run);
    }
  }

  /** Whether there is no run. */
  public final boolean isEmpty() {
    return runs.isEmpty();
  }

  /** An array of the runs. */
  public final String json() {
    return runs.toString();
  }

  /** What was cut to keep the page small, in words; empty if nothing was. */
  public final String cut() {
    List<String> words = new ArrayList<>();
    if (longest > 1) {
      words.add("Long runs are drawn in steps of up to " + longest + " seconds.");
    }
    if (!left.isEmpty()) {
      int all = left.size() + runs.size();
      words.add(left.size() + " of " + all + " runs are left out to keep this page small;");
      words.add(elsewhere + ": " + named(left) + ".");
    }
    return String.join(" ", words);
  }

  /** The first of the runs by name, and how many more there are. */
  private static String named(List<String> runs) {
    int shown = Math.min(MOST_NAMED, runs.size());
    String more = runs.size() > shown ? " and " + (runs.size() - shown) + " more" : "";
    return String.join(", ", runs.subList(0, shown)) + more;
  }
}
