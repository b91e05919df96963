package org.calando.store.redis.internal;

import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.store.redis.internal.wire.Endpoint;

/** Which node is the master of each slot of a Redis Cluster. Immutable and thread safe. */
final class SlotMap {
  private static final int NOBODY = -1;

  /** Before any node has told. */
  static final SlotMap EMPTY = new SlotMap(filled(), Set.of());

  private final int[] masters;
  private final Set<String> strangers;

  private SlotMap(int[] masters, Set<String> strangers) {
    this.masters = masters;
    this.strangers = Set.copyOf(strangers);
  }

  private static int[] filled() {
    int[] masters = new int[SlotHash.SLOT_COUNT];
    Arrays.fill(masters, NOBODY);
    return masters;
  }

  /**
   * What a node answered to CLUSTER SLOTS: ranges, each with its nodes, the master first.
   *
   * @param asked the host that answered
   * @param indices of the nodes, by {@code host:port}; slots of others are nobody's
   */
  static SlotMap of(List<?> answer, String asked, Map<String, Integer> indices) {
    int[] masters = filled();
    Set<String> strangers = new TreeSet<>();
    for (Object each : answer) {
      if (each instanceof List<?> range
          && range.size() >= 3
          && range.get(0) instanceof Long first
          && range.get(1) instanceof Long last) {
        int begin = (int) Math.max(0, first);
        int end = (int) Math.min(SlotHash.SLOT_COUNT, last + 1);
        String address = Endpoint.of(range.get(2), asked).map(Endpoint::address).orElse("?");
        Optional<Integer> master = Optional.ofNullable(indices.get(address));
        if (master.isEmpty()) {
          strangers.add(address);
        }
        if (begin < end) {
          Arrays.fill(masters, begin, end, master.orElse(NOBODY));
        }
      }
    }
    return new SlotMap(masters, strangers);
  }

  /** Masters that are not among the nodes, as {@code host:port}. */
  Set<String> strangers() {
    return strangers;
  }

  /** The index of the master of a key, or -1. */
  int master(byte[] key) {
    return masters[SlotHash.getSlot(key)];
  }

  /** Whether every slot has a master. */
  boolean isComplete() {
    return Arrays.stream(masters).noneMatch(master -> master == NOBODY);
  }

  /** The masters of any slots, in order of their indices. */
  List<Integer> owners() {
    return Arrays.stream(masters)
        .filter(master -> master >= 0)
        .distinct()
        .sorted()
        .boxed()
        .toList();
  }
}
