package org.calando.studyfile.profile;

import java.util.List;
import java.util.Optional;
import org.calando.sim.away.Stalls;
import org.calando.sim.cluster.Background;
import org.calando.sim.cluster.Host;
import org.calando.sim.cluster.ServiceTimes;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.stage.NodeStages;

/*
 * How parameters become a simulated cluster.
 *
 * Capacity c: nodes get c of their machine's cores, the rest goes to others: the load generator where it shares the machine,
 * the relay of link delays, the kernel. All their work takes 1/c of its CPU time to be done, and of the time that cores are
 * busy c is counted as CPU time. The load generator waits for no core: its work is short, and schedulers let what sleeps
 * much go first. What it costs is in its link's latency.
 *
 * What waits for cores is taken in random order: a scheduler has the threads of several stages of several nodes to choose
 * from. So a write may reach a replica late where much waits, which is what makes reads stale in a closed loop.
 *
 * Engines look for work for a while before their threads sleep (Cassandra's stages do). A node that had work of an
 * operation within the last `linger` takes `spinning` cores in bursts, which wait for cores as operations do; the more
 * jobs wait, the rarer they are, by exp(-jobs / depth): who finds work looks for none. So a node that has little to do
 * uses much CPU time an operation, and one that is overloaded little.
 */
/**
 * What a simulated cluster needs to behave as a calibrated one, for predictions and studies alike.
 * It coordinates as the calibrated ones did: through a replica of the key, which asks the nearest.
 * Immutable and thread safe.
 */
public final class CalibratedModel {
  /** The machine of all nodes, where they share one. */
  public static final String MACHINE = "machine";

  private static final double SHAPE = 4;

  private final Parameters parameters;
  private final double slowness;

  /** What given parameters come to. */
  public CalibratedModel(Parameters parameters) {
    this.parameters = parameters;
    this.slowness = 1 / capacity();
  }

  /** CPU time for a time that cores are busy: the share of the cores that nodes get, 0 .. 1. */
  public double capacity() {
    return parameters.get(Parameter.CAPACITY);
  }

  /**
   * CPU time of the load generator, in seconds.
   *
   * @param operations that it began
   * @param seconds for how long
   */
  public double clientSeconds(long operations, double seconds) {
    return parameters.get(Parameter.CLIENT) / 1e3 * operations
        + parameters.get(Parameter.CLIENT_BACKGROUND) * seconds;
  }

  /** The stages that messages pass in nodes, if the profile has such. */
  public Optional<NodeStages> stages() {
    return parameters
        .stages()
        .map(
            threads ->
                new NodeStages(
                    threads.nativeThreads(),
                    threads.loops(),
                    threads.mutationThreads(),
                    threads.readThreads(),
                    threads.responseThreads(),
                    slowed(Parameter.MESSAGING, Parameter.MESSAGING_VARIATION)));
  }

  /** What work takes. */
  public ServiceTimes services() {
    Distribution read = slowed(Parameter.READ, Parameter.READ_VARIATION);
    return new ServiceTimes(
        Distribution.NONE,
        slowed(Parameter.COORDINATOR, Parameter.NATIVE_VARIATION),
        slowed(Parameter.MESSAGE, Parameter.NATIVE_VARIATION),
        slowed(Parameter.REPLY, Parameter.NATIVE_VARIATION),
        read,
        read,
        slowed(Parameter.WRITE, Parameter.MUTATION_VARIATION),
        Distribution.NONE,
        Distribution.NONE,
        0,
        1);
  }

  /** What nodes spend on looking for work, and when they stand still. */
  public Background background() {
    return new Background(
        parameters.get(Parameter.SPINNING) * slowness,
        Distribution.exponential(parameters.nanos(Parameter.BURST) * slowness),
        Math.max(1, Math.round(parameters.nanos(Parameter.LINGER))),
        parameters.get(Parameter.DEPTH),
        stalls());
  }

  /** Their lengths are exponential, which is an assumption. */
  private Stalls stalls() {
    return parameters.stages().filter(StageThreads::stalls).isPresent()
        ? new Stalls(
            parameters.get(Parameter.STALLS),
            Distribution.exponential(parameters.nanos(Parameter.STALL)))
        : Stalls.NONE;
  }

  /** One way between a client and a node. */
  public Distribution clientLink() {
    return time(parameters.nanos(Parameter.CLIENT_LINK));
  }

  /** One way between two nodes, beyond what delays their links. */
  public Distribution nodeLink() {
    return time(parameters.nanos(Parameter.NODE_LINK));
  }

  /** Work whose variation is fitted where nodes have stages, and assumed elsewhere. */
  private Distribution slowed(Parameter parameter, Parameter variation) {
    double nanos = parameters.nanos(parameter) * slowness;
    return parameters.stages().isPresent()
        ? Distribution.lognormal(nanos, parameters.get(variation))
        : time(nanos);
  }

  private static Distribution time(double nanos) {
    return Distribution.gamma(nanos, SHAPE);
  }

  /**
   * The machines of nodes: {@link #MACHINE} for all, or one for each, called as the node is.
   *
   * @param cores of each machine
   * @param shared whether all nodes run on one
   * @param names of the nodes
   */
  public static List<Host> machines(int cores, boolean shared, List<String> names) {
    return shared
        ? List.of(new Host(MACHINE, cores, names, true))
        : names.stream().map(name -> new Host(name, cores, List.of(name), true)).toList();
  }
}
