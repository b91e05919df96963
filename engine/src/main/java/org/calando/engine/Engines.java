package org.calando.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.EngineSchema.Section;
import org.calando.schema.Key;

/** The engines on the class path, by {@link Engine#place} and id. Immutable and thread safe. */
public final class Engines {
  private static final List<Engine> ALL =
      ServiceLoader.load(Engine.class, Engines.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparingInt(Engine::place).thenComparing(Engine::id))
          .toList();

  private Engines() {}

  /** All of them. */
  public static List<Engine> all() {
    return ALL;
  }

  /**
   * That of an id.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Engine of(String id) {
    return ALL.stream()
        .filter(engine -> engine.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no engine " + id));
  }

  /** Those that support something. */
  public static List<Engine> with(Feature feature) {
    return ALL.stream().filter(engine -> engine.supports(feature)).toList();
  }

  /** Their ids, for messages: {@code hbase and sim}. */
  public static String names(Feature feature) {
    return with(feature).stream().map(Engine::id).collect(Collectors.joining(" and "));
  }

  /**
   * That of an inventory: the one that has a section of its own in it, and of several one that is
   * studied; without a section the first that has inventories.
   */
  public static Engine of(InventorySpec inventory) {
    List<Engine> named =
        ALL.stream()
            .filter(engine -> inventory.settings().stream().anyMatch(each -> each.isOf(engine)))
            .toList();
    Optional<Engine> studied =
        named.stream().filter(engine -> engine.supports(Feature.INVENTORY)).findFirst();
    return studied
        .or(() -> named.stream().findFirst())
        .orElseGet(() -> with(Feature.INVENTORY).get(0));
  }

  /** All keys of a mapping: those that engines share and those of each, in their order. */
  static List<Key<?>> keys(Section section, Keys... shared) {
    List<Keys> all = new ArrayList<>(List.of(shared));
    all().forEach(engine -> all.addAll(engine.schema().keys(section)));
    all.sort(Comparator.comparingInt(Keys::place));
    return keys(all);
  }

  /** Those of an engine. */
  static List<Key<?>> keys(Engine engine, Section section) {
    return keys(engine.schema().keys(section));
  }

  /** Each once, as several engines may have one. */
  private static List<Key<?>> keys(List<Keys> all) {
    return all.stream().<Key<?>>flatMap(keys -> keys.keys().stream()).distinct().toList();
  }
}
