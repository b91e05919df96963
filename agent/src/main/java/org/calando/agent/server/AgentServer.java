package org.calando.agent.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.calando.agent.AgentWire;
import org.calando.clock.ClockAbilities;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.Restorer;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.Closing;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.core.time.RealTimeScheduler;
import org.calando.http.Listening;
import org.calando.http.Tokens;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;
import org.calando.http.server.HttpService;
import org.calando.power.PowerSource;
import org.calando.power.jmx.JmxSource;
import org.calando.power.onoff.AgentSwitch;
import org.calando.power.onoff.SwitchSpec;

/**
 * Sets clocks and threads of a machine, and knobs of its processes, for governors, as long as it
 * hears of them; at its end all are as before. Thread safe.
 */
public final class AgentServer implements AutoCloseable {
  private static final long LOOK_NANOS = 500_000_000L;

  /** Between two looks whether something is to be restored again. */
  private static final long AGAIN_NANOS = 1_000_000_000L;

  private static final int MOST_TASKS = 16;

  /**
   * Bodies of all connections fit into the little memory of an agent, and writes of all leases may
   * take long while others are answered.
   */
  private static final HttpService.Limits LIMITS = HttpService.Limits.of(64, 24);

  private static final String LEASES = "/v1/leases/";
  private static final String JMX = "/v1/jmx/";
  private static final Path PROC = Path.of("/proc");

  private final Supplier<ClockAbilities> clocks;
  private final AgentLeases leases;
  private final EnergyOfMachine energy;
  private final PowerOfMachine power;
  private final Switches switches;
  private final LocalJmx jmx;
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-leases", MOST_TASKS);

  /** Of its own: a restore that hangs must not keep another lease from its end. */
  private final RealTimeScheduler restores = new RealTimeScheduler("calando-restores", MOST_TASKS);

  private final HttpService http;

  /**
   * What an agent needs.
   *
   * @param machine whose clocks and threads are set
   * @param folders where it is noted how they were
   * @param fences folder of the numbers of leases
   * @param offers what else it reads and turns
   * @param news takes lines for people, from any thread
   */
  public record Means(
      Machine machine, LeaseFolders folders, Path fences, Offers offers, Consumer<String> news) {}

  /**
   * What an agent reads and turns beside clocks and threads.
   *
   * @param powercap folder of the energy counters of the processors
   * @param controller shows what the machine draws; empty if nothing does
   * @param switches what governors may turn on and off, by name
   * @param jmx processes whose figures governors may read, and whose knobs they may set, by name
   */
  public record Offers(
      Path powercap,
      Optional<? extends PowerSource> controller,
      Map<String, SwitchSpec> switches,
      Map<String, JmxSource> jmx) {
    /** Copies the maps. */
    public Offers {
      switches = Map.copyOf(switches);
      jmx = Map.copyOf(jmx);
    }

    /** Energy counters alone. */
    public static Offers of(Path powercap) {
      return new Offers(powercap, Optional.empty(), Map.of(), Map.of());
    }
  }

  private AgentServer(
      Listening where, AgentLeases leases, Supplier<ClockAbilities> clocks, Offers offers) {
    this.clocks = clocks;
    this.energy = new EnergyOfMachine(offers.powercap());
    this.power = new PowerOfMachine(offers.controller(), OneAtATime.PATIENCE);
    this.switches =
        new Switches(
            offers.switches(),
            leases.fences().resolve("switches"),
            OneAtATime.PATIENCE,
            leases.news());
    this.jmx = new LocalJmx(offers.jmx(), OneAtATime.PATIENCE);
    this.leases = leases;
    this.http = HttpService.listenLater(where, LIMITS, this::answer);
    // Each on a thread of its own: a restore may hang, and others have their time too.
    each(
        scheduler,
        LOOK_NANOS,
        () -> leases.expire(restore -> DaemonThread.start("calando-expire", restore)));
    each(restores, AGAIN_NANOS, leases::restoreAgain);
  }

  /**
   * Listens.
   *
   * @throws BadRequestException if the port is taken, or a file is not what it should be
   * @throws org.calando.core.FailedWorkException if it cannot listen for another reason
   */
  public static AgentServer listen(Listening where, Means means) {
    AgentLeases leases =
        new AgentLeases(
            new AgentLeases.Means(
                means.machine(),
                owner -> MachineLease.begin(means.machine(), means.folders(), owner, means.news()),
                () ->
                    restorer(means, means.folders())
                        .restoreAll()
                        .with(restorer(means, means.folders().ofClusters()).restoreAll()),
                means.fences(),
                new ProcessCpu(PROC),
                new ProcessKnobs(
                    means.offers().jmx(),
                    owner -> KnobLease.begin(means.folders(), owner, means.news()),
                    means.folders().ofClusters()::before,
                    OneAtATime.PATIENCE),
                means.news()),
            System::nanoTime);
    return listen(
        where, leases, () -> ClockAbilities.of(means.machine(), means.folders()), means.offers());
  }

  private static Restorer restorer(Means means, LeaseFolders folders) {
    return new Restorer(means.machine(), folders, Restorer.Mode.RESTORE, false);
  }

  /** The same of a machine that need not be this one. */
  static AgentServer listen(
      Listening where, AgentLeases leases, Supplier<ClockAbilities> clocks, Offers offers) {
    return new AgentServer(where, leases, clocks, offers);
  }

  /** Where it listens, as {@code http://127.0.0.1:7475}. */
  public String address() {
    return http.address();
  }

  /**
   * Reads tokens, keys and certificates again.
   *
   * @throws BadRequestException if a file is not what it should be; what was read before stays in
   *     force
   * @throws FailedWorkException if what is read cannot be used; likewise
   */
  public void reload() {
    http.reload();
  }

