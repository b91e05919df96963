package org.calando.gears;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearFile;

/** Gear files on disk: read, and replaced as a whole. Stateless. */
public final class GearFiles {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private GearFiles() {}

  /**
   * Reads a gear file.
   *
   * @throws BadRequestException if it is missing, or is none: naming what is wrong
   */
  public static GearFile read(Path file) {
    try {
      return GearFile.of(JSON.readValue(Files.readString(file), Map.class));
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          "is no gear file: " + e.getOriginalMessage(),
          file.toString(),
          "see docs/gears.md for what it holds");
    } catch (BadRequestException e) {
      throw new BadRequestException(
          "is no " + String.valueOf(e.getMessage()).lines().findFirst().orElse("gear file"),
          file.toString(),
          "see docs/gears.md for what it holds");
    } catch (IOException e) {
      throw new BadRequestException(
          "the gear file cannot be read: " + why(e),
          file.toString(),
          "name the file that the NameNode's calando.gear.file names; see docs/gears.md");
    }
  }

  /**
   * Replaces the file, so that a reader sees the old or the new one, whole, also after a crash.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public static void write(GearFile gears, Path file) {
    try {
      ReplacedFile.write(file, JSON.writeValueAsString(gears.toMap()) + "\n");
    } catch (IOException e) {
      throw new FailedWorkException(
          "the gear file cannot be written: " + e.getMessage(),
          file.toString(),
          "check that its folder has room and may be written",
          e);
    }
  }

  /**
   * By which the placement policy tells what it read: CRC32C of the file's bytes, in hexadecimal.
   *
   * @throws FailedWorkException if it cannot be read
   */
  public static String hash(Path file) {
    try {
      CRC32C crc = new CRC32C();
      crc.update(Files.readAllBytes(file));
      return String.format(Locale.ROOT, "%08x", crc.getValue());
    } catch (IOException e) {
      throw new FailedWorkException(
          "the gear file cannot be read: " + why(e), file.toString(), "restore it", e);
    }
  }

  /** Exceptions of files that are missing or closed to us name the file only. */
  private static String why(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such file";
    }
    return e instanceof AccessDeniedException
        ? "no right to read it"
        : String.valueOf(e.getMessage());
  }

  /** Its layout in words. */
  static String describe(GearFile gears) {
    return gears.layout().name() + ", nodes " + gears.layout().groups();
  }
}
