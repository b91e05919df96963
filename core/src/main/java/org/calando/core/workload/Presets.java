package org.calando.core.workload;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Workloads that have a name: YCSB's core workloads and those of the papers.
 *
 * <p>A preset fixes mix, request distribution, record layout and scan lengths. The record count is
 * YCSB's 1000 everywhere and the operation count open: they are a question of the cluster, and the
 * papers' (2 million records of 1 KB in Li's thesis) fit few. Immutable and thread safe.
 */
public final class Presets {
  /** The request distribution of YCSB's own workload files. */
  private static final RequestDistribution SCRAMBLED =
      new RequestDistribution.ScrambledZipfian(RequestDistribution.YCSB_ZIPFIAN_CONSTANT);

  private static final RequestDistribution LATEST = new RequestDistribution.Latest();
  private static final RequestDistribution UNIFORM = new RequestDistribution.Uniform();

  private static final int KILOBYTE = 1024;

  private static final Map<String, Preset> PRESETS = new LinkedHashMap<>();
  private static final Map<String, Preset> ALIASES = new LinkedHashMap<>();

  private record Preset(String source, UnaryOperator<Workload.Builder> settings) {}

  static {
    ycsb();
    li();
    garciaRecuero();
    memtier();
  }

  private Presets() {}

  /**
   * The workload of a name or alias, as a builder to adjust.
   *
   * @return empty if there is no such preset
   */
  public static Optional<Workload.Builder> byName(String name) {
    return find(name).map(preset -> preset.settings.apply(Workload.builder()));
  }

  /** Where a preset comes from and what it is, in a sentence; empty if there is no such preset. */
  public static Optional<String> source(String name) {
    return find(name).map(Preset::source);
  }

  /** The names, without aliases, in the order in which to list them. */
  public static Set<String> names() {
    return new LinkedHashSet<>(PRESETS.keySet());
  }

  /** Other names that {@link #byName} knows. */
  public static Set<String> aliases() {
    return new LinkedHashSet<>(ALIASES.keySet());
  }

  private static Optional<Preset> find(String name) {
    Preset preset = PRESETS.get(name);
    return Optional.ofNullable(preset != null ? preset : ALIASES.get(name));
  }

  // Cooper et al., "Benchmarking cloud serving systems with YCSB", SoCC 2010, and YCSB's files
  // workloads/workloada .. workloadf. Harmony (Chihoub et al., CLUSTER 2012) ran workload A.
  private static void ycsb() {
    add(
        "ycsb-a",
        "YCSB core workload A, update heavy: 50% reads, 50% updates, scrambled zipfian",
        readUpdate(0.5, 0.5, SCRAMBLED),
        "workloada",
        "harmony");
    add(
        "ycsb-b",
        "YCSB core workload B, read mostly: 95% reads, 5% updates, scrambled zipfian",
        readUpdate(0.95, 0.05, SCRAMBLED),
        "workloadb");
    add(
        "ycsb-c",
        "YCSB core workload C, read only: 100% reads, scrambled zipfian",
        readUpdate(1, 0, SCRAMBLED),
        "workloadc");
    add(
        "ycsb-d",
        "YCSB core workload D, read latest: 95% reads, 5% inserts, latest",
        workload -> workload.mix(new Mix(0.95, 0, 0.05, 0, 0)).requests(LATEST),
        "workloadd");
    add(
        "ycsb-e",
        "YCSB core workload E, short ranges: 95% scans of 1 to 100 records, 5% inserts, scrambled"
            + " zipfian",
        workload ->
            workload
                .mix(new Mix(0, 0, 0.05, 0.95, 0))
                .requests(SCRAMBLED)
                .scanLengths(Lengths.uniform(1, 100)),
        "workloade");
    add(
        "ycsb-f",
        "YCSB core workload F: 50% reads, 50% read-modify-writes, scrambled zipfian",
        workload -> workload.mix(new Mix(0.5, 0, 0, 0, 0.5)).requests(SCRAMBLED),
        "workloadf");
  }

