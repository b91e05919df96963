package org.calando.cli.predict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.cli.layout.RingArguments;
import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.WarmShare;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Presets;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.engine.LayoutType;
import org.calando.predict.Scenario;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.profile.FittedRange;

/** Reads the arguments of {@code predict energy} and tells all that is wrong with them at once. */
final class EnergyArguments extends TextArguments {
  private static final TextOptions OPTIONS = new TextOptions();

  static final String LEVEL =
      OPTIONS.add("--level=LEVEL", "Level of reads and writes: QUORUM, or ONE/QUORUM for each.");
  static final String MIX = OPTIONS.add("--mix=MIX", "Operations in percent: read:50,update:50.");
  static final String PRESET =
      OPTIONS.add("--preset=NAME", "A workload of docs/reference.md, in place of --mix: ycsb-a.");
  static final String THREADS = OPTIONS.add("--threads=N", "Closed loop of so many threads.");
  static final String RATE = OPTIONS.add("--rate=RATE", "Open loop, Poisson arrivals: 400/s.");
  static final String NODES =
      OPTIONS.add("--nodes=N", "Nodes. This and what follows are as in the profile unless given.");
  static final String RACKS = OPTIONS.add("--racks=N", "Racks.");
  static final String RF = OPTIONS.add("--rf=N", "Replicas of each key.");
  static final String LAYOUT =
      OPTIONS.add(
          "--layout=LAYOUT",
          "Token layout: even, half, third, two-thirds, or a share of warm nodes.");
  static final String DELAY =
      OPTIONS.add(
          "--link-delay=TIME",
          "Delay between nodes, one way, beyond the fitted one of the links: 5ms.");
  static final String CORES = OPTIONS.add("--cores=N", "Cores of each machine.");
  static final String MACHINES =
      OPTIONS.add(
          "--machines=KIND",
          "shared: nodes and clients on one machine; own: each node on its own.");
  static final String RECORDS = OPTIONS.add("--records=N", "Rows of the table.");
  static final String POPULARITY =
      OPTIONS.add("--popularity=HOW", "How requests spread over them: uniform or zipf:0.99.");
  static final String IDLE = OPTIONS.add("--idle=W", "Watts of an idle node.");
  static final String BUSY = OPTIONS.add("--busy=W", "Watts of a busy node.");
  static final String OFF = OPTIONS.add("--off=W", "Watts of a node off.");
  static final String BOOT = OPTIONS.add("--boot=J", "Joules of a boot.");

  private static final String UNIFORM = "uniform";
  private static final String ZIPF = "zipf:";
  private static final long MOST_DELAY_NANOS = 10_000_000_000L;
  private static final ScalarType<Integer> COUNT = Types.integer(1, 1000);
  private static final ScalarType<Integer> THREAD_COUNT = Types.integer(1, 1000);
  private static final ScalarType<Long> RECORD_COUNT = Types.longInteger(1, 10_000_000);
  private static final ScalarType<Double> WATTS = Types.number(0, 100_000);
  private static final ScalarType<Double> JOULES = Types.number(0, 1e9);
  private static final ScalarType<Double> THETA = Types.number(0.0001, 0.9999);
  private static final ScalarType<Double> PERCENT = Types.number(0, 100);
  private static final ScalarType<Long> DURATION = Types.duration(0, MOST_DELAY_NANOS);
  private static final ScalarType<ConsistencyLevel> LEVELS = Types.choice("a level", levels());
  private static final ScalarType<Boolean> SHARED =
      Types.choice("a kind of machines", Map.of("shared", true, "own", false));

  EnergyArguments() {
    super(OPTIONS);
  }

  private static Map<String, ConsistencyLevel> levels() {
    Map<String, ConsistencyLevel> levels = new LinkedHashMap<>();
    for (ConsistencyLevel level : ConsistencyLevel.values()) {
      levels.put(level.name(), level);
    }
    return levels;
  }

