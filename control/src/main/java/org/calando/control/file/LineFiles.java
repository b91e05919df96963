package org.calando.control.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;

/*
 *   NAME, the newest part, is full --> NAME.1 --> NAME.2 ..    the last one is removed
 *
 * What a kill has left of a last line has no end of line, and is ended before the next one: it has no right checksum,
 * and is left out. Not by channels, which an interrupt would close.
 */
/**
 * Lines of JSON on the disk, each with its checksum, which are only added to: the oldest are
 * removed, many at once. Thread safe; of one process.
 */
public final class LineFiles implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final long partBytes;
  private final int parts;
  private FileOutputStream out;
  private long bytes;

  private LineFiles(Path file, long partBytes, int parts) throws IOException {
    this.file = file;
    this.partBytes = partBytes;
    this.parts = parts;
    this.out = new FileOutputStream(file.toFile(), true);
    this.bytes = Files.size(file);
    if (bytes > 0 && !endsALine(file)) {
      out.write('\n');
      bytes++;
    }
  }

  /**
   * Opens them; what is there is added to.
   *
   * @param file of the newest part; its folder is made
   * @param partBytes a part of more bytes is full
   * @param parts 2 or more, of which the oldest is removed when the newest is full
   * @throws FailedWorkException if they cannot be opened
   */
  public static LineFiles open(Path file, long partBytes, int parts) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return new LineFiles(file, partBytes, parts);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static FailedWorkException failed(Path file, IOException e) {
    return new FailedWorkException(
        "cannot be written (" + AtomicFiles.reason(e) + ")",
        file.toString(),
        "see that there is room and the right to write",
        e);
  }

  private static boolean endsALine(Path file) throws IOException {
    byte[] all = Files.readAllBytes(file);
    return all[all.length - 1] == '\n';
  }

  private Path part(int number) {
    return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  /**
   * Adds lines; they are on the disk on return.
   *
   * @param lines objects with a field at least
   * @throws FailedWorkException if that fails; some of them may be there then
   */
  public synchronized void add(List<ObjectNode> lines) {
    try {
      if (bytes >= partBytes) {
        turn();
      }
      StringBuilder text = new StringBuilder();
      lines.forEach(line -> text.append(LineChecksum.add(line.toString())).append('\n'));
      byte[] encoded = text.toString().getBytes(StandardCharsets.UTF_8);
      out.write(encoded);
      out.getFD().sync();
      bytes += encoded.length;
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private void turn() throws IOException {
    out.close();
    Files.deleteIfExists(part(parts - 1));
    for (int number = parts - 2; number >= 0; number--) {
      if (Files.exists(part(number))) {
        Files.move(part(number), part(number + 1), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    out = new FileOutputStream(file.toFile(), true);
    bytes = 0;
  }

  /**
   * What they hold, the oldest first; lines that are not as they were written are left out.
   *
   * @throws FailedWorkException if they cannot be read
   */
  public synchronized List<ObjectNode> read() {
    List<ObjectNode> read = new ArrayList<>();
    try {
      for (int number = parts - 1; number >= 0; number--) {
        if (Files.exists(part(number))) {
          // Not readAllLines, which refuses what a damaged file may hold.
          String text = new String(Files.readAllBytes(part(number)), StandardCharsets.UTF_8);
          text.lines().filter(LineChecksum::isWhole).forEach(line -> take(line, read));
        }
      }
      return read;
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read (" + AtomicFiles.reason(e) + ")",
          file.toString(),
          "see that it may be read",
          e);
    }
  }

  private static void take(String line, List<ObjectNode> into) {
    try {
      if (JSON.readTree(line) instanceof ObjectNode object) {
        object.remove("crc");
        into.add(object);
      }
    } catch (JsonProcessingException e) {
      // It is none of ours, whatever its checksum.
    }
  }

  @Override
  public synchronized void close() {
    try {
      out.close();
    } catch (IOException e) {
      // All of it is on the disk.
    }
  }
}
