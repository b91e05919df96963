package org.calando.engine;

import java.util.Optional;
import org.calando.power.schema.PowerSpec;

/**
 * A cluster that is to be started on this machine. Immutable and thread safe.
 *
 * @param store what it is and how it is used, with {@code local}
 * @param power how its energy is measured
 * @param changesLinks whether links will get another delay while it runs
 * @param layout in place of the file's own; empty to keep that
 */
public record ClusterRequest(
    StoreSpec store, PowerSpec power, boolean changesLinks, Optional<StoreLayout> layout) {
  /** The local cluster, in the layout that is asked for. */
  public LocalSpec local() {
    return store.local().orElseThrow().with(layout.flatMap(StoreLayout::tokens));
  }
}
