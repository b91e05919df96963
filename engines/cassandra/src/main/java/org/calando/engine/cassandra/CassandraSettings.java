package org.calando.engine.cassandra;

import java.util.Map;
import java.util.Optional;
import org.calando.engine.EngineSettings;
import org.calando.engine.StoreSpec;

/**
 * What only a Cassandra has. Immutable and thread safe.
 *
 * @param jmx user and password of the nodes' JMX, of a user's own cluster
 * @param nodePerSecond operations that policies of gears take a node to serve in a second
 */
public record CassandraSettings(Optional<StoreSpec.Credentials> jmx, Optional<Double> nodePerSecond)
    implements EngineSettings {
  @Override
  public String engine() {
    return CassandraEngine.ID;
  }

  @Override
  public Map<String, StoreSpec.Credentials> furtherCredentials() {
    return jmx.map(user -> Map.of("JMX password file", user)).orElse(Map.of());
  }
}
