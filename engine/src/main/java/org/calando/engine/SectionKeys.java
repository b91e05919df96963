package org.calando.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.EngineSchema.Section;
import org.calando.schema.Key;

/** Puts the keys of a mapping in order: those that engines share and those of each. Stateless. */
final class SectionKeys {
  private SectionKeys() {}

  /** All keys of a mapping. */
  static List<Key<?>> of(Section section, Keys... shared) {
    List<Keys> all = new ArrayList<>(List.of(shared));
    Engines.all().forEach(engine -> all.addAll(engine.schema().keys(section)));
    all.sort(Comparator.comparingInt(Keys::place));
    return keys(all);
  }

  /** Those of an engine. */
  static List<Key<?>> own(Engine engine, Section section) {
    return keys(engine.schema().keys(section));
  }

  /** Each once, as several engines may have one. */
  private static List<Key<?>> keys(List<Keys> all) {
    return all.stream().<Key<?>>flatMap(keys -> keys.keys().stream()).distinct().toList();
  }
}
