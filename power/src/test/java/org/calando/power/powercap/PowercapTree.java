package org.calando.power.powercap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Energy counters in a folder, as Linux shows them, whose values a test sets. */
public final class PowercapTree {
  private final Path root;

  /** A tree without zones. */
  public PowercapTree(Path root) {
    this.root = root;
  }

  /** Adds a zone. */
  public void zone(String folder, String name, long lapMicrojoules, long microjoules)
      throws IOException {
    Path zone = Files.createDirectories(root.resolve(folder));
    Files.writeString(zone.resolve("name"), name + "\n");
    Files.writeString(zone.resolve("max_energy_range_uj"), lapMicrojoules + "\n");
    set(folder, microjoules);
  }

  /** Sets a counter. */
  public void set(String folder, long microjoules) {
    write(root.resolve(folder).resolve("energy_uj"), microjoules);
  }

  /** Moves a counter on, over its end if need be. */
  public void add(String folder, long microjoules) {
    try {
      Path hidden = root.resolve(folder).resolve("hidden");
      Path file = root.resolve(folder).resolve("energy_uj");
      Path counter = Files.exists(hidden) ? hidden : file;
      long lap =
          Long.parseLong(
              Files.readString(root.resolve(folder).resolve("max_energy_range_uj")).strip());
      write(counter, (Long.parseLong(Files.readString(counter).strip()) + microjoules) % lap);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the counter's file away; it goes on counting. */
  public void hide(String folder) {
    move(root.resolve(folder).resolve("energy_uj"), root.resolve(folder).resolve("hidden"));
  }

  /** Gives it back. */
  public void show(String folder) {
    move(root.resolve(folder).resolve("hidden"), root.resolve(folder).resolve("energy_uj"));
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, long value) {
    try {
      // Whole or not at all, as the kernel shows it: a reader must not find an empty file.
      Path next = file.resolveSibling("next");
      Files.writeString(next, value + "\n");
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
