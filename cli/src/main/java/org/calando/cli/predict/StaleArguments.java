package org.calando.cli.predict;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.calando.cli.TextArguments;
import org.calando.cli.TextOptions;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.WarsExponential;
import org.calando.core.staleness.WarsMode;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.calando.schema.Units;
import org.calando.session.TableName;

/** Reads the arguments of {@code predict stale} and tells all that is wrong with them at once. */
final class StaleArguments extends TextArguments {
  private static final TextOptions OPTIONS = new TextOptions();

  static final String N = OPTIONS.add("--n=N", "Replicas of each key.");
  static final String W = OPTIONS.add("--w=W", "Replicas that acknowledge a write; 1 by default.");
  static final String X = OPTIONS.add("--x=X", "Replicas that a read asks; 1 by default.");
  static final String READS =
      OPTIONS.add(
          "--reads-per-s=RATE", "Reads per second: of one key, or with --keys of the whole table.");
  static final String WRITES =
      OPTIONS.add(
          "--writes-per-s=RATE",
          "Writes per second: of one key, or with --keys of the whole table.");
  static final String PROPAGATION =
      OPTIONS.add(
          "--propagation=TIME", "Time that a write takes to reach every replica, Tp: 100ms.");
  static final String TOLERATE =
      OPTIONS.add(
          "--tolerate=SHARE",
          "Share of stale reads that is tolerable, 20%% or 0.2: then the replicas to read are"
              + " shown.");
  static final String KEYS =
      OPTIONS.add("--keys=KEYS", "Keys of the table; the two rates are then the table's.");
  static final String POPULARITY =
      OPTIONS.add(
          "--popularity=HOW",
          "How requests spread over the keys: uniform (the default) or zipf:0.99.");
  static final String WARS =
      OPTIONS.add(
          "--wars=exp:A,ALPHA,BETA,SIGMA",
          "Answers also for exponential latencies with these rates per ms: of a write's way to a"
              + " replica, its acknowledgement's way back, a read's way there and its reply's"
              + " back.");
  static final String MODE =
      OPTIONS.add(
          "--mode=MODE",
          "With --wars: reads go to all replicas and use the first X replies (all), or to X random"
              + " replicas (subset, as Cassandra's; the default).");
  static final String TIME =
      OPTIONS.add(
          "--t=TIME",
          "With --wars: time from a write's acknowledgement to the read; 0ms by default.");
  static final String LIVE =
      OPTIONS.add(
          "--live=FILE.yaml",
          "Asks a live cluster for N, the rates and Tp: that of a study's file, or an inventory."
              + " --reads-per-s, --writes-per-s and --propagation take precedence over what it"
              + " reports.");
  static final String TABLE =
      OPTIONS.add("--table=TABLE", "With --live: the table, as keyspace.table.");
  static final String FOR =
      OPTIONS.add("--for=TIME", "With --live: how long to observe it; 10s by default.");
  static final String CANARY =
      OPTIONS.add(
          "--canary",
          "With --live: allows to measure Tp by writes to a table calando_canary in a keyspace that"
              + " Calando did not create.");
  static final String SET =
      OPTIONS.add(
          "--set=PATH=VALUE ...", "With --live: replaces a value of the study's file. Repeatable.");

  private static final String UNIFORM = "uniform";
  private static final String ZIPF = "zipf:";
  private static final String EXPONENTIAL = "exp:";
  private static final int LATENCIES = 4;
  private static final int MOST_REPLICAS = 100;
  private static final long USUAL_LOOK_NANOS = 10_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final ScalarType<Integer> REPLICAS = Types.integer(1, MOST_REPLICAS);
  private static final ScalarType<Double> RATE = Types.number(0, 1e12);
  private static final ScalarType<Double> LATENCY_RATE = Types.number(1e-6, 1e6);
  private static final ScalarType<Double> THETA = Types.number(0.001, 10);
  private static final ScalarType<Long> DURATION = Types.duration(0, 24 * 3_600_000_000_000L);
  private static final ScalarType<Long> LOOK = Types.duration(1_000_000_000L, 3_600_000_000_000L);
  private static final ScalarType<Long> KEY_COUNT = Types.longInteger(1, 1_000_000_000_000_000L);
  private static final ScalarType<WarsMode> WARS_MODE =
      Types.choice("a mode", Map.of("all", WarsMode.ALL, "subset", WarsMode.SUBSET));

