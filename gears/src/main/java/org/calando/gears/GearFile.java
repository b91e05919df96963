package org.calando.gears;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.RabbitLayout;

/**
 * The file that tells the name server's placement policy which nodes there are, how blocks are laid
 * out on them, and in which gear they are. Immutable; {@link #write} replaces the file as a whole.
 *
 * @param version of the format, 1
 * @param layout {@code rabbit} or {@code paraid}
 * @param order of PARAID's blocks: {@code even} over all files, or anew {@code per-file}
 * @param gears nodes that are on in gear 1, 2, ..., ascending
 * @param primaries of RABBIT
 * @param replicas of a block in RABBIT
 * @param nodes transfer addresses, host:port, in order of their numbers
 * @param gear in which the cluster is, from 1
 * @param offload what is chosen for a node that is off: {@code random} or {@code balanced}
 * @param folder whose files are placed so
 * @param log where the policy notes what it had to place elsewhere
 * @param seed of random choices
 */
public record GearFile(
    int version,
    String layout,
    String order,
    List<Integer> gears,
    int primaries,
    int replicas,
    List<String> nodes,
    int gear,
    String offload,
    String folder,
    String log,
    long seed) {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final int VERSION = 1;

  public GearFile {
    gears = List.copyOf(gears);
    nodes = List.copyOf(nodes);
  }

  /**
   * Reads a gear file.
   *
   * @throws BadRequestException if it is missing, or is none: naming what is wrong
   */
  public static GearFile read(Path file) {
    try {
      GearFile read = JSON.readValue(Files.readString(file), GearFile.class);
      read.check(file);
      return read;
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          "is no gear file: " + e.getOriginalMessage(),
          file.toString(),
          "see docs/gears.md for what it holds");
    } catch (IOException e) {
      throw new BadRequestException(
          "the gear file cannot be read: " + e.getMessage(),
          file.toString(),
          "name the file that the NameNode's calando.gear.file names; see docs/gears.md");
    }
  }

  private void check(Path file) {
    if (version != VERSION) {
      throw new BadRequestException(
          "the gear file is of version " + version, file.toString(), "this Calando writes 1");
    }
    GearLayout made = gearLayout();
    if (nodes.size() != made.groups().nodes() || gear < 1 || gear > made.groups().gears()) {
      throw new BadRequestException(
          nodes.size() + " nodes in gear " + gear + " do not fit gears " + gears,
          file.toString(),
          "name as many nodes as the highest gear has, and a gear from 1 to " + gears.size());
    }
  }

  /**
   * The layout that it describes.
   *
   * @throws BadRequestException if there is none such
   */
  public GearLayout gearLayout() {
    GearGroups groups = new GearGroups(gears);
    return switch (layout) {
      case "rabbit" -> RabbitLayout.of(groups, primaries, replicas);
      case "paraid" -> ParaidLayout.of(groups, ParaidLayout.Order.parse(order));
      default ->
          throw new BadRequestException(
              "there is no layout '" + layout + "'", "layout", "use rabbit or paraid");
    };
  }

  /** The same in another gear. */
  public GearFile withGear(int to) {
    return new GearFile(
        version, layout, order, gears, primaries, replicas, nodes, to, offload, folder, log, seed);
  }

  /** The names of the nodes with these numbers, first to last. */
  List<String> names(int first, int last) {
    return nodes.subList(first - 1, last);
  }

  /** Its text, as it is written. */
  public String text() {
    try {
      return JSON.writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By which the placement policy tells which file it read: SHA-256 of its text, in hex. */
  public String hash() {
    return hash(text());
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Replaces the file, so that a reader sees the old or the new one, whole, also after a crash.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public void write(Path file) {
    try {
      ReplacedFile.write(file, text());
    } catch (IOException e) {
      throw new FailedWorkException(
          "the gear file cannot be written: " + e.getMessage(),
          file.toString(),
          "check that its folder has room and may be written",
          e);
    }
  }
}
