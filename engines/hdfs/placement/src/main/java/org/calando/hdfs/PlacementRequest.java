package org.calando.hdfs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.calando.core.layout.gear.GearFile;
import org.jspecify.annotations.Nullable;

/** A question of HDFS's for nodes, and the answer by the gear in force. Not thread safe. */
final class PlacementRequest {
  private final GearState known;
  private final GearFile gears;
  private final Question question;
  private final Nodes nodes;
  private final Map<Integer, DatanodeDescriptor> live = new HashMap<>();
  private final Map<Integer, DatanodeStorageInfo> storages = new HashMap<>();

  /**
   * What is asked for.
   *
   * @param path of the file
   * @param wanted the most nodes
   * @param chosen replicas that are there already
   * @param returnChosen whether these are part of the answer
   * @param excluded nodes that must not be chosen
   * @param bytes of the block at most
   * @param storagePolicy of the file
   */
  record Question(
      String path,
      int wanted,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      @Nullable Set<Node> excluded,
      long bytes,
      BlockStoragePolicy storagePolicy) {}

  /**
   * What there is.
   *
   * @param live nodes; dead ones are not in the topology
   * @param staleMillis how long one may be silent
   * @param blocks how many of the size asked for have to have room
   */
  record Nodes(List<Node> live, long staleMillis, int blocks) {}

  PlacementRequest(GearState known, GearFile gears, Question question, Nodes nodes) {
    this.known = known;
    this.gears = gears;
    this.question = question;
    this.nodes = nodes;
    for (Node leaf : nodes.live()) {
      if (leaf instanceof DatanodeDescriptor node) {
        live.put(known.number(node), node);
      }
    }
  }

  /** The storages; empty if HDFS has to choose by default. */
  Optional<DatanodeStorageInfo[]> answer(boolean hasFlags) {
    if (question.wanted() <= 0) {
      return Optional.of(DatanodeStorageInfo.EMPTY_ARRAY);
    }
    List<Integer> held = held();
    if (question.returnChosen()) {
      List<Integer> more = known.more(held, question.wanted(), this::isUsable, question.bytes());
      return more.isEmpty() ? Optional.empty() : Optional.of(storages(more));
    }
    if (hasFlags && question.chosen().isEmpty()) {
      List<Integer> chosen =
          known.place(
              gears,
              question.path(),
              question.wanted(),
              this::isExcluded,
              this::isUsable,
              question.bytes());
      return chosen.isEmpty() ? Optional.empty() : Optional.of(storages(chosen));
    }
    if (question.chosen().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        storages(
            known.lacking(
                gears,
                question.path(),
                held,
                question.wanted(),
                this::isUsable,
                question.bytes())));
  }

  private List<Integer> held() {
    List<Integer> held = new ArrayList<>();
    for (DatanodeStorageInfo storage : question.chosen()) {
      int node = known.number(storage.getDatanodeDescriptor());
      if (node > 0) {
        held.add(node);
      }
    }
    return held;
  }

  private boolean isExcluded(int node) {
    DatanodeDescriptor descriptor = live.get(node);
    Set<Node> excluded = question.excluded();
    return descriptor != null && excluded != null && excluded.contains(descriptor);
  }

  private boolean isUsable(int node) {
    DatanodeDescriptor descriptor = live.get(node);
    return descriptor != null
        && gears.layout().groups().isOn(node, gears.gear())
        && !isExcluded(node)
        && descriptor.isAlive()
        && descriptor.isInService()
        && !descriptor.isStale(nodes.staleMillis())
        && storage(node, descriptor) != null;
  }

  /** A storage with room, of the kinds that the storage policy prefers, or else allows. */
  private @Nullable DatanodeStorageInfo storage(int node, DatanodeDescriptor descriptor) {
    DatanodeStorageInfo found = storages.get(node);
    if (found == null) {
      found =
          types().stream()
              .distinct()
              .map(type -> descriptor.chooseStorage4Block(type, question.bytes(), nodes.blocks()))
              .filter(storage -> storage != null)
              .findFirst()
              .orElse(null);
      if (found != null) {
        storages.put(node, found);
      }
    }
    return found;
  }

  private List<StorageType> types() {
    List<StorageType> types =
        new ArrayList<>(
            question
                .storagePolicy()
                .chooseStorageTypes((short) (question.chosen().size() + question.wanted())));
    types.addAll(Arrays.asList(question.storagePolicy().getCreationFallbacks()));
    return types;
  }

  private DatanodeStorageInfo[] storages(List<Integer> numbers) {
    List<DatanodeStorageInfo> targets =
        new ArrayList<>(question.returnChosen() ? question.chosen() : List.of());
    for (int node : numbers) {
      DatanodeStorageInfo storage = storages.get(node);
      if (storage != null) {
        targets.add(storage);
      }
    }
    return targets.toArray(DatanodeStorageInfo[]::new);
  }
}
