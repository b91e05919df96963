package org.calando.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a node's log: the nodes' own folder goes with the cluster. Stateless. */
public final class LogTail {
  private static final int MAX_LINES = 200;
  private static final int MAX_BYTES = 64 << 10;

  private LogTail() {}

  /**
   * Keeps the end of each node's log, as {@code n1.log}, where there is one. What cannot be kept is
   * left out: the run has failed already, and its message matters more.
   */
  public static void keep(List<Target.Node> nodes, Path folder) {
    for (Target.Node node : nodes) {
      if (node.log().isPresent() && Files.isRegularFile(node.log().get())) {
        try {
          Files.write(folder.resolve(node.name() + ".log"), lines(node.log().get()));
        } catch (IOException e) {
          // As the Javadoc says.
        }
      }
    }
  }

  /** The last lines, at most 200 and 64 KiB; the first one whole only if the file is short. */
  static List<String> lines(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log)) {
      long from = Math.max(0, channel.size() - MAX_BYTES);
      ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
      while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      List<String> all = text.lines().toList();
      return all.subList(Math.max(0, all.size() - MAX_LINES), all.size());
    }
  }
}
