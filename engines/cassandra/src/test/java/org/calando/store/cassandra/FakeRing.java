package org.calando.store.cassandra;

import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.Partitioner;

/**
 * Nodes whose moves take seconds of a clock of their own, and go on whether anybody watches or not.
 */
final class FakeRing implements RingView, TokenMover, MovePace {
  static final long SECOND = 1_000_000_000L;
  static final long BYTES_PER_MOVE = 1000;

  /** Ends the process as far as the knob can tell. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final Map<String, BigInteger> tokens = new TreeMap<>();
  private final Map<String, Move> moving = new TreeMap<>();
  private final Map<UUID, Long> received = new HashMap<>();
  private long now;

  /** What was ordered, in order: {@code n1=5}. */
  final List<String> orders = new ArrayList<>();

  final Map<String, Long> streamed = new TreeMap<>();
  final Set<String> silent = new HashSet<>();
  Optional<String> obstacle = Optional.empty();
  Optional<String> doubt = Optional.empty();

  /** Seconds that a move takes; one beyond any watch is stuck. */
  long moveSeconds = 40;

  /** How orders of nodes end that do not move: they refuse, or give up amid the move. */
  final Map<String, Ended> refusals = new HashMap<>();

  final Set<String> givingUp = new HashSet<>();
  final Set<String> brokenWays = new HashSet<>();
  final Set<String> deaf = new HashSet<>();

  /** No node answers between these seconds. */
  long silentFrom = Long.MAX_VALUE;

  long silentTo = Long.MAX_VALUE;

  /** The process ends when the clock gets there. */
  long killedAtSeconds = Long.MAX_VALUE;

  /** Another process has this node move to 1000 when the clock gets to the second. */
  String movedElsewhere = "";

  long elsewhereAtSeconds = Long.MAX_VALUE;

  /** The first look at a node after its move still tells its old token, with the new state. */
  boolean torn;

  private final Map<String, BigInteger> justLeft = new HashMap<>();

  private record Move(BigInteger to, long endNanos, CompletableFuture<Ended> order, UUID stream) {}

  FakeRing(long... places) {
    for (int i = 0; i < places.length; i++) {
      tokens.put("h" + (i + 1), BigInteger.valueOf(places[i]));
    }
  }

  RingState state() {
    List<RingNode> nodes = new ArrayList<>();
    tokens.forEach(
        (host, token) ->
            nodes.add(
                new RingNode(
                    host.replace('h', 'n'),
                    host,
                    InetSocketAddress.createUnresolved("127.0.0.1", 9042),
                    "dc1",
                    "r1",
                    List.of(token),
                    Map.of(),
                    Optional.empty())));
    return new RingState("fake", Partitioner.MURMUR3, nodes, List.of(), true);
  }

  Map<String, Long> places() {
    Map<String, Long> places = new TreeMap<>();
    tokens.forEach((host, token) -> places.put(host, token.longValue()));
    return places;
  }

  boolean isMoving(String host) {
    return moving.containsKey(host);
  }

  /** Somebody else moves a node. */
  void put(String host, long token) {
    tokens.put(host, BigInteger.valueOf(token));
  }

  /** The node comes up with its old token. */
  void restart(String host) {
    moving.remove(host);
  }

  /** Another process has {@link #movedElsewhere} move. */
  void moveElsewhere() {
    moving.put(
        movedElsewhere,
        new Move(
            BigInteger.valueOf(1000),
            now + moveSeconds * SECOND,
            new CompletableFuture<>(),
            UUID.nameUUIDFromBytes(new byte[] {-1})));
  }

  void forget() {
    killedAtSeconds = Long.MAX_VALUE;
    moving.replaceAll(
        (host, move) ->
            new Move(move.to(), move.endNanos(), new CompletableFuture<>(), move.stream()));
  }

  @Override
  public Optional<String> obstacle() {
    return moving.keySet().stream().findFirst().map(host -> host + " is moving").or(() -> obstacle);
  }

  @Override
  public Sight look(String hostId) {
    long second = now / SECOND;
    if (silent.contains(hostId) || (second >= silentFrom && second < silentTo)) {
      throw new FailedWorkException("does not answer", hostId, "");
    }
    Move move = moving.get(hostId);
    BigInteger left = justLeft.remove(hostId);
    return new Sight(
        torn && left != null ? left : tokens.getOrDefault(hostId, BigInteger.ZERO),
        move == null ? "NORMAL" : "MOVING",
        Optional.ofNullable(move).map(Move::to),
        doubt,
        moving().stream().filter(name -> !name.equals(hostId.replace('h', 'n'))).toList());
  }

  @Override
  public List<String> moving() {
    return moving.keySet().stream().map(host -> host.replace('h', 'n')).toList();
  }

  @Override
  public Map<String, BigInteger> tokens() {
    return Map.copyOf(tokens);
  }

  @Override
  public Streams streams() {
    Set<UUID> active = new HashSet<>();
    Map<UUID, Long> bytes = new HashMap<>(received);
    moving.values().stream()
        .filter(move -> move.endNanos() < Long.MAX_VALUE)
        .forEach(
            move -> {
              active.add(move.stream());
              bytes.put(move.stream(), now / SECOND);
            });
    return new Streams(bytes, Map.of(), active);
  }

  @Override
  public CompletionStage<Ended> move(RingNode node, BigInteger token) {
    orders.add(node.name() + "=" + token);
    CompletableFuture<Ended> order = new CompletableFuture<>();
    Ended refusal = refusals.get(node.hostId());
    if (refusal != null) {
      order.complete(refusal);
      return order;
    }
    if (deaf.contains(node.hostId())) {
      return order;
    }
    boolean stays = givingUp.contains(node.hostId());
    moving.put(
        node.hostId(),
        new Move(
            token,
            stays ? Long.MAX_VALUE : now + moveSeconds * SECOND,
            order,
            UUID.nameUUIDFromBytes(new byte[] {(byte) orders.size()})));
    if (stays) {
      order.complete(new Ended(End.REFUSED, "Stream failed"));
    }
    if (brokenWays.contains(node.hostId())) {
      order.complete(new Ended(End.UNKNOWN, "Connection reset"));
    }
    return order;
  }

  @Override
  public CompletionStage<Ended> cleanup(RingNode node) {
    orders.add("cleanup " + node.name());
    return CompletableFuture.completedFuture(
        refusals.getOrDefault(node.hostId(), new Ended(End.DONE, "")));
  }

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void pause(long nanos) {
    now += nanos;
    if (now / SECOND >= elsewhereAtSeconds) {
      elsewhereAtSeconds = Long.MAX_VALUE;
      moveElsewhere();
    }
    if (now / SECOND >= killedAtSeconds) {
      throw new Killed();
    }
    List<String> arrived =
        moving.entrySet().stream()
            .filter(entry -> entry.getValue().endNanos() <= now)
            .map(Map.Entry::getKey)
            .toList();
    for (String host : arrived) {
      Move move = moving.remove(host);
      if (move != null) {
        justLeft.put(host, tokens.getOrDefault(host, BigInteger.ZERO));
        tokens.put(host, move.to());
        received.put(move.stream(), BYTES_PER_MOVE);
        move.order().complete(new Ended(End.DONE, ""));
      }
    }
  }

  @Override
  public void begun(String step) {}

  @Override
  public void progress(String text) {}

  @Override
  public void moved(String node, long streamedBytes) {
    streamed.put(node, streamedBytes);
  }
}
