package org.calando.sim.cluster;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.sim.kernel.Simulation;

/** Where requests come from and answers go to; counts how operations end. Not thread safe. */
final class ClientSide {
  private static final int ANSWER = 0;
  private static final int REFUSE = 1;

  private final Simulation simulation;
  private final Operations operations;
  private final Messages messages;
  private final Network network;
  private final Nodes nodes;
  private final Lives lives;
  private final boolean works;
  private final int self;
  private final int handler;
  private final int size;
  private final List<Requester> requesters = new ArrayList<>();
  private final List<Boolean> unrepaired = new ArrayList<>();

  /** Of each requester the reads, then the writes, by node. */
  private final List<long[]> coordinated = new ArrayList<>();

  long ok;
  long notFound;
  long refused;
  long indeterminate;

  /**
   * The clients.
   *
   * @param self the number that clients count as among the nodes
   */
  ClientSide(
      Simulation simulation,
      ClusterConfig config,
      int self,
      Operations operations,
      Messages messages,
      Network network,
      Nodes nodes,
      Lives lives) {
    this.simulation = simulation;
    this.self = self;
    this.operations = operations;
    this.messages = messages;
    this.network = network;
    this.nodes = nodes;
    this.lives = lives;
    this.size = config.topology().size();
    this.works = config.clientWork() != null;
    this.handler = simulation.register(this::handle);
  }

  /**
   * Takes in a requester.
   *
   * @param withoutRepair whether its reads repair nothing
   */
  int register(Requester requester, boolean withoutRepair) {
    requesters.add(requester);
    unrepaired.add(withoutRepair);
    coordinated.add(new long[2 * size]);
    return requesters.size() - 1;
  }

  int requesters() {
    return requesters.size();
  }

  boolean isUnrepaired(int requester) {
    return unrepaired.get(requester);
  }

  long coordinated(int requester, int node, boolean reads) {
    return coordinated
        .get(requester)[place(reads ? OperationRecord.READ : OperationRecord.WRITE, node)];
  }

  private int place(int type, int node) {
    return type * size + node;
  }

  /** Sends a request to its coordinator. */
  void request(OperationRecord operation) {
    int coordinator = operation.coordinator;
    if (nodes.serving[coordinator]) {
      int type = operation.type;
      coordinated.get(operation.requester)[place(type, coordinator)]++;
    }
    if (works) {
      nodes.arrive(messages.take(Messages.CLIENT_REQUEST, operation, self, self, 0, 0, 0));
    } else {
      Message message =
          messages.take(Messages.REQUEST, operation, coordinator, coordinator, 0, 0, 0);
      message.deadlineNanos = operation.deadlineNanos;
      leave(message);
    }
  }

  /** The client's machine has done its work for a request. */
  void requestMade(Message message) {
    OperationRecord operation = message.operation;
    message.pass(Messages.REQUEST, operation.coordinator);
    message.deadlineNanos = operation.deadlineNanos;
    leave(message);
  }

  private void leave(Message message) {
    simulation.schedule(
        simulation.nowNanos() + network.clientNanos(),
        nodes.handler(),
        Nodes.ARRIVE,
        message.number);
  }

  /** No node can take a request: its client knows at the present time. */
  void refuse(OperationRecord operation) {
    simulation.schedule(simulation.nowNanos(), handler, REFUSE, operation.number);
  }

  /** Ends an operation and sends its answer. */
  void answer(OperationRecord operation, Outcome outcome) {
    lives.end(operation, outcome);
    nodes.ended(operation);
    lives.hold(operation);
    simulation.schedule(
        simulation.nowNanos() + network.clientNanos(), handler, ANSWER, operation.number);
  }

  /** The client's machine has done its work for an answer. */
  void answerRead(Message message) {
    OperationRecord operation = message.operation;
    messages.free(message);
    tell(operation);
    lives.release(operation);
  }

  /** Tells the client of an operation that has ended. */
  void tell(OperationRecord operation) {
    // Of one that ended by its deadline nobody was told before.
    nodes.ended(operation);
    Outcome outcome = operation.outcome;
    boolean found = outcome == Outcome.OK && operation.type == OperationRecord.READ;
    long version = found ? operation.version : Session.NO_VERSION;
    count(outcome);
    operation.untold = false;
    tell(operation.requester, operation.tag, outcome, version);
  }

  /** Tells a client how one of its operations ended. */
  void tell(int requester, int tag, Outcome outcome, long version) {
    requesters.get(requester).answered(tag, outcome, version);
  }

  private void count(Outcome outcome) {
    if (outcome == Outcome.OK) {
      ok++;
    } else if (outcome == Outcome.NOT_FOUND) {
      notFound++;
    } else if (outcome == Outcome.REFUSED) {
      refused++;
    } else {
      indeterminate++;
    }
  }

  private void handle(int kind, int number) {
    OperationRecord operation = operations.get(number);
    if (kind == REFUSE) {
      lives.release(operation);
      answer(operation, Outcome.REFUSED);
    } else if (works) {
      nodes.arrive(messages.take(Messages.CLIENT_ANSWER, operation, self, self, 0, 0, 0));
    } else {
      tell(operation);
      lives.release(operation);
    }
  }
}
