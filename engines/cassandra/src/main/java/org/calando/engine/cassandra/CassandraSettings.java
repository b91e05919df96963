package org.calando.engine.cassandra;

import java.util.Map;
import org.calando.engine.EngineSettings;
import org.calando.engine.StoreSpec;

/**
 * What only a user's own Cassandra has. Immutable and thread safe.
 *
 * @param jmx user and password of the nodes' JMX
 */
public record CassandraSettings(StoreSpec.Credentials jmx) implements EngineSettings {
  @Override
  public String engine() {
    return CassandraEngine.ID;
  }

  @Override
  public Map<String, StoreSpec.Credentials> furtherCredentials() {
    return Map.of("JMX password file", jmx);
  }
}
