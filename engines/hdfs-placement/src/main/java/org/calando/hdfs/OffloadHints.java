package org.calando.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.layout.gear.OffloadRecord;
import org.jspecify.annotations.Nullable;

/**
 * Tells by the off-load log whether a block was written to nodes that are on only. It is needed
 * just after a restart in a low gear, and read then. Not thread safe.
 */
final class OffloadHints {
  private static final long MAX_BYTES = 64 << 20;

  private @Nullable Path read;
  private final Map<String, List<OffloadRecord>> byPath = new HashMap<>();

  /**
   * Whether some block of a file was off-loaded to nodes that are all of these that hold it and
   * others that are on.
   *
   * @param on the first so many nodes are on
   */
  boolean isOffloaded(Optional<String> log, String path, Collection<Integer> held, int on) {
    log.map(Path::of).filter(file -> !file.equals(read)).ifPresent(this::read);
    return byPath.getOrDefault(path, List.of()).stream()
        .map(OffloadRecord::chosen)
        .anyMatch(
            chosen -> chosen.containsAll(held) && chosen.stream().allMatch(node -> node <= on));
  }

  /** Not readString, which fails where bytes are damaged. */
  private static String text(Path log) throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
  }

  private void read(Path log) {
    read = log;
    byPath.clear();
    try {
      if (Files.size(log) <= MAX_BYTES) {
        for (OffloadRecord each : OffloadRecord.read(text(log)).records()) {
          byPath.computeIfAbsent(each.path(), path -> new ArrayList<>()).add(each);
        }
      }
    } catch (IOException e) {
      // No log, no hints: replicas on nodes that are off are waited for.
      byPath.clear();
    }
  }
}
