package org.calando.store.cassandra.internal;

import java.util.List;
import java.util.Optional;
import org.calando.core.store.CompactionLimits;
import org.calando.http.Credentials;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;

/** The nodes' limits of compactions, where a configuration has their JMX endpoints. */
public record JmxLimits(List<String> jmx, Optional<Login> login) implements CompactionLimits {
  public JmxLimits {
    jmx = List.copyOf(jmx);
  }

  /**
   * Those of a cluster; empty without endpoints, or if no other process could read the password.
   */
  public static Optional<CompactionLimits> of(CassandraStoreConfig config) {
    Optional<Credentials> known = config.jmxCredentials();
    if (config.jmxEndpoints().isEmpty()
        || known.filter(each -> each.source().isEmpty()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        new JmxLimits(
            config.jmxEndpoints().stream().map(Endpoint::toString).toList(),
            known.map(each -> new Login(each.user(), each.source()))));
  }
}
