package org.calando.engine;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.redis.LocalRedis;
import org.calando.studyfile.LocalSpec;
import org.calando.studyfile.StoreLayout;
import org.calando.studyfile.StoreSpec;
import org.calando.studyfile.StudySpec;

/** A kind of real store that can be studied: where studies need to know one by its name. */
public enum StudiedEngine {
  /** Apache Cassandra. */
  CASSANDRA("Cassandra", "ports, memory and Java") {
    @Override
    public Target start(StudySpec study, LocalSpec local, Optional<StoreLayout> layout) {
      return LocalTarget.start(study, local.with(layout.flatMap(StoreLayout::tokens)));
    }

    @Override
    public void requireStartable(StudySpec study, LocalSpec local) {
      LocalCassandra.check(LocalTarget.config(study, local));
    }

    @Override
    public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
      return new CassandraInventory(store, profile, base);
    }
  },

  /** Redis or Valkey. */
  REDIS("Redis", "program, ports and memory") {
    @Override
    public Target start(StudySpec study, LocalSpec local, Optional<StoreLayout> layout) {
      return RedisLocalTarget.start(study, local);
    }

    @Override
    public void requireStartable(StudySpec study, LocalSpec local) {
      LocalRedis.check(RedisLocalTarget.config(local).build());
    }

    @Override
    public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
      return new RedisInventory(store, profile, base);
    }
  },

  /** HBase on HDFS. */
  HBASE("HBase", "servers, memory and Java") {
    @Override
    public Target start(StudySpec study, LocalSpec local, Optional<StoreLayout> layout) {
      return HBaseLocalTarget.start(study, local);
    }

    @Override
    public void requireStartable(StudySpec study, LocalSpec local) {
      LocalHBase.check(HBaseLocalTarget.config(local).build());
    }

    @Override
    public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
      return new HBaseInventory(store, profile);
    }
  },

  /** HDFS, which is studied on clusters that studies start. */
  HDFS("HDFS", "jars, memory, Java and the placement") {
    @Override
    public Target start(StudySpec study, LocalSpec local, Optional<StoreLayout> layout) {
      return HdfsTarget.start(
          study.power(), local.hdfs().with(layout.flatMap(StoreLayout::blocks)));
    }

    @Override
    public void requireStartable(StudySpec study, LocalSpec local) {
      LocalHdfs.check(HdfsTarget.config(local.hdfs(), Path.of("gears")).build());
    }

    @Override
    public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
      throw new IllegalStateException("no study is on a user's own HDFS");
    }
  };

  private final String title;
  private final String needs;

  StudiedEngine(String title, String needs) {
    this.title = title;
    this.needs = needs;
  }

  /** The kind that a file names, which is not simulated. */
  public static StudiedEngine of(StoreSpec store) {
    return valueOf(store.engine().toUpperCase(Locale.ROOT));
  }

  /** Its name in texts. */
  public String title() {
    return title;
  }

  /** What a cluster on this machine needs, in words. */
  public String needs() {
    return needs;
  }

  /**
   * Starts a cluster on this machine; blocks.
   *
   * @param layout in place of the file's own; empty to keep that
   */
  public abstract Target start(StudySpec study, LocalSpec local, Optional<StoreLayout> layout);

  /**
   * Looks whether it could be started; changes nothing.
   *
   * @throws org.calando.core.CalandoException if not
   */
  public abstract void requireStartable(StudySpec study, LocalSpec local);

  /**
   * A cluster of the user's own; nothing is connected yet.
   *
   * @param store how to use it, with its inventory
   * @param profile power profile of nodes that name none
   * @param base folder that relative paths are relative to
   */
  public abstract InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base);
}
