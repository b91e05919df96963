package org.calando.local.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;

/**
 * What {@code state.json} of a run folder says: who owns it and which processes belong to it.
 * Immutable.
 *
 * @param engine the engine's name
 * @param owner the process that started the cluster
 * @param persistent true if the cluster is meant to outlive its owner
 * @param children the cluster's processes
 * @param cluster what the engine needs to find or resume the cluster
 */
public record RunState(
    String engine,
    ProcessIdentity owner,
    boolean persistent,
    List<Child> children,
    ObjectNode cluster) {
  private static final int VERSION = 1;
  private static final String FILE = "state.json";
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * A process of the cluster.
   *
   * @param name for example {@code n1} or {@code relay}
   * @param process its number and start time
   */
  public record Child(String name, ProcessIdentity process) {}

  /** Copies the list. */
  public RunState {
    children = List.copyOf(children);
  }

  /** The state with other children. */
  public RunState withChildren(List<Child> newChildren) {
    return new RunState(engine, owner, persistent, newChildren, cluster);
  }

  /** True if the folder holds a state file. */
  public static boolean existsIn(Path folder) {
    return Files.isRegularFile(folder.resolve(FILE));
  }

  /** Whether a process that the folder records does not run; false if it records none. */
  public static boolean isPoweredDown(Path folder) {
    try {
      return readFrom(folder).children().stream().anyMatch(child -> !child.process().isAlive());
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads a folder's state.
   *
   * @throws IOException if it is absent, not readable, or of another version
   */
  public static RunState readFrom(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    JsonNode root = JSON.readTree(Files.readAllBytes(file));
    if (root.path("version").asInt() != VERSION
        || !(root.path("cluster") instanceof ObjectNode cluster)) {
      throw new IOException(file + " is no state file of version " + VERSION);
    }
    List<Child> children = new ArrayList<>();
    for (JsonNode child : root.path("children")) {
      children.add(new Child(child.path("name").asText(), identity(child)));
    }
    return new RunState(
        root.path("engine").asText(),
        identity(root.path("owner")),
        root.path("persistent").asBoolean(),
        children,
        cluster);
  }

  /** Replaces the folder's state file in one step. */
  void writeInto(Path folder) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION).put("engine", engine).put("persistent", persistent);
    putIdentity(root.putObject("owner"), owner);
    var array = root.putArray("children");
    for (Child child : children) {
      putIdentity(array.addObject().put("name", child.name()), child.process());
    }
    root.set("cluster", cluster);
    Path temporary = folder.resolve(FILE + ".new");
    Files.write(temporary, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
    Files.move(
        temporary,
        folder.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static ProcessIdentity identity(JsonNode node) {
    return new ProcessIdentity(node.path("pid").asLong(), node.path("startTicks").asLong());
  }

  private static void putIdentity(ObjectNode node, ProcessIdentity identity) {
    node.put("pid", identity.pid()).put("startTicks", identity.startTicks());
  }

  /**
   * Refuses a state folder that holds anything.
   *
   * @param engine of the cluster that was to be started there
   * @throws BadRequestException if it holds a cluster or any file, or cannot be read
   */
  public static void requireUnused(Path stateFolder, String engine) {
    requireUnused(stateFolder, engine, "");
  }

  /**
   * The same, with what keeps the data of a cluster that is there.
   *
   * @param keeping a remedy that comes before that which removes the data; may be empty
   */
  public static void requireUnused(Path stateFolder, String engine, String keeping) {
    if (existsIn(stateFolder)) {
      throw new BadRequestException(
          "it holds a local cluster already",
          stateFolder.toString(),
          keeping + "./calando local stop " + engine + " stops that one and removes its data");
    }
    if (Files.exists(stateFolder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(stateFolder)) {
        if (files.iterator().hasNext()) {
          throw new BadRequestException(
              "the state folder is not empty", stateFolder.toString(), "name an empty folder");
        }
      } catch (IOException e) {
        throw new BadRequestException(
            "the state folder cannot be read: " + e, stateFolder.toString(), "name another folder");
      }
    }
  }
}