  // Li's thesis (2013, section 3.3) gives YCSB 0.1.4 with read/update ratios of 20/80, 60/40 and
  // 80/20 on records of 1 KB, and no request distribution. YCSB does not run without a workload
  // file, and all of its files of reads and updates (A, B, C) say zipfian; "heavy update" is the
  // name of file A. So we take these to be those files with another ratio, hence scrambled zipfian,
  // and not the uniform distribution that YCSB falls back to where a file says nothing.
  private static void li() {
    add(
        "heavy-update",
        "Li 2013, heavy update: 20% reads, 80% updates, 1 KB records, scrambled zipfian (YCSB's"
            + " files; the thesis names no distribution)",
        readUpdate(0.2, 0.8, SCRAMBLED),
        "li-heavy-update");
    add(
        "moderate",
        "Li 2013, moderate read and update: 60% reads, 40% updates, 1 KB records, scrambled zipfian"
            + " (YCSB's files; the thesis names no distribution)",
        readUpdate(0.6, 0.4, SCRAMBLED),
        "li-moderate");
    add(
        "heavy-read",
        "Li 2013, heavy read: 80% reads, 20% updates, 1 KB records, scrambled zipfian (YCSB's"
            + " files; the thesis names no distribution)",
        readUpdate(0.8, 0.2, SCRAMBLED),
        "li-heavy-read");
  }

  // Garcia-Recuero 2014, section 2.1: shares of writes of 80%, 20% and 50%, and a uniform choice of
  // items. The paper gives no record size: YCSB's 1 KB. HBase does not tell updates from inserts;
  // the writes are updates here, so that the table keeps its size.
  private static void garciaRecuero() {
    add(
        "gr-write-heavy",
        "Garcia-Recuero 2014, write intensive: 20% reads, 80% updates, 1 KB records, uniform",
        readUpdate(0.2, 0.8, UNIFORM),
        "garcia-recuero-write-heavy");
    add(
        "gr-read-heavy",
        "Garcia-Recuero 2014, read intensive: 80% reads, 20% updates, 1 KB records, uniform",
        readUpdate(0.8, 0.2, UNIFORM),
        "garcia-recuero-read-heavy");
    add(
        "gr-balanced",
        "Garcia-Recuero 2014, balanced: 50% reads, 50% updates, 1 KB records, uniform",
        readUpdate(0.5, 0.5, UNIFORM),
        "garcia-recuero-balanced");
  }

  // Lee and Lee 2021, section 5.1: memtier_benchmark's SET and GET, keys of 16 B, values of 256 B
  // to
  // 2 KB, of 1 KB in figure 3; its keys are uniform unless told otherwise. A table of one field is
  // plain values on Redis, which carry 8 bytes of version; the short name of the table makes keys
  // of
  // 16 B of six-digit ids in the default key space.
  private static void memtier() {
    add(
        "memtier-set",
        "Lee and Lee 2021, memtier's SET: 100% updates of plain values of 1 KB with their version,"
            + " uniform",
        memtier(0, 1));
    add(
        "memtier-get",
        "Lee and Lee 2021, memtier's GET: 100% reads of plain values of 1 KB with their version,"
            + " uniform",
        memtier(1, 0));
  }

  private static UnaryOperator<Workload.Builder> memtier(double read, double update) {
    return workload ->
        workload
            .mix(Mix.readUpdate(read, update))
            .requests(UNIFORM)
            .table("m")
            .fields(1)
            .fieldLengths(Lengths.constant(KILOBYTE - Long.BYTES));
  }

  private static UnaryOperator<Workload.Builder> readUpdate(
      double read, double update, RequestDistribution requests) {
    return workload -> workload.mix(Mix.readUpdate(read, update)).requests(requests);
  }

  private static void add(
      String name, String source, UnaryOperator<Workload.Builder> settings, String... aliases) {
    Preset preset = new Preset(source, settings);
    PRESETS.put(name, preset);
    for (String alias : List.of(aliases)) {
      ALIASES.put(alias, preset);
    }
  }
}
