package org.calando.knob;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import org.calando.core.policy.KnobId;

/** All kinds of knobs that are there, by their names. Stateless. */
public final class KnobTypes {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final int MOST_NAME = 40;

  /** Knobs that are no services, and are restored from journals by these names. */
  private static final Set<String> OTHERS =
      Set.of(
          KnobId.READ_LEVEL.name(),
          KnobId.TOKENS.name(),
          KnobId.CLOCK.name(),
          KnobId.GEAR.name(),
          KnobId.WRITE_BUFFER.name(),
          "cpufreq",
          "affinity",
          "idle-servers");

  /** Each with its axis; those beside this class, whatever thread asks first. */
  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final List<KnobAxis<?>> ALL =
      checked(
          ServiceLoader.load(KnobType.class, KnobTypes.class.getClassLoader()).stream()
              .<KnobType<?>>map(ServiceLoader.Provider::get)
              .toList());

  private KnobTypes() {}

  /** All of them, in the order of their names. */
  public static List<KnobAxis<?>> all() {
    return ALL;
  }

  /** That of a name; empty if there is none. */
  public static Optional<KnobAxis<?>> find(String name) {
    return ALL.stream().filter(one -> one.axis().name().equals(name)).findFirst();
  }

  /**
   * Kinds with their axes, in the order of their names.
   *
   * @throws IllegalStateException if a name is another's, or none that files and columns can have
   */
  static List<KnobAxis<?>> checked(List<KnobType<?>> types) {
    Set<String> names = new HashSet<>(OTHERS);
    for (KnobType<?> type : types) {
      String name = type.id().name();
      String where = "the knob '" + name + "' of " + type.getClass().getName();
      if (!NAME.matcher(name).matches() || name.length() > MOST_NAME) {
        throw new IllegalStateException(
            where + " needs a name of at most " + MOST_NAME + " a-z, 0-9 and - between them");
      }
      if (!names.add(name)) {
        throw new IllegalStateException(where + " has the name of another knob");
      }
    }
    return types.stream()
        .<KnobAxis<?>>map(KnobAxis::new)
        .sorted(Comparator.comparing((KnobAxis<?> one) -> one.axis().name()))
        .toList();
  }
}