  private static void each(RealTimeScheduler scheduler, long nanos, Runnable look) {
    scheduler.at(
        scheduler.clock().nanos() + nanos,
        () -> {
          try {
            look.run();
          } finally {
            each(scheduler, nanos, look);
          }
        });
  }

  private CompletionStage<Answer> answer(Call call) {
    String path = call.path();
    if (!call.reads() && isViewers(call)) {
      return CompletableFuture.completedStage(Answer.text(403, "the token is a viewer's\n"));
    }
    if (path.startsWith(AgentSwitch.PATH)) {
      return turned(path.substring(AgentSwitch.PATH.length()), call);
    }
    if (call.reads() && path.startsWith(JMX)) {
      return later(() -> jmx.read(path.substring(JMX.length())).thenApply(Answer::json));
    }
    if (call.reads() && path.startsWith(AgentWire.KNOBS)) {
      return later(
          () ->
              leases
                  .knobs()
                  .read(path.substring(AgentWire.KNOBS.length()))
                  .thenApply(Answer::json));
    }
    if (call.reads() && path.equals("/v1/power")) {
      return later(() -> power.read().thenApply(watts -> Answer.json(AgentWire.text(watts))));
    }
    return CompletableFuture.completedStage(answerNow(path, call));
  }

  /** A token without a role may do all that an agent does. */
  private static boolean isViewers(Call call) {
    return call.client()
        .holder()
        .filter(holder -> holder.name().isPresent() && holder.role() == Tokens.Role.VIEWER)
        .isPresent();
  }

  private Answer answerNow(String path, Call call) {
    if (path.equals("/healthz")) {
      return Answer.text(200, "ok\n");
    }
    if (path.startsWith(LEASES)) {
      return lease(path.substring(LEASES.length()), call);
    }
    if (!call.reads()) {
      return Answer.text(405, "only GET and HEAD\n");
    }
    return switch (path) {
      case "/v1/clocks" -> Answer.json(clocks.get().json().toString());
      case "/v1/leases" -> Answer.json(AgentWire.text(leases.states()));
      case "/v1/energy" -> told(() -> Answer.json(AgentWire.text(energy.read())));
      case "/v1/host" -> told(() -> Answer.text(200, new HostPage(PROC).text()));
      default -> Answer.text(404, "there is no such path\n");
    };
  }

  private static Answer told(Supplier<Answer> question) {
    try {
      return question.get();
    } catch (CalandoException e) {
      return refusal(e instanceof BadRequestException ? 409 : 503, e);
    }
  }

  /** As {@link #told}, of what may come after some seconds; no thread waits for it. */
  private static CompletionStage<Answer> later(Supplier<CompletionStage<Answer>> question) {
    CompletionStage<Answer> asked;
    try {
      asked = question.get();
    } catch (CalandoException e) {
      asked = CompletableFuture.failedStage(e);
    }
    return asked.exceptionally(
        error -> {
          Throwable cause = error instanceof CompletionException ? error.getCause() : error;
          if (cause instanceof CalandoException known) {
            return told(
                () -> {
                  throw known;
                });
          }
          throw new CompletionException(cause);
        });
  }

  private CompletionStage<Answer> turned(String name, Call call) {
    if (call.reads()) {
      return later(() -> switches.state(name).thenApply(AgentServer::state));
    }
    if (!call.method().equals("PUT")) {
      return CompletableFuture.completedStage(Answer.text(405, "only GET, HEAD and PUT\n"));
    }
    AgentWire.SwitchOrder order;
    try {
      order = AgentWire.read(call.body(), AgentWire.SwitchOrder.class);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(
          Answer.text(400, "the body " + e.getMessage() + "\n"));
    }
    return order.order() == null && order.fence() == 0
        ? CompletableFuture.completedStage(Answer.text(400, "the body has no order\n"))
        : later(() -> switches.order(name, order).thenApply(AgentServer::state));
  }

  private static Answer state(AgentWire.SwitchState state) {
    return Answer.json(AgentWire.text(state));
  }

  private Answer lease(String name, Call call) {
    try {
      return switch (call.method()) {
        case "GET", "HEAD" -> Answer.json(AgentWire.text(leases.state(name)));
        case "PUT" -> {
          var request = AgentWire.read(call.body(), AgentWire.LeaseRequest.class);
          yield Answer.json(AgentWire.text(leases.lease(name).put(request)));
        }
        case "DELETE" -> {
          var release = AgentWire.read(call.body(), AgentWire.Release.class);
          leases.lease(name).release(release);
          yield Answer.json("{}");
        }
        default -> Answer.text(405, "only GET, PUT and DELETE\n");
      };
    } catch (RefusedLeaseException e) {
      return json(
          409,
          new AgentWire.Refusal(
              String.valueOf(e.getMessage()), "end that governor first", e.lease()));
    } catch (IllegalArgumentException e) {
      return Answer.text(400, "the body " + e.getMessage() + "\n");
    } catch (CalandoException e) {
      return refusal(e instanceof BadRequestException ? 409 : 503, e);
    }
  }

  private static Answer refusal(int status, CalandoException e) {
    return json(
        status,
        new AgentWire.Refusal(
            e.problem(), e.remedy(), new AgentWire.LeaseState(false, 0, "", "", 0)));
  }

  private static Answer json(int status, AgentWire.Refusal refusal) {
    return new Answer(status, "application/json", AgentWire.text(refusal));
  }

  /**
   * {@inheritDoc}
   *
   * @throws org.calando.core.FailedWorkException naming what is not as before
   */
  @Override
  public void close() {
    // Answering threads are interrupted at the end, which must not hit one that restores.
    Closing.all(List.of(leases::close, http, scheduler, restores, energy, power, jmx));
  }
}
