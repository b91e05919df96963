package org.calando.store.hdfs.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.store.hdfs.BlockPlaces;
import org.calando.store.hdfs.BlockPlaces.State;

/*
 * Calls name only replicas that can be read. What the NameNode knows of the others, it tells in the
 * report of its file system check alone, which is a text:
 *
 * /calando/x 131072 bytes, replicated: replication=2, 2 block(s):  OK
 * 0. BP-1-127.0.0.1-2:blk_3_4 len=65536 Live_repl=1  [DatanodeInfoWithStorage[127.0.0.1:9866,DS-5,DISK](LIVE), ...]
 */
/** Reads a report of the NameNode's file system check. Used by one thread. */
final class Fsck {
  private static final Pattern FILE =
      Pattern.compile("(/.*) \\d+ bytes, (?:replicated|erasure-coded): .* block\\(s\\).*");

  private static final Pattern BLOCK =
      Pattern.compile("\\d+\\. \\S+:blk_(-?\\d+)_\\d+ len=(\\d+)(.*)");

  private static final Pattern REPLICA =
      Pattern.compile("DatanodeInfoWithStorage\\[([^,\\]]+),[^\\]]*\\]\\(([A-Z_ ]+)\\)");

  private static final String END = "FSCK ended";

  private final Consumer<BlockPlaces> consumer;
  private String path = "";
  private boolean ended;

  /** Tells of each block as it is read. */
  Fsck(Consumer<BlockPlaces> consumer) {
    this.consumer = consumer;
  }

  /** Takes the next line. */
  void line(String line) {
    Matcher block = BLOCK.matcher(line);
    if (block.matches()) {
      consumer.accept(
          new BlockPlaces(
              path,
              Long.parseLong(block.group(1)),
              Long.parseLong(block.group(2)),
              replicas(block.group(3))));
      return;
    }
    Matcher file = FILE.matcher(line);
    if (file.matches()) {
      path = file.group(1);
    }
    ended |= line.startsWith(END);
  }

  /** Whether the report has come to its end. */
  boolean isComplete() {
    return ended;
  }

  private static Map<String, State> replicas(String text) {
    Map<String, State> replicas = new HashMap<>();
    Matcher replica = REPLICA.matcher(text);
    while (replica.find()) {
      replicas.put(replica.group(1), state(replica.group(2)));
    }
    return replicas;
  }

  private static State state(String word) {
    return switch (word) {
      case "LIVE" -> State.LIVE;
      case "IN MAINTENANCE", "ENTERING MAINTENANCE" -> State.MAINTENANCE;
      case "EXCESS" -> State.EXCESS;
      case "CORRUPT" -> State.CORRUPT;
      case "DECOMMISSIONED", "DECOMMISSIONING" -> State.DECOMMISSIONED;
      default -> State.STALE;
    };
  }
}
