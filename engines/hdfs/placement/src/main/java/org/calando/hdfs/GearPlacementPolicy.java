package org.calando.hdfs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.TargetChooser;
import org.jspecify.annotations.Nullable;

/*
 * Who asks, told apart by the arguments of chooseTarget:
 *   a new block             no replica chosen, flags given (they may be empty)
 *   a new block once more   the same, and nodes of the last answer are excluded
 *   too few replicas        flags null; chosen are the live replicas
 *   a pipeline lost a node  flags null; the chosen ones are to be returned too
 *   WebHDFS, for a place    flags null, none chosen: nothing is placed, HDFS answers by default
 * Nodes that a client prefers come by another way, and are obeyed: HDFS chooses by default.
 */
/**
 * Places the blocks of a folder by the gear layout in force, which the file named by {@code
 * calando.gear.file} says. Whatever cannot be placed so, and everything while there is no such file
 * or it is broken, is placed by HDFS's default. Thread safe, as HDFS asks of a policy.
 */
public final class GearPlacementPolicy extends BlockPlacementPolicyDefault implements Configurable {
  /** The key of the NameNode's configuration that names the gear file. */
  public static final String FILE_KEY = "calando.gear.file";

  private static final String STALE_KEY = "dfs.namenode.stale.datanode.interval";
  private static final long STALE_MILLIS = 30_000;
  private static final BlockPlacementStatus SATISFIED =
      new BlockPlacementStatus() {
        @Override
        public boolean isPlacementPolicySatisfied() {
          return true;
        }

        @Override
        public String getErrorDescription() {
          return "";
        }

        @Override
        public int getAdditionalReplicasRequired() {
          return 0;
        }
      };

  private @Nullable Configuration conf;
  private @Nullable GearState state;
  private long staleMillis = STALE_MILLIS;

  /** For HDFS, which sets the configuration next. */
  public GearPlacementPolicy() {}

  @Override
  public void setConf(Configuration given) {
    conf = given;
    String file = given.getTrimmed(FILE_KEY, "");
    state = file.isEmpty() ? null : GearState.of(Path.of(file));
    if (state != null) {
      state.listenTo(this::leaves);
    }
    staleMillis = given.getLong(STALE_KEY, STALE_MILLIS);
    if (file.isEmpty()) {
      LOG.warn("calando: {} is not set; HDFS places blocks by default", FILE_KEY);
    }
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int wanted,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      Set<Node> excluded,
      long bytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    GearState known = state;
    if (known != null) {
      try {
        Optional<GearFile> gears = known.current();
        if (gears.isPresent() && path != null && gears.get().covers(path)) {
          PlacementRequest request =
              new PlacementRequest(
                  known,
                  gears.get(),
                  new PlacementRequest.Question(
                      path, wanted, chosen, returnChosen, excluded, bytes, storagePolicy),
                  new PlacementRequest.Nodes(leaves(), staleMillis, getMinBlocksForWrite()));
          Optional<DatanodeStorageInfo[]> targets = request.answer(flags != null);
          if (targets.isPresent()) {
            return targets.get();
          }
          known.fellBack("");
        } else if (gears.isPresent() && flags == null && !returnChosen && !chosen.isEmpty()) {
          if (known.isToWait(gears.get(), chosen.size(), live(known))) {
            return DatanodeStorageInfo.EMPTY_ARRAY;
          }
        }
      } catch (RuntimeException e) {
        known.fellBack(e.toString());
      }
    }
    return super.chooseTarget(
        path, wanted, writer, chosen, returnChosen, excluded, bytes, storagePolicy, flags);
  }

  /** Which nodes of the layout are live, by their numbers. */
  private IntPredicate live(GearState known) {
    Set<Integer> live = new HashSet<>();
    for (Node leaf : leaves()) {
      if (leaf instanceof DatanodeDescriptor node && node.isAlive()) {
        live.add(known.number(node));
      }
    }
    return live::contains;
  }

  /** Nodes in the topology, which dead ones are not; none before HDFS has set it. */
  private List<Node> leaves() {
    return clusterMap == null ? List.of() : clusterMap.getLeaves("");
  }

  @Override
  public BlockPlacementStatus verifyBlockPlacement(DatanodeInfo[] locations, int replicas) {
    // Racks mean nothing to the layout; that it is kept to, catch-up sees to.
    return isInForce() ? SATISFIED : super.verifyBlockPlacement(locations, replicas);
  }

  @Override
  public boolean isMovable(
      Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target) {
    return isInForce() || super.isMovable(locations, source, target);
  }

  private boolean isInForce() {
    GearState known = state;
    return known != null && known.current().isPresent();
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    GearState known = state;
    if (known != null) {
      try {
        Optional<GearFile> gears = known.current();
        if (gears.isPresent()) {
          Optional<List<DatanodeStorageInfo>> deleted =
              toDelete(known, gears.get(), available, candidates, expected, excessTypes, hint);
          if (deleted.isPresent()) {
            return deleted.get();
          }
        }
      } catch (RuntimeException e) {
        known.fellBack(e.toString());
      }
    }
    return super.chooseReplicasToDelete(available, candidates, expected, excessTypes, added, hint);
  }

  /** Empty if some replicas are on nodes that are none of the layout's. */
  private static Optional<List<DatanodeStorageInfo>> toDelete(
      GearState known,
      GearFile gears,
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      @Nullable DatanodeDescriptor hint) {
    List<Integer> held = new ArrayList<>();
    for (DatanodeStorageInfo storage : available) {
      held.add(known.number(storage.getDatanodeDescriptor()));
    }
    Map<Integer, DatanodeStorageInfo> byNode = new HashMap<>();
    for (DatanodeStorageInfo storage : candidates) {
      if (excessTypes.isEmpty() || excessTypes.contains(storage.getStorageType())) {
        byNode.put(known.number(storage.getDatanodeDescriptor()), storage);
      }
    }
    if (held.contains(0) || byNode.containsKey(0)) {
      return Optional.empty();
    }
    List<Integer> nodes =
        TargetChooser.toDelete(
            gears.layout(),
            held,
            byNode.keySet(),
            hint == null ? 0 : known.number(hint),
            available.size() - expected);
    List<DatanodeStorageInfo> deleted = new ArrayList<>();
    for (int node : nodes) {
      DatanodeStorageInfo storage = byNode.get(node);
      if (storage != null) {
        deleted.add(storage);
      }
    }
    return Optional.of(deleted);
  }
}
