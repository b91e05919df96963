package org.calando.promise;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process is to do; a file in the folder of its books.
 *
 * @param name of the process and of its files
 * @param contacts where the nodes take connections, as {@code address:port}
 * @param keyspace of the table {@code t}
 * @param sessionLevel what the driver's sessions are configured with; empty: the driver's default
 * @param tolerated share of stale reads; NaN: nothing is wrapped
 * @param instances adaptive sessions, which share the rates
 * @param seed of its random numbers
 * @param tasks what it does
 */
record ProbeSpec(
    String name,
    List<String> contacts,
    String keyspace,
    String sessionLevel,
    double tolerated,
    int instances,
    long seed,
    List<Task> tasks) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Copies the lists. */
  ProbeSpec {
    contacts = List.copyOf(contacts);
    tasks = List.copyOf(tasks);
  }

  static ProbeSpec read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), ProbeSpec.class);
  }

  void write(Path folder) throws IOException {
    JSON.writeValue(folder.resolve(name + ".json").toFile(), this);
  }

  /** The table's full name. */
  String table() {
    return keyspace + ".t";
  }

  /** The level that statements without one have. */
  String defaultLevel() {
    return sessionLevel.isEmpty() ? "LOCAL_ONE" : sessionLevel;
  }
}
