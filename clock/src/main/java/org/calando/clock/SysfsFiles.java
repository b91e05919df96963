package org.calando.clock;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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
    /** A page, as the kernel's attributes are no longer. */
    private static final int MOST = 4096;

    private static final int USUAL = 128;

    private Real() {}

    /*
     * Half the CPU time of Files.readString, which asks for the size first: all clocks of a machine
     * are looked at each second.
     */
    @Override
    public String read(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        ByteBuffer bytes = ByteBuffer.allocate(USUAL);
        if (channel.read(bytes) == USUAL) {
          bytes = ByteBuffer.allocate(MOST).put(bytes.flip());
          while (bytes.hasRemaining() && channel.read(bytes) > 0) {
            // The rest of a long one.
          }
        }
        return firstLine(new String(bytes.array(), 0, bytes.position(), ISO_8859_1));
      }
    }

    private static String firstLine(String text) {
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
        ByteBuffer bytes = ByteBuffer.wrap((value + "\n").getBytes(ISO_8859_1));
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
