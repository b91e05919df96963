package org.calando.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.gear.GearLimits;
import org.calando.engine.Engines;
import org.calando.engine.GearSettings;
import org.calando.engine.StoreSpec;
import org.calando.kept.KeptCluster;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.knob.Point;
import org.calando.local.hbase.LocalHBase;
import org.calando.schema.ArgumentReader;
import org.calando.schema.Types;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code calando idle watch}: has servers sleep and wakes them by the load, or by a timetable. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description =
        "Powers down idle RegionServers while the rest can carry the load, and powers them up"
            + " when it rises; or by a timetable. Runs until Ctrl-C, SIGTERM or SIGHUP; servers that"
            + " are powered down then stay down.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class IdleWatchCommand implements Callable<Integer> {
  private static final long LONGEST_NANOS = Duration.ofHours(24).toNanos();
  private static final String CAPACITY = "--capacity";
  private static final String HEAD_ROOM = "--head-room";
  private static final String RESIDENCY = "--residency";
  private static final String PERIOD = "--period";
  private static final String AT = "--at";
  private static final String LEAST = "--least";

  @Spec private CommandSpec spec;

  @Mixin private IdleOptions options;

  @Mixin private OutputOptions output;

  // Texts, so that everything that is wrong is told at once.

  @Option(
      names = CAPACITY,
      required = true,
      paramLabel = "RATE",
      description =
          "Rows that a server reads and writes within what clients were promised, such as 2000/s.")
  private @Nullable String capacity;

  @Option(
      names = HEAD_ROOM,
      paramLabel = "SHARE",
      description = "Share of the capacity that stays free; 20%% by default.")
  private @Nullable String headRoom;

  @Option(
      names = RESIDENCY,
      paramLabel = "TIME",
      description =
          "Least time for which servers stay up before one is powered down; 10m by default.")
  private @Nullable String residency;

  @Option(
      names = PERIOD,
      paramLabel = "TIME",
      description =
          "From one look to the next; 10s by default. A load is as new as what servers last"
              + " reported to the master, every 3 s, or every second on a local cluster: looks that"
              + " follow closer than three of these see nothing new.")
  private @Nullable String period;

  @Option(
      names = LEAST,
      paramLabel = "NODES",
      description = "Nodes that are always up; 1 by default.")
  private @Nullable String least;

  @Option(
      names = AT,
      paramLabel = "TIME=NODES",
      description =
          "Timetable in place of the load, such as 22:00=1 and \"mon-fri 07:00=3\": so many nodes"
              + " are up from then on. Repeatable, or entries separated by commas.")
  private List<String> times = List.of();

  @Option(names = "--dry-run", description = "Observes twice, reports, and changes nothing.")
  private boolean dryRun;

  /** What was asked for, checked. */
  private record Order(
      double capacity,
      GearLimits limits,
      long periodNanos,
      int least,
      List<IdleTimes.Entry> times) {}

  @Override
  public Integer call() throws InterruptedException {
    Order order = read();
    LocalHBase cluster = options.cluster();
    IdleTimes.requireFitting(order.times(), cluster.nodes().size(), AT);
    ServiceSpec governed = governed(order, cluster.nodes().size());
    PrintStream out = new PrintStream(System.out, true, OutputOptions.charset());
    ServiceGovern.ofOptions(
            "idle watch",
            "--local",
            governed,
            StateFolder.local(LocalHBase.ENGINE),
            new GovernNews(out, output.json(), Clock.systemUTC()))
        .run(dryRun, Main.stop(spec));
    return 0;
  }

  /** The local cluster, as a governor's file of it would say. */
  private static ServiceSpec governed(Order order, int nodes) {
    int fewest = Math.min(order.least(), nodes);
    GearChoice.Kind kind =
        order.times().isEmpty() ? GearChoice.Kind.LOAD : GearChoice.Kind.SCHEDULE;
    GearChoice policy =
        new GearChoice(kind, 1, order.limits(), 0, IdleTimes.gears(order.times(), fewest));
    GearSettings gears =
        new GearSettings(
            new GearSettings.Capacity(order.capacity(), false), fewest, Optional.empty());
    Path inventory = StateFolder.local(LocalHBase.ENGINE).resolve(KeptCluster.INVENTORY);
    return ServiceSpec.attended(
        StoreSpec.of(Engines.of(LocalHBase.ENGINE), StudyFile.readInventory(inventory)),
        Point.NONE.with(GearSchema.AXIS, policy),
        new ServiceSpec.Machines(Optional.empty(), Optional.of(gears)),
        order.periodNanos(),
        Profiles.byName(Profiles.DEFAULT).orElseThrow());
  }

  private Order read() {
    ArgumentReader arguments = new ArgumentReader();
    arguments.put(CAPACITY, capacity);
    arguments.put(HEAD_ROOM, headRoom);
    arguments.put(RESIDENCY, residency);
    arguments.put(PERIOD, period);
    arguments.put(LEAST, least);
    GearLimits usual = GearLimits.defaults();
    double rate = arguments.optional(CAPACITY, Types.rate(1e9)).orElse(1.0);
    double free = arguments.optional(HEAD_ROOM, Types.share()).orElse(usual.headRoom());
    long stay =
        arguments
            .optional(RESIDENCY, Types.duration(0, LONGEST_NANOS))
            .orElse(usual.residencyNanos());
    long each =
        arguments
            .optional(PERIOD, Types.duration(500_000_000L, LONGEST_NANOS))
            .orElse(Duration.ofSeconds(10).toNanos());
    int fewest = arguments.optional(LEAST, Types.integer(1, 1000)).orElse(1);
    List<IdleTimes.Entry> entries = IdleTimes.read(times, AT, arguments);
    if (!(free + usual.hysteresis() < 1)) {
      arguments.wrong(HEAD_ROOM, "leaves nothing to be used", "give less than 95%");
    }
    arguments.throwIfAny();
    return new Order(rate, usual.withHeadRoom(free).withResidency(stay), each, fewest, entries);
  }
}
