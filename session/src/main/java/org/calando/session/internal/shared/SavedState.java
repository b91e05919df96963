package org.calando.session.internal.shared;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.zip.CRC32;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;

/*
 *   calando-session 1 CRC32-OF-THE-REST
 *   table SAVED-MILLIS NAME TOLERATED REPLICATION WRITE-LEVEL REPLICAS SHARE-ABOVE
 *   policy STATE
 *   popularity UNSEEN
 *   keys .., reads .., writes ..       one line each; the three are left out if unknown
 *
 * A table's lines stand together. A file is written aside and renamed, and read as a whole: one that was
 * damaged, or is of another version, tells nothing.
 */
/** What a session knew, for the next one to begin with. Immutable. */
public record SavedState(List<Table> tables) {
  private static final String KIND = "calando-session 1 ";

  /**
   * What was known of one table.
   *
   * @param savedMillis wall clock time
   * @param replication of its keyspace, in a word
   * @param policy the policy's state, as text
   * @param popularity its time is not kept; empty if it was not known
   */
  public record Table(
      long savedMillis,
      String name,
      double tolerated,
      String replication,
      ConsistencyLevel write,
      ReadChoice choice,
      String policy,
      Optional<Popularity> popularity) {
    /** The same, with a popularity of so many bins at most. */
    public Table inBins(int bins) {
      return new Table(
          savedMillis,
          name,
          tolerated,
          replication,
          write,
          choice,
          policy,
          popularity.map(
              each ->
                  new Popularity(each.atNanos(), each.byKey().inBins(bins), each.unseenWrites())));
    }
  }

  /** Writes a file in place of the one there is. */
  void write(Path file) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(aside, text());
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** What {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder();
    tables.forEach(table -> write(table, text));
    return KIND + checksum(text.toString()) + '\n' + text;
  }

  private static void write(Table table, StringBuilder text) {
    text.append(
        "table %d %s %s %s %s %d %s\npolicy %s\n"
            .formatted(
                table.savedMillis(),
                table.name(),
                table.tolerated(),
                table.replication(),
                table.write(),
                table.choice().replicas(),
                table.choice().shareAbove(),
                table.policy()));
    table
        .popularity()
        .ifPresent(
            popularity -> {
              KeyPopularity keys = popularity.byKey();
              text.append("popularity ").append(popularity.unseenWrites()).append('\n');
              StringJoiner ofBin = new StringJoiner(" ", "keys ", "\n");
              StringJoiner reads = new StringJoiner(" ", "reads ", "\n");
              StringJoiner writes = new StringJoiner(" ", "writes ", "\n");
              for (int bin = 0; bin < keys.bins(); bin++) {
                ofBin.add(String.valueOf(keys.keys(bin)));
                reads.add(String.valueOf(keys.reads(bin)));
                writes.add(String.valueOf(keys.writesPerKey(bin)));
              }
              text.append(ofBin).append(reads).append(writes);
            });
  }

  /**
   * Reads a file.
   *
   * @return empty if there is none
   * @throws IllegalArgumentException if it is damaged or of another version
   */
  static Optional<SavedState> read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("it is no text", e);
    }
    return Optional.of(parse(text));
  }

  /**
   * Reads what {@link #text} wrote.
   *
   * @throws IllegalArgumentException if it is damaged or of another version
   */
  public static SavedState parse(String text) {
    int end = text.indexOf('\n') + 1;
    if (end == 0 || !text.substring(0, end).equals(KIND + checksum(text.substring(end)) + '\n')) {
      throw new IllegalArgumentException("the checksum does not fit, or the version is another");
    }
    List<String> lines = text.substring(end).lines().toList();
    List<Table> tables = new ArrayList<>();
    for (int at = 0; at < lines.size(); ) {
      boolean known = at + 2 < lines.size() && lines.get(at + 2).startsWith("popularity ");
      tables.add(table(lines.subList(at, at + (known ? 6 : 2))));
      at += known ? 6 : 2;
    }
    return new SavedState(tables);
  }

  private static Table table(List<String> lines) {
    String[] words = words(lines.get(0));
    Optional<Popularity> popularity = Optional.empty();
    if (lines.size() > 2) {
      popularity =
          Optional.of(
              new Popularity(
                  0,
                  KeyPopularity.ofBins(
                      numbers(lines.get(3)), numbers(lines.get(4)), numbers(lines.get(5))),
                  numbers(lines.get(2))[0]));
    }
    return new Table(
        Long.parseLong(words[0]),
        words[1],
        Double.parseDouble(words[2]),
        words[3],
        ConsistencyLevel.valueOf(words[4]),
        new ReadChoice(Integer.parseInt(words[5]), Double.parseDouble(words[6])),
        String.join(" ", words(lines.get(1))),
        popularity);
  }

  private static String[] words(String line) {
    String[] words = line.split(" ", -1);
    return Arrays.copyOfRange(words, 1, words.length);
  }

  private static double[] numbers(String line) {
    return Arrays.stream(words(line)).mapToDouble(Double::parseDouble).toArray();
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(crc.getValue());
  }
}
