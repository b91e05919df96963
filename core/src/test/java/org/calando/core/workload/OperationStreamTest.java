package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.store.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperationStreamTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final int OPERATIONS = 100_000;

  private final Operation operation = new Operation();

  static List<String> distributions() {
    return RequestDistribution.names();
  }

  static Set<String> presets() {
    return Presets.names();
  }

  @ParameterizedTest
  @MethodSource("distributions")
  void aStreamIsReproducible(String distribution) {
    Workload workload = everything(distribution);
    assertThat(operations(workload, SEED, 3)).isEqualTo(operations(workload, SEED, 3));
  }

  @ParameterizedTest
  @MethodSource("distributions")
  void streamsOfASeedDiffer(String distribution) {
    Workload workload = everything(distribution);
    List<String> first = operations(workload, SEED, 0);
    assertThat(first).isNotEqualTo(operations(workload, SEED, 1));
    assertThat(first).isNotEqualTo(operations(workload, SEED + 1, 0));
  }

  @ParameterizedTest
  @MethodSource("presets")
  void kindsOccurInTheSharesOfTheMix(String preset) {
    Workload workload = Presets.byName(preset).orElseThrow().build();
    OperationStream stream = stream(workload);
    Map<OperationKind, Integer> counts = new EnumMap<>(OperationKind.class);
    for (int i = 0; i < OPERATIONS; i++) {
      next(stream);
      counts.merge(operation.kind, 1, Integer::sum);
    }
    for (OperationKind kind : OperationKind.values()) {
      double share = workload.mix().share(kind);
      double deviation = Math.sqrt(share * (1 - share) / OPERATIONS);
      assertThat(counts.getOrDefault(kind, 0) / (double) OPERATIONS)
          .as("share of %s with seed %d", kind, SEED)
          .isCloseTo(share, within(6 * deviation));
    }
  }

  @ParameterizedTest
  @MethodSource("distributions")
  void keysExistAndInsertsAreNew(String distribution) {
    Workload workload = everything(distribution);
    InsertSequence inserts = InsertSequence.of(workload);
    OperationStream stream = new OperationStream(workload, inserts, SEED, 0);
    for (int i = 0; i < 10_000; i++) {
      long last = inserts.lastAcknowledged();
      stream.next(operation);
      if (operation.kind == OperationKind.INSERT) {
        assertThat(operation.key).isEqualTo(last + 1);
        inserts.acknowledge(operation.key);
      } else {
        assertThat(operation.key).as("seed %d", SEED).isBetween(0L, last);
      }
    }
    assertThat(inserts.lastAcknowledged()).isGreaterThan(workload.records());
  }

  @Test
  void scanLengthsKeepToTheirBoundsAndReachThem() {
    for (Lengths lengths : List.of(Lengths.uniform(3, 12), Lengths.zipfian(3, 12))) {
      Workload workload =
          Workload.builder().mix(new Mix(0, 0, 0, 1, 0)).scanLengths(lengths).build();
      OperationStream stream = stream(workload);
      int[] counts = new int[16];
      for (int i = 0; i < OPERATIONS; i++) {
        next(stream);
        counts[operation.scanLength]++;
        assertThat(operation.valueBytes).isZero();
      }
      for (int length = 0; length < counts.length; length++) {
        assertThat(counts[length] > 0)
            .as("length %d", length)
            .isEqualTo(length >= 3 && length <= 12);
      }
      boolean zipfian = lengths.shape() == Lengths.Shape.ZIPFIAN;
      assertThat(counts[3] > 2 * counts[12]).isEqualTo(zipfian);
    }
  }

  @Test
  void fieldLengthsKeepToTheirBoundsAndReachThem() {
    for (Lengths lengths :
        List.of(Lengths.constant(50), Lengths.uniform(20, 29), Lengths.zipfian(20, 29))) {
      Workload workload =
          Workload.builder().mix(Mix.readUpdate(0, 1)).fieldLengths(lengths).build();
      OperationStream stream = stream(workload);
      Set<Integer> seen = new HashSet<>();
      for (int i = 0; i < OPERATIONS; i++) {
        next(stream);
        seen.add(operation.valueBytes);
      }
      assertThat(seen).hasSize(lengths.max() - lengths.min() + 1);
      assertThat(seen).allMatch(length -> length >= lengths.min() && length <= lengths.max());
    }
  }

  @Test
  void readsTakeAllFieldsAndUpdatesOneByDefault() {
    OperationStream stream = stream(everything("uniform"));
    Set<Integer> written = new HashSet<>();
    for (int i = 0; i < OPERATIONS; i++) {
      next(stream);
      switch (operation.kind) {
        case READ, SCAN -> {
          assertThat(operation.field).isEqualTo(Session.ALL_FIELDS);
          assertThat(operation.valueBytes).isZero();
        }
        case UPDATE -> {
          assertThat(operation.field).isEqualTo(operation.writeField);
          assertThat(operation.valueBytes).isEqualTo(100);
          written.add(operation.field);
        }
        case INSERT -> {
          assertThat(operation.field).isEqualTo(Session.ALL_FIELDS);
          assertThat(operation.writeField).isEqualTo(Session.ALL_FIELDS);
          assertThat(operation.valueBytes).isEqualTo(100);
        }
        case READ_MODIFY_WRITE -> {
          assertThat(operation.field).isEqualTo(Session.ALL_FIELDS);
          assertThat(operation.writeField).isBetween(0, 9);
          assertThat(operation.valueBytes).isEqualTo(100);
        }
      }
    }
    assertThat(written).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void readsCanTakeOneFieldAndUpdatesAll() {
    Workload workload =
        everything("uniform").toBuilder().readAllFields(false).writeAllFields(true).build();
    OperationStream stream = stream(workload);
    Set<Integer> read = new HashSet<>();
    for (int i = 0; i < OPERATIONS; i++) {
      next(stream);
      switch (operation.kind) {
        case READ, SCAN -> read.add(operation.field);
        case UPDATE -> assertThat(operation.field).isEqualTo(Session.ALL_FIELDS);
        case INSERT -> assertThat(operation.field).isEqualTo(Session.ALL_FIELDS);
        case READ_MODIFY_WRITE -> {
          assertThat(operation.field).isBetween(0, 9);
          assertThat(operation.writeField).isEqualTo(Session.ALL_FIELDS);
        }
      }
    }
    assertThat(read).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @ParameterizedTest
  @MethodSource("distributions")
  void anOperationAllocatesNothing(String distribution) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Workload workload = everything(distribution);
    InsertSequence inserts = InsertSequence.of(workload);
    OperationStream stream = new OperationStream(workload, inserts, SEED, 0);
    // The first operations link lambdas and load classes.
    run(stream, inserts, 1000);
    long before = threads.getCurrentThreadAllocatedBytes();
    run(stream, inserts, OPERATIONS);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated / (double) OPERATIONS).as("bytes per operation").isLessThan(0.1);
  }

  @Test
  void anImpossibleWorkloadIsRefused() {
    Workload workload = Workload.builder().records(0).build();
    assertThatThrownBy(() -> new OperationStream(workload, new InsertSequence(0), SEED, 0))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("records: 0");
  }

  private void run(OperationStream stream, InsertSequence inserts, int operations) {
    for (int i = 0; i < operations; i++) {
      stream.next(operation);
      if (operation.kind == OperationKind.INSERT) {
        inserts.acknowledge(operation.key);
      }
    }
  }

  private static Workload everything(String distribution) {
    return Workload.builder()
        .records(1000)
        .operationCount(10_000)
        .mix(new Mix(0.2, 0.2, 0.2, 0.2, 0.2))
        .requests(RequestDistribution.byName(distribution).orElseThrow())
        .build();
  }

  private static OperationStream stream(Workload workload) {
    return new OperationStream(workload, new InsertSequence(workload.records()), SEED, 0);
  }

  private void next(OperationStream stream) {
    stream.next(operation);
  }

  private static List<String> operations(Workload workload, long seed, int number) {
    InsertSequence inserts = InsertSequence.of(workload);
    OperationStream stream = new OperationStream(workload, inserts, seed, number);
    Operation operation = new Operation();
    List<String> operations = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      stream.next(operation);
      if (operation.kind == OperationKind.INSERT) {
        inserts.acknowledge(operation.key);
      }
      operations.add(
          "%s %d %d %d %d %d"
              .formatted(
                  operation.kind,
                  operation.key,
                  operation.field,
                  operation.writeField,
                  operation.valueBytes,
                  operation.scanLength));
    }
    return operations;
  }
}
