package org.calando.engine;

import java.nio.file.Path;

/**
 * Servers of the user's own that are governed without a study: a master and its replicas. Immutable
 * and thread safe.
 */
public interface ServerGroup extends EngineSettings {
  /** The servers. */
  InventorySpec servers();

  /**
   * How they are reached; reads passwords.
   *
   * @param base folder that relative paths are relative to
   * @throws org.calando.core.BadRequestException if a password is not there
   */
  RoledServers open(Path base);
}
