package org.calando.session.internal.governed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;

/*
 *   calando-session 1 INSTANCE SEQUENCE TOLD local|any PLACE fresh|available
 *   reads BUCKET:COUNT ..                                        how long they took since the session began
 *   table KEYSPACE TABLE WRITE-LEVEL SHARE ..                    up to 64; its lines stand below it
 *   use READS KEYLESS KEYED-WRITES WRITES WRITTEN-BYTES          since the session began
 *   keys HASH ..                                                 up to 512
 *   shadow AGE-NANOS HASH VERDICT PREDICTED                      up to 64
 *   missed AGE-NANOS READS MISSED
 *   reading SHARE REPLICAS SHARE-ABOVE [POLICY-STATE]            what reads that tolerate a share ask now, unless it is the fallback
 *
 * Lines of another kind are skipped, so that later versions may say more.
 */
/** Reports as text. Stateless. */
public final class ReportText {
  /** Tables of a session. */
  static final int MOST_TABLES = 64;

  /** Keys of a table in a report. */
  static final int MOST_KEYS = 512;

  /** Shadow reads of a table in a report. */
  static final int MOST_SHADOWS = 64;

  /** Characters from which on a report says no more of keys and shadow reads. */
  private static final int FULL = 24 << 10;

  /** Keys of all tables that a report has room for. */
  private static final int KEYS_IN_ALL = 1024;

  private static final int MOST_SHARES = 32;
  private static final String KIND = "calando-session 1 ";

  private ReportText() {}

  /**
   * Keys of each table that a session can report in a second, with room for one that is late.
   *
   * @param tables of the report, 1 or more
   */
  static double keysPerSecond(int tables) {
    return 0.5 * Math.min(MOST_KEYS, (double) KEYS_IN_ALL / tables);
  }

  /** What {@link #read} reads. */
  public static String write(SessionReport report) {
    StringBuilder text = new StringBuilder(KIND);
    text.append(
        "%s %d %d %s %s %s\nreads %s\n"
            .formatted(
                report.instance(),
                report.sequence(),
                report.told(),
                report.local() ? "local" : "any",
                Lines.word(report.place()),
                report.freshFirst() ? "fresh" : "available",
                report.reads().text()));
    report.tables().stream().limit(MOST_TABLES).forEach(table -> write(table, text));
    return text.toString();
  }

  private static void write(TableReport table, StringBuilder text) {
    text.append("table ").append(Lines.words(table.table())).append(' ').append(table.write());
    table.shares().stream().limit(MOST_SHARES).forEach(share -> text.append(' ').append(share));
    TableUse use = table.use();
    text.append(
        "\nuse %d %d %d %d %d\nkeys"
            .formatted(
                use.reads(),
                use.keylessReads(),
                use.keyedWrites(),
                use.writes(),
                use.writtenBytes()));
    table.keys().stream()
        .limit(text.length() < FULL ? MOST_KEYS : 0)
        .forEach(key -> text.append(' ').append(Long.toHexString(key)));
    text.append('\n');
    table.shadows().stream()
        .limit(text.length() < FULL ? MOST_SHADOWS : 0)
        .forEach(
            each ->
                text.append(
                    "shadow %d %x %s %s\n"
                        .formatted(-each.atNanos(), each.key(), each.verdict(), each.predicted())));
    table
        .missed()
        .ifPresent(
            each ->
                text.append(
                    "missed %d %d %d\n".formatted(-each.atNanos(), each.reads(), each.missed())));
    table.reading().entrySet().stream()
        .limit(text.length() < FULL ? MOST_SHARES : 1)
        .forEach(each -> write(each.getKey(), each.getValue(), text));
  }

  private static void write(double share, Reading reading, StringBuilder text) {
    String policy = text.length() < FULL ? reading.policy() : "";
    text.append(
        "reading %s %d %s %s"
            .formatted(share, reading.choice().replicas(), reading.choice().shareAbove(), policy)
            .strip());
    text.append('\n');
  }

  /**
   * A report.
   *
   * @throws IllegalArgumentException if the text is none of this version
   */
  public static SessionReport read(String text) {
    List<String> lines = text.lines().toList();
    if (lines.isEmpty() || !lines.get(0).startsWith(KIND)) {
      throw new IllegalArgumentException("it is no report of a session, or of another version");
    }
    try {
      return read(Lines.rest(lines.get(0)), lines);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a line of the report is cut off", e);
    }
  }

  private static SessionReport read(List<String> head, List<String> lines) {
    LatencyCounts reads = LatencyCounts.NONE;
    List<TableReport> tables = new ArrayList<>();
    for (int at = 1; at < lines.size(); at++) {
      String line = lines.get(at);
      if (line.startsWith("reads ")) {
        reads = LatencyCounts.parse(Lines.tail(line));
      } else if (line.startsWith("table ")) {
        int end = at + 1;
        while (end < lines.size() && !lines.get(end).startsWith("table ")) {
          end++;
        }
        tables.add(table(Lines.rest(line), lines.subList(at + 1, end)));
      }
    }
    if (tables.size() > MOST_TABLES) {
      throw new IllegalArgumentException("more than " + MOST_TABLES + " tables");
    }
    return new SessionReport(
        UUID.fromString(head.get(1)),
        Lines.count(head.get(2)),
        Lines.count(head.get(3)),
        head.get(4).equals("local"),
        Lines.name(head.get(5)),
        head.get(6).equals("fresh"),
        tables,
        reads);
  }

  private static TableReport table(List<String> head, List<String> lines) {
    TableName name = Lines.table(head.get(0), head.get(1));
    List<Double> shares = head.stream().skip(3).limit(MOST_SHARES).map(Lines::share).toList();
    TableUse use = TableUse.NONE;
    List<Long> keys = new ArrayList<>();
    List<ShadowSample> shadows = new ArrayList<>();
    Optional<Missed> missed = Optional.empty();
    Map<Double, Reading> reading = new HashMap<>();
    for (String line : lines) {
      List<String> words = Lines.rest(line);
      if (line.startsWith("use ")) {
        use = use(words);
      } else if (line.startsWith("keys ")) {
        words.stream().limit(MOST_KEYS).forEach(word -> keys.add(Long.parseUnsignedLong(word, 16)));
      } else if (line.startsWith("shadow ") && shadows.size() < MOST_SHADOWS) {
        shadows.add(shadow(words));
      } else if (line.startsWith("missed ")) {
        long reads = Lines.amount(words.get(1));
        long lacking = Math.min(reads, Lines.count(words.get(2)));
        missed = Optional.of(new Missed(-Lines.count(words.get(0)), reads, lacking));
      } else if (line.startsWith("reading ") && reading.size() < MOST_SHARES) {
        String policy = String.join(" ", words.subList(3, words.size()));
        reading.put(
            Lines.share(words.get(0)),
            new Reading(Lines.choice(words.get(1), words.get(2)), policy));
      }
    }
    return new TableReport(
        name, ConsistencyLevel.valueOf(head.get(2)), shares, use, keys, shadows, missed, reading);
  }

  private static TableUse use(List<String> words) {
    return new TableUse(
        Lines.amount(words.get(0)),
        Lines.amount(words.get(1)),
        Lines.amount(words.get(2)),
        Lines.amount(words.get(3)),
        Lines.amount(words.get(4)));
  }

  private static ShadowSample shadow(List<String> words) {
    return new ShadowSample(
        -Lines.count(words.get(0)),
        Long.parseUnsignedLong(words.get(1), 16),
        Verdict.valueOf(words.get(2)),
        Lines.share(words.get(3)));
  }
}
