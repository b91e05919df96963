package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.calando.core.CalandoException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.IdleGovernor;
import org.calando.gears.idle.IdleMeans;
import org.calando.gears.idle.IdleSetting;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import org.calando.schema.Types;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.studyfile.GearChoice;
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
            + " when it rises; or by a timetable. Runs until Ctrl-C or SIGTERM; servers that are"
            + " powered down then stay down.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class IdleWatchCommand implements Callable<Integer> {
  private static final long STATUS_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long LONGEST_NANOS = Duration.ofHours(24).toNanos();
  private static final String CAPACITY = "--capacity";
  private static final String HEAD_ROOM = "--head-room";
  private static final String RESIDENCY = "--residency";
  private static final String PERIOD = "--period";
  private static final String AT = "--at";
  private static final Pattern GEAR = Pattern.compile("gear (\\d{1,4})");
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

  @Option(names = "--dry-run", description = "Two looks, and what would be done; changes nothing.")
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
    StopSignal stop = ((Main) spec.root().userObject()).stop();
    Thread caller = Thread.currentThread();
    StopSignal.Registration registration = stop.onRequest(caller::interrupt);
    try (Progress progress = output.progress();
        LocalIdle idle = open(order, new GearProgress(progress));
        GovernorJournal journal =
            GovernorJournal.of(
                StateFolder.decisions("idle", idle.means().regions().name()),
                "./calando idle watch",
                dryRun,
                this::line)) {
      IdleGovernor governor = governor(idle.means(), order, journal);
      governor
          .resume()
          .ifPresent(
              to -> line((dryRun ? "there is" : "resumed") + " an unfinished plan: " + to.words()));
      watch(governor, order, stop);
    } catch (InterruptedException | CalandoException e) {
      if (!stop.isRequested()) {
        throw e;
      }
      line("ended; a shift that was under way is resumed by ./calando idle up --local --resume");
    } finally {
      registration.close();
    }
    return 0;
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
    GearLimits limits =
        usual
            .withHeadRoom(free)
            .withResidency(stay)
            .withMaxAge(Math.max(usual.maxAgeNanos(), 3 * each));
    return new Order(rate, limits, each, fewest, entries);
  }

  /** Connects, once what was asked for fits the cluster. */
  private LocalIdle open(Order order, ShiftNews news) {
    LocalHBase cluster = options.cluster();
    IdleTimes.requireFitting(order.times(), cluster.nodes().size(), AT);
    return LocalIdle.open(cluster, news);
  }

  private IdleGovernor governor(IdleMeans means, Order order, GovernorJournal journal) {
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    int nodes = means.nodes().size();
    int fewest = Math.min(order.least(), nodes);
    GearModel model =
        new GearModel(
            IntStream.rangeClosed(fewest, nodes).boxed().toList(),
            Collections.nCopies(nodes, profile),
            IntStream.rangeClosed(fewest, nodes)
                .mapToObj(count -> count * order.capacity())
                .toList(),
            GearModel.PROCESS_OFF_SECONDS,
            CatchUpModel.none(nodes - fewest + 1));
    GearChoice.Kind kind =
        order.times().isEmpty() ? GearChoice.Kind.LOAD : GearChoice.Kind.SCHEDULE;
    GearPolicy policy =
        new GearChoice(kind, 1, order.limits(), 0, IdleTimes.gears(order.times(), fewest))
            .policy(model, 1, order.periodNanos());
    String target = means.regions().name();
    return new IdleGovernor(
        means,
        journal.resume(policy, target),
        fewest,
        System::nanoTime,
        LocalSeconds::now,
        dryRun,
        journal,
        "./calando idle watch");
  }

  private void watch(IdleGovernor governor, Order order, StopSignal stop)
      throws InterruptedException {
    long told = System.nanoTime() - STATUS_NANOS;
    String wrong = "0 []";
    for (int looks = 1; !stop.isRequested(); looks++) {
      Thread.sleep(Duration.ofNanos(order.periodNanos()).toMillis());
      IdleGovernor.Look look = governor.look();
      boolean last = dryRun && looks == 2;
      boolean due = System.nanoTime() - told >= STATUS_NANOS;
      String now = look.failed() + " " + look.troubles();
      boolean news = dryRun ? !look.before().equals(look.decided()) : look.tried();
      if (last || due || news || !now.equals(wrong)) {
        tell(look, order);
        told = System.nanoTime();
        wrong = now;
      }
      if (look.shifted()) {
        options.noteProcesses();
      }
      if (last) {
        return;
      }
    }
  }

  private void tell(IdleGovernor.Look look, Order order) {
    if (output.json()) {
      ObjectNode node = object();
      look.before().asleep().forEach(node.putArray("before")::add);
      look.decided().asleep().forEach(node.putArray("decided")::add);
      look.requestsPerSecond().ifPresent(rate -> node.put("rows_per_s", rate));
      node.put("failed_nodes", look.failed());
      node.put("shifted", look.shifted());
      look.notNow().ifPresent(why -> node.put("not_now", why));
      look.reasons().forEach(node.putArray("reasons")::add);
      look.troubles().forEach(node.putArray("troubles")::add);
      print(node.toString());
      return;
    }
    int nodes = options.cluster().nodes().size();
    int least = Math.min(order.least(), nodes);
    String load =
        look.requestsPerSecond()
            .map(rate -> String.format(Locale.ROOT, "%.0f rows/s", rate))
            .orElse("load not known yet");
    String does =
        look.before().equals(look.decided())
            ? up(nodes, look.before())
            : (dryRun ? "would have " : look.shifted() ? "now " : "not now: ")
                + look.decided().words();
    String failed = look.failed() == 0 ? "" : ", " + look.failed() + " do not serve";
    List<String> why = new ArrayList<>();
    look.reasons().forEach(reason -> why.add(inNodes(reason, least)));
    why.addAll(look.troubles());
    look.notNow().ifPresent(why::add);
    line(does + ", " + load + failed + ": " + String.join("; ", why));
  }

  private static String up(int nodes, IdleSetting now) {
    String asleep = now.asleep().isEmpty() ? "" : " (" + now.words() + ")";
    return nodes - now.asleep().size() + " up" + asleep;
  }

  /** A reason of a policy of gears, in nodes: gear 1 has the fewest of them up. */
  static String inNodes(String reason, int least) {
    String bare = reason.replaceFirst("^[^:]*: gear \\d+: ", "").replace(" ops/s", " rows/s");
    return GEAR.matcher(bare)
        .replaceAll(gear -> least - 1 + Integer.parseInt(gear.group(1)) + " up");
  }

  private void line(String text) {
    print(
        output.json()
            ? object().put("told", text).toString()
            : Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + text);
  }

  private static void print(String text) {
    new PrintStream(System.out, true, OutputOptions.charset()).println(text);
  }

  private static ObjectNode object() {
    return new ObjectMapper()
        .createObjectNode()
        .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
