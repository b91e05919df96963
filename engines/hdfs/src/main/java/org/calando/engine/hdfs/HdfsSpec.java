package org.calando.engine.hdfs;

import java.util.Optional;
import org.calando.engine.EngineSettings;

/**
 * How a user's own HDFS with gears is reached. Immutable and thread safe.
 *
 * @param nameNode its URI, {@code hdfs://HOST:PORT}
 * @param http where the NameNode shows its counters, HOST:PORT
 * @param hostsFile the NameNode's {@code dfs.hosts}, as it is found from here
 * @param gearFile the NameNode's {@code calando.gear.file}, as it is found from here
 * @param user HDFS's superuser; without it this process's user
 */
public record HdfsSpec(
    String nameNode, String http, String hostsFile, String gearFile, Optional<String> user)
    implements EngineSettings {
  @Override
  public String engine() {
    return HdfsEngine.ID;
  }
}