  /**
   * What is asked for.
   *
   * @param profile what was fitted, which is the default of all that is not said
   * @throws org.calando.core.BadRequestException naming everything that is wrong
   */
  Scenario scenario(CalibrationProfile profile) {
    Optional<List<ConsistencyLevel>> levels = readLevels();
    Workload workload = workload(profile);
    Optional<Integer> threads = arguments.optional(THREADS, THREAD_COUNT);
    Optional<Double> rate = arguments.optional(RATE, Types.rate(1e6));
    if (arguments.has(THREADS) == arguments.has(RATE)) {
      arguments.wrong(
          THREADS,
          arguments.has(RATE) ? "is given beside --rate" : "and --rate are missing",
          "give one of them: --threads 20 or --rate 400/s");
    }
    Optional<ClusterShape> cluster = cluster(profile.cluster());
    arguments.throwIfAny();
    workload.requireValid("arguments");
    return new Scenario(
        cluster.orElseThrow(),
        workload,
        levels.orElseThrow().get(0),
        levels.orElseThrow().get(1),
        threads.isPresent() ? OptionalInt.of(threads.get()) : OptionalInt.empty(),
        rate.orElse(Double.NaN));
  }

  private Optional<List<ConsistencyLevel>> readLevels() {
    String text = arguments.text(LEVEL);
    if (text.isEmpty()) {
      arguments.wrong(LEVEL, "is missing", "write QUORUM, or ONE/QUORUM for reads and writes");
      return Optional.empty();
    }
    String[] two = text.toUpperCase(Locale.ROOT).split("/", -1);
    Optional<ConsistencyLevel> read = arguments.parse(LEVEL, two[0], LEVELS);
    Optional<ConsistencyLevel> write =
        two.length == 1 ? read : arguments.parse(LEVEL, two[1], LEVELS);
    if (two.length > 2) {
      arguments.wrong(LEVEL, "'" + text + "' is not one level or two", "write ONE/QUORUM");
    }
    return read.isPresent() && write.isPresent()
        ? Optional.of(List.of(read.get(), write.get()))
        : Optional.empty();
  }

  private Workload workload(CalibrationProfile profile) {
    Workload.Builder builder = Workload.builder();
    if (arguments.has(MIX) == arguments.has(PRESET)) {
      arguments.wrong(
          MIX,
          arguments.has(PRESET) ? "is given beside --preset" : "and --preset are missing",
          "give one of them: --mix read:50,update:50");
    }
    String preset = arguments.text(PRESET);
    if (!preset.isEmpty()) {
      Optional<Workload.Builder> named = Presets.byName(preset);
      if (named.isEmpty()) {
        arguments.wrong(
            PRESET, "'" + preset + "' is not a preset", "see docs/reference.md for the presets");
      }
      builder = named.orElse(builder);
    }
    if (arguments.has(MIX)) {
      builder.mix(mix(arguments.text(MIX)));
    }
    if (preset.isEmpty() || arguments.has(POPULARITY)) {
      builder.requests(popularity(profile.range()));
    }
    long usual = Math.round(profile.range().records().to());
    return builder.records(arguments.optional(RECORDS, RECORD_COUNT).orElse(usual)).build();
  }

  /** Percentages by kind, as {@code read:50,update:50}. */
  private Mix mix(String text) {
    double read = 0;
    double update = 0;
    double insert = 0;
    for (String part : text.split(",", -1)) {
      int colon = part.indexOf(':');
      String kind = colon < 0 ? part : part.substring(0, colon);
      String amount = colon < 0 ? "" : part.substring(colon + 1).replaceAll("%$", "");
      double share = arguments.parse(MIX, amount, PERCENT).orElse(0.0) / 100;
      switch (kind) {
        case "read" -> read += share;
        case "update" -> update += share;
        case "insert" -> insert += share;
        default ->
            arguments.wrong(
                MIX, "'" + kind + "' cannot be predicted", "write read, update and insert");
      }
    }
    Mix mix = new Mix(read, update, insert, 0, 0);
    if (!mix.isNormalised()) {
      arguments.wrong(
          MIX, "'" + text + "' sums to " + Math.round(mix.sum() * 100) + " %", "make it 100 %");
    }
    return mix;
  }

