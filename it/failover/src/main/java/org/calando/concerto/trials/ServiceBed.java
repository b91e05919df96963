package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.concerto.trials.KnobJudge.Cpu;
import org.calando.local.process.Tethered;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.calando.local.redis.LocalRedisNode;
import org.jspecify.annotations.Nullable;

/*
 *   Redis n1        n2, n3              real servers
 *   machine one     machine two         files that stand for processors, with an agent's process each
 *      |  link 0       |  link 1        can be cut
 *      +-- governor ---+                calando govern, a process; the second has links of its own
 *
 * The two files of governors name other processors of the same machines for the same nodes of the same cluster: they
 * meet at the cluster's lease, and what either has set is told apart.
 */
/** A cluster, agents of two machines and governors, as processes. Used by one thread. */
final class ServiceBed implements AutoCloseable {
  static final int NODES = 3;
  static final int MACHINES = 2;

  private static final String COMMAND = "org.calando.cli.Main";
  private static final List<String> MEMORY = List.of("-Xms32m", "-Xmx192m");
  private static final int DISK_MEBIBYTES = 4;
  private static final String AGENT_STATE = "agent/state";

  private static final Pattern LISTENS = Pattern.compile("listens on (http://[0-9.:]+)");
  private static final Duration LONG = Duration.ofSeconds(10);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final List<FakeClocks> clocks = new ArrayList<>();
  private final List<AgentProcess> agents = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();
  private final List<CutLink> links = new ArrayList<>();
  private final List<GovernorFile> files = new ArrayList<>();
  private final List<Optional<SmallDisk>> disks = new ArrayList<>();
  private final LocalRedis cluster;
  private final Optional<GearedHdfs> gears;
  private final KnobJudge judge;
  private @Nullable JavaProcess governor;

  /**
   * Starts all but governors.
   *
   * @param sentinels whether there are Sentinels
   * @param gears whether there is an HDFS with gears too
   * @param fillable whose states are on a disk that can be filled: a machine's agent, or {@link
   *     #MACHINES} for the governor; empty for nobody's
   */
  ServiceBed(Path folder, boolean sentinels, boolean gears, List<Integer> fillable) {
    this.folder = folder;
    Path hdfs = folder.resolve("hdfs");
    this.gears =
        gears
            ? Optional.of(new GearedHdfs(hdfs, arguments -> command("said-hdfs", hdfs, arguments)))
            : Optional.empty();
    for (int machine = 0; machine <= MACHINES; machine++) {
      disks.add(fillable.contains(machine) ? mount(machine) : Optional.empty());
    }
    cluster =
        LocalRedis.start(
            LocalRedisConfig.builder().nodes(NODES).sentinels(sentinels ? 3 : 0).build());
    for (int machine = 0; machine < MACHINES; machine++) {
      clocks.add(new FakeClocks(folder.resolve("machine" + machine).resolve("cpu"), 2 * NODES));
      AgentProcess agent = startAgent(machine, 0);
      agents.add(agent);
      ports.add(agent.port());
      links.add(new CutLink(agent.port()));
    }
    judge = new KnobJudge(List.of(cpus(0), cpus(1)));
    String more = this.gears.map(GearedHdfs::text).orElse("");
    files.add(file(0, links.stream().map(CutLink::port).toList(), more));
    files.add(file(1, ports, ""));
  }

  /** The state of an agent, or of the governor. */
  private Path state(int machine) {
    return machine == MACHINES
        ? folder.resolve("governor0")
        : folder.resolve("machine" + machine).resolve(AGENT_STATE);
  }

