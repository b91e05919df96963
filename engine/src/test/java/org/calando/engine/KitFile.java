package org.calando.engine;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException.Problem;
import org.calando.power.schema.PowerSchema;
import org.calando.power.schema.PowerSpec;
import org.calando.schema.Documents;

/**
 * The least that a study's file says of an engine's clusters, from a file of properties in the
 * engine's folder: {@code started}, {@code reached} and {@code simulated} are each what stands in
 * the section store beside its engine. {@code PORT} stands for a port where nobody listens.
 *
 * @param engine the engine
 * @param stores what its file says
 */
record KitFile(Engine engine, Properties stores) {
  static KitFile read(Engine engine, Path file) {
    Properties stores = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      stores.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("what EngineKit needs of " + engine.id(), e);
    }
    return new KitFile(engine, stores);
  }

  boolean has(String kind) {
    return stores.containsKey(kind);
  }

  /**
   * Binds a store.
   *
   * @param port in place of {@code PORT}
   * @param overrides each {@code path=value}
   */
  StoreSpec bind(String kind, int port, String... overrides) {
    String text = stores.getProperty(kind).replace("PORT", Integer.toString(port));
    return Documents.read(
            StoreSchema.TYPE,
            "{engine: %s, %s}".formatted(engine.id(), text),
            "kit",
            Path.of(""),
            List.of(overrides))
        .value();
  }

  /** What is wrong with a store; nothing if it binds. */
  List<Problem> problems(String kind, String... overrides) {
    try {
      StoreSpec unused = bind(kind, 1, overrides);
      return List.of();
    } catch (BadRequestException e) {
      return e.problems();
    }
  }

  /** A cluster to start. */
  ClusterRequest request() {
    return new ClusterRequest(bind("started", 1), power(), false, Optional.empty());
  }

  /** Nothing is said of power. */
  static PowerSpec power() {
    return Documents.read(PowerSchema.TYPE, "{}", "kit", Path.of(""), List.of())
        .value()
        .of(Optional.empty());
  }
}
