package org.calando.studyfile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What only a local HBase has. Immutable and thread safe.
 *
 * @param site settings of all its servers, over Calando's own
 */
public record HBaseLocal(Map<String, Object> site) {
  /** What holds if nothing is written. */
  public static final HBaseLocal DEFAULT = new HBaseLocal(Map.of());

  /** Copies the settings. */
  public HBaseLocal {
    site = Collections.unmodifiableMap(new LinkedHashMap<>(site));
  }
}
