package org.calando.engine.hbase;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.engine.EngineSettings;

/**
 * What only a local HBase has. Immutable and thread safe.
 *
 * @param site settings of all its servers, over Calando's own
 */
public record HBaseLocal(Map<String, Object> site) implements EngineSettings {
  /** Copies the settings. */
  public HBaseLocal {
    site = Collections.unmodifiableMap(new LinkedHashMap<>(site));
  }

  @Override
  public String engine() {
    return HBaseEngine.ID;
  }
}
