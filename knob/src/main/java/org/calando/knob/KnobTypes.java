package org.calando.knob;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** All kinds of knobs that are there, by their names. Stateless. */
public final class KnobTypes {
  /** Each with its axis. */
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final List<KnobAxis<?>> ALL =
      ServiceLoader.load(KnobType.class).stream()
          .<KnobAxis<?>>map(provider -> new KnobAxis<>((KnobType<?>) provider.get()))
          .sorted(Comparator.comparing((KnobAxis<?> one) -> one.axis().name()))
          .toList();

  private KnobTypes() {}

  /** All of them, in the order of their names. */
  public static List<KnobAxis<?>> all() {
    return ALL;
  }

  /** That of a name; empty if there is none. */
  public static Optional<KnobAxis<?>> find(String name) {
    return ALL.stream().filter(one -> one.axis().name().equals(name)).findFirst();
  }
}