  StaleArguments() {
    super(OPTIONS);
  }

  /** What names the cluster that is asked; empty if none is. */
  Optional<Path> file() {
    return arguments.has(LIVE) ? Optional.of(Path.of(arguments.text(LIVE))) : Optional.empty();
  }

  /**
   * The figures.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  StaleFigures figures() {
    for (String name : List.of(TABLE, FOR, CANARY, SET)) {
      if (arguments.has(name)) {
        arguments.wrong(name, "is of no use without --live", "add --live FILE.yaml, or remove it");
      }
    }
    return figures(Optional.empty());
  }

  /**
   * The figures, where arguments go before what a cluster told.
   *
   * @throws BadRequestException naming everything that is wrong
   * @throws FailedWorkException if the cluster saw no traffic, and the arguments tell none
   */
  StaleFigures figures(Optional<LiveFigures> live) {
    int replicas =
        live.isPresent()
            ? live.get().replicas()
            : required(N, REPLICAS, "the number of replicas", 1);
    int most = arguments.isRight() ? replicas : MOST_REPLICAS;
    int write = part(W, most);
    int read = part(X, most);
    double reads = rate(READS, live.map(LiveFigures::readsPerSecond));
    double writes = rate(WRITES, live.map(LiveFigures::writesPerSecond));
    double tpSeconds = tpSeconds(live);
    Optional<Double> tolerated = arguments.optional(TOLERATE, Types.share());
    Optional<KeyPopularity> popularity = popularity();
    Optional<StaleFigures.Wars> wars = wars(replicas, Math.min(write, replicas));
    arguments.throwIfAny();
    live.filter(told -> told.seconds() > 0).ifPresent(told -> requireTraffic(told, reads, writes));
    return new StaleFigures(
        replicas,
        write,
        read,
        new StaleFigures.Requests(
            reads, writes, popularity, popularity.isPresent() ? keys() : "one key"),
        tpSeconds,
        tolerated.isPresent() ? OptionalDouble.of(tolerated.get()) : OptionalDouble.empty(),
        wars,
        live);
  }

  /** Unknown is no zero: without writes nothing is stale, whatever comes tomorrow. */
  private static void requireTraffic(LiveFigures told, double reads, double writes) {
    if (reads > 0 && writes > 0) {
      return;
    }
    throw new FailedWorkException(
        "the number of stale reads cannot be predicted: there were no "
            + (reads > 0 ? "writes" : writes > 0 ? "reads" : "reads and no writes")
            + " for "
            + Units.formatNanos(Math.round(told.seconds() * NANOS_PER_SECOND)),
        "table " + told.table(),
        "look while there is traffic, longer by "
            + FOR
            + ", or tell its rates by "
            + READS
            + " and "
            + WRITES);
  }

  /**
   * What to ask of a cluster, before it is asked.
   *
   * @throws BadRequestException naming everything that is wrong
   */
  LiveRequest live() {
    if (arguments.has(N)) {
      arguments.wrong(N, "is not valid with --live", "remove it: the cluster reports it");
    }
    if (arguments.has(CANARY) && arguments.has(PROPAGATION)) {
      arguments.wrong(CANARY, "is of no use with --propagation", "remove one of them");
    }
    Optional<TableName> table = table();
    long nanos = arguments.optional(FOR, LOOK).orElse(USUAL_LOOK_NANOS);
    // Whatever the cluster will tell, the other arguments must be right.
    figures(Optional.of(new LiveFigures("", 0, MOST_REPLICAS, 1, 1, 0, Optional.empty())));
    return new LiveRequest(
        table.orElseThrow(),
        nanos,
        arguments.optional(W, REPLICAS).orElse(1),
        arguments.optional(X, REPLICAS).orElse(1),
        arguments.has(CANARY),
        !arguments.has(PROPAGATION));
  }

  private Optional<TableName> table() {
    String text = arguments.text(TABLE);
    if (text.isEmpty() && !arguments.has(TABLE)) {
      arguments.wrong(TABLE, "is missing", "write the table's full name, as keyspace.table");
      return Optional.empty();
    }
    try {
      return Optional.of(TableName.parse(text));
    } catch (BadRequestException e) {
      arguments.wrong(
          TABLE, "'" + text + "' is not a table's full name", "write it as keyspace.table");
      return Optional.empty();
    }
  }

