package org.calando.session.internal.governed;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.session.internal.GoverningLoops.Group;
import org.calando.session.internal.shared.StateKeeper;

/** Names of files, one for each group of sessions; they tell which group. Stateless. */
final class GroupFiles {
  private static final String ENDING = ".state";
  private static final int WORDS = 4;

  private GroupFiles() {}

  static Path of(Path folder, Group group) {
    // The place last: it alone may have spaces.
    String words =
        "%s %s %s %s".formatted(group.keyspace(), group.local(), group.freshFirst(), group.place());
    return folder.resolve(URLEncoder.encode(words, StandardCharsets.UTF_8) + ENDING);
  }

  /**
   * The groups of which a folder holds a file that tells something of now; none if it is not there.
   * Files that tell nothing any more are removed.
   */
  static List<Group> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .flatMap(
              file ->
                  group(file)
                      .filter(each -> !removedIfOld(file) && StateKeeper.isWorthReading(file))
                      .stream())
          .sorted(Comparator.comparing(Group::toString))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean removedIfOld(Path file) {
    try {
      Instant newest = Files.getLastModifiedTime(file).toInstant().plus(StateKeeper.MAX_AGE);
      return newest.isBefore(Instant.now()) && Files.deleteIfExists(file);
    } catch (IOException e) {
      return false; // it is as if it were not there, or is removed another time
    }
  }

  private static Optional<Group> group(Path file) {
    String name = String.valueOf(file.getFileName());
    if (!name.endsWith(ENDING)) {
      return Optional.empty();
    }
    try {
      String[] words =
          URLDecoder.decode(
                  name.substring(0, name.length() - ENDING.length()), StandardCharsets.UTF_8)
              .split(" ", WORDS);
      return words.length == WORDS
          ? Optional.of(
              new Group(
                  words[0],
                  Boolean.parseBoolean(words[1]),
                  words[3],
                  Boolean.parseBoolean(words[2])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // somebody else's
    }
  }
}
