package org.calando.session.internal;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;

/** Our levels and the driver's. Stateless. */
final class DriverLevels {
  private static final Map<ConsistencyLevel, DefaultConsistencyLevel> DRIVERS = drivers();

  private DriverLevels() {}

  private static Map<ConsistencyLevel, DefaultConsistencyLevel> drivers() {
    Map<ConsistencyLevel, DefaultConsistencyLevel> levels = new EnumMap<>(ConsistencyLevel.class);
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      levels.put(level, DefaultConsistencyLevel.valueOf(level.name()));
    }
    return levels;
  }

  static DefaultConsistencyLevel of(ConsistencyLevel level) {
    return Objects.requireNonNull(DRIVERS.get(level));
  }

  /** Our level by the driver's name; empty for ANY and the serial ones. */
  static Optional<ConsistencyLevel> parse(String name) {
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      if (level.name().equals(name)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /**
   * The level of a write for what it is sure of: ANY, which may leave the write to a coordinator's
   * hint, is taken for ONE, the weakest that there is for us.
   */
  static ConsistencyLevel ofWrite(com.datastax.oss.driver.api.core.ConsistencyLevel level) {
    return ofWrite(level.name());
  }

  static ConsistencyLevel ofWrite(String name) {
    return parse(name).orElse(ConsistencyLevel.ONE);
  }
}
