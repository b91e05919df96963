package org.calando.engine;

import org.calando.core.store.KeyValueStore;
import org.calando.gears.HdfsGears;
import org.calando.local.cache.ColdCache;
import org.calando.store.hdfs.HdfsFiles;

/** A cluster with gears that stores files, not keys. */
public interface FileTarget extends Target {
  /** The engine and its version. */
  String engine();

  /** Where clients find it. */
  String uri();

  /** Our own folder in it. */
  HdfsFiles files();

  /** What gears see of it. */
  HdfsGears gears();

  /** What shifts its gear. */
  GearBox box();

  /** Has the kernel forget what it keeps in memory of the nodes' blocks. */
  ColdCache.Outcome dropCache();

  @Override
  default KeyValueStore connect(LoadBounds bounds) {
    throw new IllegalStateException("the cluster stores files, not keys");
  }
}
