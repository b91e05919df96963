package org.calando.session.internal.governed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.SavedState;

/*
 *   calando-governor 1 VERSION VALID-NANOS INSTANCES
 *   trouble TEXT
 *   table KEYSPACE TABLE REPLICATION WRITE-LEVEL KEY-SHARE LEAST-ACK-SECONDS SINCE-RETURN-NANOS      its lines stand below it
 *   level SHARE REPLICAS SHARE-ABOVE PREDICTED ..
 *   decided NUMBER AGE-NANOS                                    which decision the level above is; left out where they have no numbers
 *   because TEXT                                                up to 8, of the level above
 *   lost SHARE TEXT                                             reads that tolerate it are at the fallback, and why
 *   state ..                                                    the lines of a SavedState
 *
 * Lines of another kind are skipped, so that later versions may say more.
 */
/** Answers as text. Stateless. */
public final class AnswerText {
  private static final String KIND = "calando-governor 1 ";
  private static final int MOST_REASONS = 8;
  private static final int LONGEST_REASON = 300;

  private AnswerText() {}

  /** What {@link #read} reads. */
  public static String write(Answer answer) {
    StringBuilder text = new StringBuilder(KIND);
    text.append("%d %d %d\n".formatted(answer.version(), answer.validNanos(), answer.instances()));
    if (!answer.trouble().isEmpty()) {
      text.append("trouble ").append(line(answer.trouble())).append('\n');
    }
    answer.tables().forEach(table -> write(table, text));
    return text.toString();
  }

  private static void write(TableLevel table, StringBuilder text) {
    text.append(
        "table %s %s %s %s %s %d\n"
            .formatted(
                Lines.words(table.table()),
                Lines.word(table.replication()),
                table.write(),
                table.keyShare(),
                table.leastAckSeconds(),
                table.sinceReturnNanos()));
    for (TargetLevel level : table.levels()) {
      text.append(
          "level %s %d %s%s\n"
              .formatted(
                  level.share(),
                  level.choice().replicas(),
                  level.choice().shareAbove(),
                  level.predicted().stream()
                      .map(each -> " " + each)
                      .collect(Collectors.joining())));
      level
          .decided()
          .ifPresent(
              each -> text.append("decided %d %d\n".formatted(each.number(), each.ageNanos())));
      level.reasons().stream()
          .limit(MOST_REASONS)
          .forEach(reason -> text.append("because ").append(line(reason)).append('\n'));
    }
    table
        .lost()
        .forEach(
            (share, why) ->
                text.append("lost %s ".formatted(share)).append(line(why)).append('\n'));
    if (!table.handover().isEmpty()) {
      new SavedState(table.handover())
          .text()
          .lines()
          .forEach(line -> text.append("state ").append(line).append('\n'));
    }
  }

  private static String line(String reason) {
    String line = reason.replaceAll("\\s+", " ");
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) : line;
  }

  /**
   * An answer.
   *
   * @throws IllegalArgumentException if the text is none of this version
   */
  public static Answer read(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.get(0).startsWith(KIND)) {
      throw new IllegalArgumentException("it is no answer of a governor, or of another version");
    }
    try {
      return read(Lines.rest(lines.get(0)), lines);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a line of the answer is cut off", e);
    }
  }

  private static Answer read(List<String> head, List<String> lines) {
    String trouble = "";
    List<TableLevel> tables = new ArrayList<>();
    for (int at = 1; at < lines.size(); at++) {
      String line = lines.get(at);
      if (line.startsWith("trouble ")) {
        trouble = Lines.tail(line);
      } else if (line.startsWith("table ")) {
        int end = at + 1;
        while (end < lines.size() && !lines.get(end).startsWith("table ")) {
          end++;
        }
        tables.add(table(Lines.rest(line), lines.subList(at + 1, end)));
      }
    }
    return new Answer(
        Lines.count(head.get(1)),
        Lines.count(head.get(2)),
        (int) Math.max(1, Math.min(Integer.MAX_VALUE, Lines.count(head.get(3)))),
        trouble,
        tables);
  }

  private static TableLevel table(List<String> head, List<String> lines) {
    List<TargetLevel> levels = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    Map<Double, String> lost = new HashMap<>();
    StringBuilder state = new StringBuilder();
    for (String line : lines) {
      if (line.startsWith("level ")) {
        reasons = new ArrayList<>();
        levels.add(level(Lines.rest(line)));
      } else if (line.startsWith("decided ")) {
        replaceLast(levels, reasons, Optional.of(decided(Lines.rest(line))));
      } else if (line.startsWith("because ")) {
        reasons.add(Lines.tail(line));
        replaceLast(levels, reasons, levels.get(levels.size() - 1).decided());
      } else if (line.startsWith("lost ")) {
        lost.put(Lines.share(Lines.rest(line).get(0)), Lines.tail(Lines.tail(line)));
      } else if (line.startsWith("state ")) {
        state.append(Lines.tail(line)).append('\n');
      }
    }
    return new TableLevel(
        Lines.table(head.get(0), head.get(1)),
        Lines.name(head.get(2)),
        ConsistencyLevel.valueOf(head.get(3)),
        Lines.share(head.get(4)),
        Math.max(0, Double.parseDouble(head.get(5))),
        Long.parseLong(head.get(6)),
        levels,
        lost,
        state.isEmpty() ? List.of() : SavedState.parse(state.toString()).tables());
  }

  private static void replaceLast(
      List<TargetLevel> levels, List<String> reasons, Optional<Numbered> decided) {
    TargetLevel last = levels.remove(levels.size() - 1);
    levels.add(new TargetLevel(last.share(), last.choice(), last.predicted(), reasons, decided));
  }

  private static Numbered decided(List<String> words) {
    return new Numbered(Lines.count(words.get(0)), Lines.count(words.get(1)));
  }

  private static TargetLevel level(List<String> words) {
    return new TargetLevel(
        Lines.share(words.get(0)),
        Lines.choice(words.get(1), words.get(2)),
        words.stream().skip(3).map(Lines::share).toList(),
        List.of(),
        Optional.empty());
  }
}
