package org.calando.clock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** How the kernel's attribute files are read and written. Implementations are thread safe. */
public interface SysfsFiles {
  /**
   * The first line of a file, without blanks around it.
   *
   * @throws IOException if it cannot be read; {@link java.nio.file.NoSuchFileException} if it is
   *     not there
   */
  String read(Path file) throws IOException;

  /**
   * Writes a value, in one write.
   *
   * @throws IOException if the kernel refuses it, or the file cannot be opened; {@link
   *     java.nio.file.NoSuchFileException} if it is not there: it is never made
   */
  void write(Path file, String value) throws IOException;

  /** Whether this process may write a file, as far as can be told without doing so. */
  boolean isWritable(Path file);

  /** This machine's files. */
  static SysfsFiles real() {
    return new Real();
  }

  /** Files as they are. */
  final class Real implements SysfsFiles {
    private Real() {}

    @Override
    public String read(Path file) throws IOException {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      int end = text.indexOf('\n');
      return (end < 0 ? text : text.substring(0, end)).strip();
    }

    /*
     * Opened for writing only, as sysfs refuses to make files. Nothing is cut off before: sysfs does
     * not need it, and in a plain file the end of the line ends the value, so that whoever reads at
     * any time finds either the old value or the new one.
     */
    @Override
    public void write(Path file, String value) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap((value + "\n").getBytes(StandardCharsets.ISO_8859_1));
        channel.write(bytes);
        if (bytes.hasRemaining()) {
          throw new IOException("took a part of the value only");
        }
      }
    }

    @Override
    public boolean isWritable(Path file) {
      return Files.isWritable(file);
    }
  }
}
