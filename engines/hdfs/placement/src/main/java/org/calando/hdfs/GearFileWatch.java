package org.calando.hdfs;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.calando.core.CalandoException;
import org.calando.core.layout.gear.GearFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gear file when it changes; looks at most every 50 ms. A file that is absent or cannot
 * be read puts nothing in force: what it said before may be wrong by now. Not thread safe.
 */
final class GearFileWatch {
  private static final long INTERVAL_NANOS = 50_000_000L;
  private static final long MAX_BYTES = 1 << 20;

  private final Path file;
  private final LongSupplier nanos;
  private final ObjectMapper json = new ObjectMapper();
  private long lookedAtNanos;
  private boolean hasLooked;
  private @Nullable Stamp stamp;
  private Optional<GearFile> current = Optional.empty();
  private String problem = "the gear file was not read yet";
  private String hash = "";
  private long reads;

  /** What tells that a file is another one. */
  private record Stamp(long modified, long size, @Nullable Object key) {}

  /**
   * Watches a file.
   *
   * @param nanos a clock that only rises
   */
  GearFileWatch(Path file, LongSupplier nanos) {
    this.file = file;
    this.nanos = nanos;
  }

  /** What the file says; empty if it says nothing that can be kept to. */
  Optional<GearFile> current() {
    long now = nanos.getAsLong();
    if (!hasLooked || now - lookedAtNanos >= INTERVAL_NANOS) {
      hasLooked = true;
      lookedAtNanos = now;
      look();
    }
    return current;
  }

  /** Why there is nothing; empty if there is. */
  String problem() {
    return problem;
  }

  String hash() {
    return hash;
  }

  long reads() {
    return reads;
  }

  private void look() {
    try {
      Stamp now = stamp();
      if (!now.equals(stamp)) {
        // Before the content: a change while it is read is seen the next time.
        stamp = now;
        read(now.size());
      }
    } catch (NoSuchFileException e) {
      nothing("there is no file " + file);
    } catch (IOException | RuntimeException e) {
      nothing(file + " cannot be read: " + message(e));
      // It may have been for a moment only.
      stamp = null;
    }
  }

  private static String message(Exception e) {
    String message = e instanceof CalandoException ? e.getMessage() : e.toString();
    return Objects.requireNonNullElse(message, "").lines().findFirst().orElse("");
  }

  private Stamp stamp() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(
        attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
  }

  private void read(long size) throws IOException {
    if (size > MAX_BYTES) {
      throw new IOException(size + " bytes");
    }
    byte[] bytes = Files.readAllBytes(file);
    reads++;
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    hash = String.format("%08x", crc.getValue());
    Object tree = json.readValue(new String(bytes, StandardCharsets.UTF_8), Object.class);
    if (!(tree instanceof Map<?, ?> map)) {
      throw new IOException("it is no JSON object");
    }
    current = Optional.of(GearFile.of(map));
    problem = "";
  }

  private void nothing(String why) {
    current = Optional.empty();
    problem = why;
    if (why.startsWith("there is no")) {
      stamp = null;
    }
  }
}
