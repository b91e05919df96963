package org.calando.clock;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Files of which only the reading is real: what would be written is told, and read back from then
 * on. Thread safe.
 */
public final class DryFiles implements SysfsFiles {
  private final SysfsFiles real;
  private final Consumer<String> told;
  private final Map<Path, String> written = new ConcurrentHashMap<>();

  /**
   * A dry run.
   *
   * @param real what is read
   * @param told takes a line for each write
   */
  public DryFiles(SysfsFiles real, Consumer<String> told) {
    this.real = real;
    this.told = told;
  }

  @Override
  public String read(Path file) throws IOException {
    String value = written.get(file);
    return value == null ? real.read(file) : value;
  }

  @Override
  public void write(Path file, String value) throws IOException {
    if (!java.nio.file.Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    written.put(file, value);
    told.accept("would write " + value + " to " + file);
  }

  @Override
  public boolean isWritable(Path file) {
    return true;
  }
}
