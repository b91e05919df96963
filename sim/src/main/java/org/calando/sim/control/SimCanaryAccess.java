package org.calando.sim.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.observe.CanaryAccess;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.time.Scheduler;
import org.calando.sim.cluster.CoordinatorChoice;
import org.calando.sim.cluster.ReplicaChoice;
import org.calando.sim.cluster.SimCluster;
import org.calando.sim.cluster.Topology;
import org.calando.sim.kernel.RandomStream;

/**
 * A canary's requests on a simulated cluster: each is one of its operations, which the canary gives
 * up after a time of its own. Nodes are their numbers. Belongs to the simulation's thread.
 */
final class SimCanaryAccess implements CanaryAccess<Integer> {
  private static final int NOBODY = -1;

  private final SimCluster cluster;
  private final Scheduler scheduler;
  private final RandomStream random;
  private final long timeoutNanos;
  private final List<Integer> coordinators;
  private final int requester;
  private final List<Request> underWay = new ArrayList<>();
  private final Deque<Integer> freeTags = new ArrayDeque<>();
  private Consumer<Integer> late = node -> {};
  private long requests;
  private boolean closed;

  /** What an operation of the cluster is for. */
  private final class Request {
    private final Consumer<Request> ended;
    private final int asked;
    private boolean over;
    boolean answered;
    boolean failed;
    long version = Session.NO_VERSION;

    Request(int asked, Consumer<Request> ended) {
      this.asked = asked;
      this.ended = ended;
    }

    void end() {
      if (!over && !closed) {
        over = true;
        ended.accept(this);
      }
    }
  }

  SimCanaryAccess(SimCluster cluster, Scheduler scheduler, RandomStream random, long timeoutNanos) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    this.random = random;
    this.timeoutNanos = timeoutNanos;
    this.coordinators = coordinators(cluster);
    this.requester = cluster.registerWithoutRepair(this::answered);
  }

  /** The nodes of the clients' data centre. */
  private static List<Integer> coordinators(SimCluster cluster) {
    String clients = cluster.config().clients();
    Topology topology = cluster.config().topology();
    return IntStream.range(0, topology.size())
        .filter(node -> clients == null || topology.nodes().get(node).dataCentre().equals(clients))
        .boxed()
        .toList();
  }

  /** The number by which the cluster knows its operations. */
  int requester() {
    return requester;
  }

  /** Requests sent. */
  long requests() {
    return requests;
  }

  /** Nothing is told any more. */
  void close() {
    closed = true;
  }

  @Override
  public long nowNanos() {
    return scheduler.clock().nanos();
  }

  @Override
  public void later(long delayNanos, Runnable work) {
    scheduler.at(
        nowNanos() + delayNanos,
        () -> {
          if (!closed) {
            work.run();
          }
        });
  }

  @Override
  public void write(
      long key, long version, ConsistencyLevel level, Consumer<Optional<String>> acknowledged) {
    int tag =
        begin(
            request ->
                acknowledged.accept(
                    request.answered && !request.failed
                        ? Optional.empty()
                        : Optional.of(request.answered ? "refused" : "no answer in time")));
    cluster.write(requester, tag, key, version, level);
  }

  @Override
  public void read(long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
    cluster.read(requester, begin(told(found)), key, level);
  }

  @Override
  public Integer drawCoordinator(List<Integer> replicas) {
    List<Integer> from =
        cluster.config().coordinators() == CoordinatorChoice.TOKEN_AWARE ? replicas : coordinators;
    return from.get((int) (random() * from.size()));
  }

  @Override
  public boolean asksTheSame() {
    return cluster.config().replicas() != ReplicaChoice.RANDOM && !cluster.config().asksAll();
  }

  @Override
  public void readThrough(
      Integer node, long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
    cluster.readThrough(requester, begin(told(found)), key, level, node);
  }

  @Override
  public void readCopy(Integer node, long key, Consumer<OptionalLong> found) {
    cluster.readCopy(requester, begin(node, told(found)), key, node);
  }

  @Override
  public boolean mayAnswer(Integer node) {
    return cluster.isSeenByClients(node);
  }

  @Override
  public void lateAnswers(Consumer<Integer> told) {
    late = told;
  }

  @Override
  public boolean isOff(Integer node) {
    return cluster.isOffByOrder(node);
  }

  @Override
  public Object id(Integer node) {
    return node;
  }

  @Override
  public double random() {
    return random.nextDouble();
  }

  private static Consumer<Request> told(Consumer<OptionalLong> found) {
    return request ->
        found.accept(
            request.answered && !request.failed
                ? OptionalLong.of(request.version)
                : OptionalLong.empty());
  }

  private int begin(Consumer<Request> ended) {
    return begin(NOBODY, ended);
  }

  /**
   * Begins a request.
   *
   * @param asked the one node whose answer it is
   */
  private int begin(int asked, Consumer<Request> ended) {
    requests++;
    Request request = new Request(asked, ended);
    int tag = freeTags.isEmpty() ? underWay.size() : freeTags.removeLast();
    if (tag == underWay.size()) {
      underWay.add(request);
    } else {
      underWay.set(tag, request);
    }
    scheduler.at(nowNanos() + timeoutNanos, request::end);
    return tag;
  }

  /** The cluster ends each operation, be it long after the canary has given it up. */
  private void answered(int tag, Outcome outcome, long version) {
    Request request = underWay.get(tag);
    freeTags.addLast(tag);
    if (outcome != Outcome.INDETERMINATE) {
      request.answered = true;
      request.failed = outcome.isError();
      request.version = version;
      if (request.over && request.asked != NOBODY && !closed) {
        late.accept(request.asked);
      }
    }
    request.end();
  }
}
