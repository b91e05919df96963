package org.calando.store.hdfs.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;

/*
 * An empty file lets every node in. One that names some shuts all others out, and with them their
 * replicas: so no node is ever added to it here.
 */
/** The NameNode's JSON file of hosts, as CombinedHostFileManager reads it. */
public final class HostsFile {
  private static final String NORMAL = "NORMAL";
  private static final String MAINTENANCE = "IN_MAINTENANCE";
  private static final String STATE = "adminState";
  private static final int MOST_TRIES = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;

  /** A file; nothing is read yet. */
  public HostsFile(Path file) {
    this.file = file;
  }

  /** Entries that put a node into maintenance, {@code HOST:PORT}, or {@code HOST} for all ports. */
  public Set<String> maintenance() {
    Set<String> names = new TreeSet<>();
    for (JsonNode entry : read()) {
      if (state(entry).equals(MAINTENANCE)) {
        int port = entry.path("port").asInt();
        names.add(entry.path("hostName").asText() + (port == 0 ? "" : ":" + port));
      }
    }
    return names;
  }

  /**
   * Which of some nodes the file puts into maintenance, by the names given.
   *
   * @param among names {@code HOST:PORT}
   * @throws BadRequestException if the file is missing or does not list one of them
   */
  public Set<String> maintenance(Collection<String> among) {
    ArrayNode entries = read();
    Set<String> names = new TreeSet<>();
    for (String name : among) {
      if (state(entry(entries, name)).equals(MAINTENANCE)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Puts nodes into maintenance and others back in service.
   *
   * @param among names {@code HOST:PORT} of the nodes to decide about
   * @param maintenance those of them to be in maintenance
   * @throws BadRequestException if the file is missing or does not list one of them as it must
   */
  public void set(Collection<String> among, Set<String> maintenance) {
    if (!among.containsAll(maintenance)) {
      throw new BadRequestException(
          "nodes are to be in maintenance that are not among those to decide about",
          String.join(", ", maintenance),
          "");
    }
    for (int tries = 1; !tryToSet(among, maintenance); tries++) {
      if (tries == MOST_TRIES) {
        throw new FailedWorkException(
            "it is being changed by somebody else, again and again",
            file.toString(),
            "wait until that is through, then repeat the command");
      }
    }
  }

  /** Whether nobody else has changed the file meanwhile. */
  private boolean tryToSet(Collection<String> among, Set<String> maintenance) {
    byte[] before = bytes();
    ArrayNode entries = entries(before);
    // By identity: entries change, and two may read the same.
    Set<ObjectNode> chosen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (String name : among) {
      ObjectNode entry = entry(entries, name);
      if (!chosen.add(entry)) {
        throw new BadRequestException(
            "one entry stands for several nodes, " + name + " among them",
            file.toString(),
            "give each node an entry with its port");
      }
      change(entry, maintenance.contains(name));
    }
    return write(entries, before);
  }

  private void change(ObjectNode entry, boolean maintenance) {
    String state = state(entry);
    if (!state.equals(NORMAL) && !state.equals(MAINTENANCE)) {
      throw new BadRequestException(
          entry.path("hostName").asText() + " is " + state,
          file.toString(),
          "leave it out of the gears, or put it back in service");
    }
    entry.put(STATE, maintenance ? MAINTENANCE : NORMAL);
    // One that ends in the midst of the night would have the NameNode copy all of the node's
    // blocks.
    entry.remove("maintenanceExpireTimeInMS");
  }

  private ObjectNode entry(ArrayNode entries, String name) {
    int colon = name.lastIndexOf(':');
    String host = name.substring(0, Math.max(0, colon));
    String port = name.substring(colon + 1);
    List<ObjectNode> anyPort = new ArrayList<>();
    for (JsonNode each : entries) {
      if (each instanceof ObjectNode entry && isHost(entry.path("hostName").asText(), host)) {
        if (entry.path("port").asText("0").equals(port)) {
          return entry;
        }
        if (entry.path("port").asInt() == 0) {
          anyPort.add(entry);
        }
      }
    }
    if (anyPort.isEmpty()) {
      throw new BadRequestException(
          "it does not list " + name,
          file.toString(),
          "list every DataNode there with its port: one that is not listed is shut out as soon as"
              + " another is");
    }
    return anyPort.get(0);
  }

  private static boolean isHost(String listed, String host) {
    if (listed.equals(host)) {
      return true;
    }
    try {
      return InetAddress.getByName(listed).equals(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String state(JsonNode entry) {
    return entry.path(STATE).asText(NORMAL);
  }

  private ArrayNode read() {
    return entries(bytes());
  }

  private byte[] bytes() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw wrong("it cannot be read: " + e);
    }
  }

  private ArrayNode entries(byte[] text) {
    try {
      if (JSON.readTree(text) instanceof ArrayNode entries) {
        return entries;
      }
      throw wrong("it is not a list of hosts");
    } catch (JsonProcessingException e) {
      throw wrong("it is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw wrong("it cannot be read: " + e);
    }
  }

  private BadRequestException wrong(String what) {
    return new BadRequestException(
        what,
        file.toString(),
        "name the JSON file that dfs.hosts of the NameNode says, with all DataNodes in it");
  }

  /**
   * In one step, unless somebody else changed it since it was read, and with the owner and mode
   * that it has: the NameNode's user must read it.
   */
  private boolean write(ArrayNode entries, byte[] before) {
    try {
      Path real = file.toRealPath();
      Path temporary =
          real.resolveSibling(real.getFileName() + ".calando-" + ProcessHandle.current().pid());
      byte[] text = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(entries);
      try (FileChannel out =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer left = ByteBuffer.wrap(text);
        while (left.hasRemaining()) {
          out.write(left);
        }
        keepOwner(real, temporary);
        out.force(true);
      }
      if (!Arrays.equals(before, Files.readAllBytes(real))) {
        Files.delete(temporary);
        return false;
      }
      Files.move(
          temporary, real, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      try (FileChannel folder =
          FileChannel.open(Objects.requireNonNull(real.getParent()), StandardOpenOption.READ)) {
        folder.force(true);
      }
      return true;
    } catch (IOException e) {
      throw new FailedWorkException(
          "it cannot be written: " + e, file.toString(), "make it and its folder writable", e);
    }
  }

  private static void keepOwner(Path from, Path to) throws IOException {
    PosixFileAttributes wanted = Files.readAttributes(from, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
    PosixFileAttributes has = view.readAttributes();
    view.setPermissions(wanted.permissions());
    if (!has.owner().equals(wanted.owner())) {
      view.setOwner(wanted.owner());
    }
    if (!has.group().equals(wanted.group())) {
      view.setGroup(wanted.group());
    }
  }
}