  private RequestDistribution popularity(FittedRange fitted) {
    String how = arguments.text(POPULARITY);
    if (how.isEmpty()) {
      if (fitted.usual().isEmpty()) {
        arguments.wrong(
            POPULARITY,
            "is missing, and the profile was fitted on " + fitted.popularities().get(0),
            "write uniform or zipf:0.99, or name a --preset that has it");
      }
      return fitted.usual().orElseGet(RequestDistribution.Uniform::new);
    }
    if (how.startsWith(ZIPF)) {
      return arguments
          .parse(POPULARITY, how.substring(ZIPF.length()), THETA)
          .<RequestDistribution>map(RequestDistribution.Zipfian::new)
          .orElseGet(RequestDistribution.Uniform::new);
    }
    if (!how.equals(UNIFORM)) {
      arguments.wrong(
          POPULARITY, "'" + how + "' is not a popularity", "write uniform or zipf:0.99");
    }
    return new RequestDistribution.Uniform();
  }

  private Optional<ClusterShape> cluster(ClusterShape fitted) {
    int nodes = arguments.optional(NODES, COUNT).orElse(fitted.nodes());
    int racks = arguments.optional(RACKS, COUNT).orElse(Math.min(nodes, fitted.racks()));
    int rf = arguments.optional(RF, COUNT).orElse(Math.min(nodes, fitted.replicationFactor()));
    Optional<WarmShare> layout = arguments.optional(LAYOUT, LayoutType.SHARE);
    Optional<Long> delay = arguments.optional(DELAY, DURATION);
    int cores = arguments.optional(CORES, COUNT).orElse(fitted.cores());
    boolean shared = arguments.optional(MACHINES, SHARED).orElse(fitted.sharedMachine());
    if (racks > nodes) {
      arguments.wrong(RACKS, "'" + racks + "' is more than all nodes", "write 1 to " + nodes);
    }
    if (rf > Math.min(nodes, 31)) {
      arguments.wrong(
          RF,
          "'" + rf + "' is too much for " + nodes + " nodes",
          "write 1 to " + Math.min(nodes, 31));
    }
    layout.ifPresent(share -> RingArguments.checkFits(arguments, LAYOUT, share, nodes));
    boolean asFitted = nodes == fitted.nodes() && racks == fitted.racks();
    if (delay.isEmpty() && !asFitted && fitted.delayNanos().size() > 1) {
      arguments.wrong(DELAY, "is missing", "the profile's delays are of other nodes: write 5ms");
    }
    if (!arguments.isRight()) {
      return Optional.empty();
    }
    return Optional.of(
        new ClusterShape(
            nodes,
            racks,
            rf,
            arguments.has(LAYOUT) ? layout.filter(s -> s.warmNodes(nodes) > 0) : fitted.layout(),
            delay.map(nanos -> List.of(List.of(nanos))).orElse(fitted.delayNanos()),
            cores,
            shared));
  }

  /**
   * The power of a node: the profile's, with figures that are given in place of its own.
   *
   * @throws org.calando.core.BadRequestException if they cannot be
   */
  NodeProfile power(NodeProfile fitted) {
    double off = arguments.optional(OFF, WATTS).orElse(fitted.offWatts());
    double idle = arguments.optional(IDLE, WATTS).orElse(fitted.idleWatts());
    double busy = arguments.optional(BUSY, WATTS).orElse(fitted.busyWatts());
    Optional<Double> boot = arguments.optional(BOOT, JOULES);
    arguments.throwIfAny();
    double seconds = fitted.bootSeconds() > 0 || boot.isEmpty() ? fitted.bootSeconds() : 1;
    return new NodeProfile(
            fitted.name(),
            off,
            idle,
            busy,
            fitted.cores(),
            fitted.cpuScale(),
            fitted.curve(),
            seconds,
            boot.map(joules -> joules / seconds).orElse(fitted.bootWatts()),
            fitted.source())
        .requireValid("arguments");
  }
}