  private Optional<SmallDisk> mount(int machine) {
    try {
      return SmallDisk.mount(Files.createDirectories(state(machine)), DISK_MEBIBYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private AgentProcess startAgent(int machine, int port) {
    return AgentProcess.start(
        "agent", folder.resolve("machine" + machine), clocks.get(machine), port);
  }

  private static int machineOf(int node) {
    return node == 0 ? 0 : 1;
  }

  private static int cpuOf(int node, int owner) {
    return node + owner * NODES;
  }

  private GovernorFile file(int owner, List<Integer> agents, String more) {
    return new GovernorFile(
        folder.resolve("govern" + owner + ".yaml"),
        cluster,
        node -> cpuOf(node, owner),
        node -> agents.get(machineOf(node)),
        more);
  }

  private List<Cpu> cpus(int owner) {
    List<Cpu> cpus = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      cpus.add(new Cpu(clocks.get(machineOf(node)), cpuOf(node, owner)));
    }
    return cpus;
  }

  /** The first governor's file. */
  GovernorFile file() {
    return files.get(0);
  }

  /** Starts the first governor. */
  void startGovernor() {
    governor = startGovernor(0, "governor0");
  }

  /** Starts the second governor, of the first one's state folder or of its own. */
  JavaProcess startSecond(boolean sameState) {
    return startGovernor(1, sameState ? "governor0" : "governor1");
  }

  private JavaProcess startGovernor(int owner, String state) {
    return command(
        "said-governor" + owner,
        folder.resolve(state),
        List.of("govern", files.get(owner).path().toString()));
  }

  private JavaProcess command(String name, Path state, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(Tethered.class.getName(), COMMAND));
    words.addAll(arguments);
    Path beside = state.endsWith(AGENT_STATE) ? state.resolve("../..") : state.resolve("..");
    Path owners = beside.normalize().resolve("owners");
    return JavaProcess.start(
        folder.resolve(name),
        MEMORY,
        words,
        Map.of("CALANDO_STATE", state.toString(), "CALANDO_RUN", owners.toString()));
  }

  /** The first governor, as it was started last. */
  JavaProcess governor() {
    if (governor == null) {
      throw new IllegalStateException("no governor has been started");
    }
    return governor;
  }

  AgentProcess agent(int machine) {
    return agents.get(machine);
  }

  /** Starts an agent again where it has ended. */
  void restartAgent(int machine) {
    if (!agents.get(machine).isAlive()) {
      agents.set(machine, startAgent(machine, ports.get(machine)));
    }
  }

  CutLink link(int machine) {
    return links.get(machine);
  }

  /** The disk with the state of an agent, or of the governor. */
  Optional<SmallDisk> disk(int machine) {
    return disks.get(machine);
  }

  LocalRedis cluster() {
    return cluster;
  }

  Optional<GearedHdfs> gears() {
    return gears;
  }

  KnobJudge judge() {
    return judge;
  }

  /** Index of the node that says to be the master, from 1; 0 if not exactly one does. */
  int master() {
    int master = 0;
    for (LocalRedisNode node : cluster.nodes()) {
      if (Resp.saysMaster(node.port()).orElse(false)) {
        master = master == 0 ? node.index() : -1;
      }
    }
    return Math.max(0, master);
  }

  /**
   * Whether the first governor says that all is controlled, and the master is fast and all replicas
   * are slow.
   */
  boolean isGoverned() {
    return isReady() && isByRole();
  }

  private boolean isReady() {
    Matcher listens = LISTENS.matcher(governor().said());
    if (!listens.find()) {
      return false;
    }
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(listens.group(1) + "/readyz")).timeout(LONG).build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean isByRole() {
    int master = master();
    for (LocalRedisNode node : cluster.nodes()) {
      Cpu cpu = cpus(0).get(node.index() - 1);
      long wanted = node.index() == master ? FakeClocks.FASTEST : FakeClocks.SLOWEST;
      if (Resp.saysMaster(node.port()).isEmpty()
          || !judge.isSet(cpu)
          || cpu.kiloHertz() != wanted) {
        return false;
      }
    }
    return master > 0;
  }

  /** The states of all, and who restores what is left in them; to be called once agents end. */
  Leftovers endAgents() {
    agents.forEach(AgentProcess::close);
    return new Leftovers(
        List.of(state(0), state(1), folder.resolve("governor0"), folder.resolve("governor1")),
        state -> command("said-restore", state, List.of("restore")));
  }

  @Override
  public void close() {
    if (governor != null) {
      governor.kill();
    }
    agents.forEach(AgentProcess::close);
    links.forEach(CutLink::close);
    judge.close();
    cluster.close();
    gears.ifPresent(GearedHdfs::close);
    disks.forEach(disk -> disk.ifPresent(SmallDisk::close));
  }
}