  private double rate(String name, Optional<Double> measured) {
    return measured.isPresent()
        ? arguments.optional(name, RATE).orElse(measured.get())
        : required(name, RATE, "a rate", 0.0);
  }

  private double tpSeconds(Optional<LiveFigures> live) {
    if (live.isPresent() && !arguments.has(PROPAGATION)) {
      return live.get().lags().map(PropagationLags::meanSeconds).orElse(0.0);
    }
    return required(PROPAGATION, DURATION, "a time as 100ms", 0L) / NANOS_PER_SECOND;
  }

  /** Some of the replicas. */
  private int part(String name, int replicas) {
    int part = arguments.optional(name, REPLICAS).orElse(1);
    if (part > replicas) {
      arguments.wrong(name, "'" + part + "' is more than all replicas", "write 1 to " + replicas);
    }
    return part;
  }

  private Optional<KeyPopularity> popularity() {
    String how = popularityText();
    Optional<Long> keys = arguments.optional(KEYS, KEY_COUNT);
    Optional<Double> theta = Optional.empty();
    if (how.startsWith(ZIPF)) {
      theta = arguments.parse(POPULARITY, how.substring(ZIPF.length()), THETA);
    } else if (!how.equals(UNIFORM)) {
      arguments.wrong(
          POPULARITY, "'" + how + "' is not a popularity", "write uniform or zipf:0.99");
    }
    if (arguments.has(POPULARITY) && !arguments.has(KEYS)) {
      arguments.wrong(POPULARITY, "is of no use for a single key", "add --keys, or remove it");
    }
    if (keys.isEmpty() || (theta.isEmpty() && how.startsWith(ZIPF))) {
      return Optional.empty();
    }
    long count = keys.get();
    return Optional.of(
        theta
            .map(constant -> KeyPopularity.zipf(count, constant))
            .orElseGet(() -> KeyPopularity.uniform(count)));
  }

  /** What requests are for, as it was given. */
  private String keys() {
    return "a table of " + arguments.text(KEYS) + " keys, " + popularityText().replace(':', ' ');
  }

  private String popularityText() {
    return arguments.has(POPULARITY) ? arguments.text(POPULARITY) : UNIFORM;
  }

  private Optional<StaleFigures.Wars> wars(int replicas, int write) {
    WarsMode mode = arguments.optional(MODE, WARS_MODE).orElse(WarsMode.SUBSET);
    double afterMillis = arguments.optional(TIME, DURATION).orElse(0L) / NANOS_PER_MILLI;
    String text = arguments.text(WARS);
    if (!arguments.has(WARS)) {
      for (String name : List.of(MODE, TIME)) {
        if (arguments.has(name)) {
          arguments.wrong(name, "is of no use without --wars", "add --wars exp:A,ALPHA,BETA,SIGMA");
        }
      }
      return Optional.empty();
    }
    String[] parts = text.startsWith(EXPONENTIAL) ? rates(text) : new String[0];
    if (parts.length != LATENCIES) {
      arguments.wrong(WARS, "'" + text + "' is not four latencies", "write exp:A,ALPHA,BETA,SIGMA");
      return Optional.empty();
    }
    List<Double> rates =
        Stream.of(parts)
            .flatMap(part -> arguments.parse(WARS, part, LATENCY_RATE).stream())
            .toList();
    if (rates.size() < LATENCIES) {
      return Optional.empty();
    }
    WarsExponential model =
        new WarsExponential(
            replicas, write, rates.get(0), rates.get(1), rates.get(2), rates.get(3), mode);
    return Optional.of(new StaleFigures.Wars(model, afterMillis));
  }

  private static String[] rates(String text) {
    return text.substring(EXPONENTIAL.length()).split(",", -1);
  }

  private <T> T required(String name, ScalarType<T> type, String what, T otherwise) {
    if (!arguments.has(name)) {
      arguments.wrong(name, "is missing", "write " + what);
    }
    return arguments.optional(name, type).orElse(otherwise);
  }
}
