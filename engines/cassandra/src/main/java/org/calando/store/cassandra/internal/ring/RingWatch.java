package org.calando.store.cassandra.internal.ring;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.RingView.Sight;
import org.jspecify.annotations.Nullable;

/*
 * Each node tells its own tokens and schema (system.local), which tokens it holds the others to have
 * (system.peers_v2), and all states by gossip (system_views.gossip_info): NORMAL, MOVING with the
 * token, and others that mean that the ring changes or a node is gone. What left the ring is told
 * for days and is nobody's place any more.
 */
/** How the nodes of a cluster see its ring. Only reads; not thread safe. */
public final class RingWatch {
  private static final SimpleStatement LOCAL =
      NodeRows.question("SELECT host_id, tokens, schema_version FROM system.local");
  private static final SimpleStatement PEERS =
      NodeRows.question("SELECT host_id, tokens FROM system.peers_v2");
  private static final SimpleStatement GOSSIP =
      NodeRows.question("SELECT host_id, status, status_with_port FROM system_views.gossip_info");

  private static final SimpleStatement CONSISTENT_MOVES =
      NodeRows.question(
          "SELECT value FROM system_views.system_properties"
              + " WHERE name = 'cassandra.consistent.rangemovement'");

  private static final String NORMAL = "NORMAL";
  private static final String MOVING = "MOVING";
  private static final Set<String> GONE = Set.of("LEFT", "removed");

  private final CqlSession session;
  private final RingReader names;

  /** Looks over a session. */
  public RingWatch(CqlSession session, RingReader names) {
    this.session = session;
    this.names = names;
  }

  /** What one look has seen: by node, by host id. */
  private record Seen(
      Map<String, Own> own,
      Map<Node, Map<String, List<BigInteger>>> peers,
      Map<Node, Map<String, String>> states,
      Map<Node, String> silent) {}

  private record Own(Node node, List<BigInteger> tokens, @Nullable UUID schema) {}

  private Seen see() {
    NodeRows local = NodeRows.ask(session, LOCAL);
    NodeRows peers = NodeRows.ask(session, PEERS);
    NodeRows gossip = NodeRows.ask(session, GOSSIP);
    Map<String, Own> own = new TreeMap<>();
    local
        .rows()
        .forEach(
            (node, rows) ->
                rows.forEach(
                    row ->
                        own.put(
                            RingReader.hostId(row),
                            new Own(node, RingReader.tokens(row), row.getUuid("schema_version")))));
    Map<Node, String> silent = new HashMap<>(local.silent());
    silent.putAll(peers.silent());
    silent.putAll(gossip.silent());
    return new Seen(own, tokens(peers), states(gossip), silent);
  }

  private static Map<Node, Map<String, List<BigInteger>>> tokens(NodeRows peers) {
    Map<Node, Map<String, List<BigInteger>>> tokens = new HashMap<>();
    peers
        .rows()
        .forEach(
            (node, rows) -> {
              Map<String, List<BigInteger>> held = new HashMap<>();
              rows.forEach(row -> held.put(RingReader.hostId(row), RingReader.tokens(row)));
              tokens.put(node, held);
            });
    return tokens;
  }

  private static Map<Node, Map<String, String>> states(NodeRows gossip) {
    Map<Node, Map<String, String>> states = new HashMap<>();
    gossip
        .rows()
        .forEach(
            (node, rows) -> {
              Map<String, String> held = new HashMap<>();
              for (Row row : rows) {
                String status =
                    Objects.requireNonNullElse(
                        row.getString("status_with_port"),
                        Objects.requireNonNullElse(row.getString("status"), "?"));
                String host = Objects.requireNonNullElse(row.getString("host_id"), "?");
                if (!GONE.contains(word(status))) {
                  held.put(host, status);
                }
              }
              states.put(node, held);
            });
    return states;
  }

  private static String word(String status) {
    int comma = status.indexOf(',');
    return comma < 0 ? status : status.substring(0, comma);
  }

  /** See {@link org.calando.store.cassandra.RingView#obstacle}, but for streams. */
  public Optional<String> obstacle() {
    Seen seen = see();
    for (Map.Entry<Node, String> silent : seen.silent().entrySet()) {
      return Optional.of(
          "node " + names.name(silent.getKey()) + " does not answer (" + silent.getValue() + ")");
    }
    for (Node node : seen.states().keySet()) {
      for (Map.Entry<String, String> state :
          seen.states().getOrDefault(node, Map.of()).entrySet()) {
        if (!word(state.getValue()).equals(NORMAL)) {
          return Optional.of(
              "node %s holds %s to be %s"
                  .formatted(names.name(node), name(seen, state.getKey()), word(state.getValue())));
        }
      }
    }
    Set<UUID> schemas = new HashSet<>();
    for (Map.Entry<String, Own> own : seen.own().entrySet()) {
      Optional<String> doubt = doubt(seen, own.getKey(), own.getValue());
      if (doubt.isPresent()) {
        return doubt;
      }
      UUID schema = own.getValue().schema();
      if (schema != null) {
        schemas.add(schema);
      }
    }
    return schemas.size() > 1
        ? Optional.of("the nodes have %d versions of the schema".formatted(schemas.size()))
        : Optional.empty();
  }

  /** See {@link org.calando.store.cassandra.RingView#look}. */
  public Sight look(String hostId) {
    Seen seen = see();
    Own own = seen.own().get(hostId);
    if (own == null || own.tokens().isEmpty() || seen.silent().containsKey(own.node())) {
      throw new FailedWorkException(
          "does not answer", "node " + hostId, "start it, or see its system.log");
    }
    String status = ownState(seen, hostId, own);
    Optional<BigInteger> target =
        word(status).equals(MOVING)
            ? Optional.of(new BigInteger(status.substring(MOVING.length() + 1)))
            : Optional.empty();
    return new Sight(
        own.tokens().get(0),
        word(status),
        target,
        doubt(seen, hostId, own),
        moving(seen).stream()
            .filter(host -> !host.equals(hostId))
            .map(h -> name(seen, h))
            .toList());
  }

  /** See {@link org.calando.store.cassandra.RingView#moving}. */
  public List<String> moving() {
    Seen seen = see();
    return moving(seen).stream().map(host -> name(seen, host)).toList();
  }

  /** Host ids of nodes that hold themselves to be moving; others hear of its end later. */
  private static List<String> moving(Seen seen) {
    List<String> moving = new ArrayList<>();
    seen.own()
        .forEach(
            (host, own) -> {
              if (word(ownState(seen, host, own)).equals(MOVING)) {
                moving.add(host);
              }
            });
    return moving;
  }

  private static String ownState(Seen seen, String hostId, Own own) {
    return seen.states().getOrDefault(own.node(), Map.of()).getOrDefault(hostId, "?");
  }

  /** See {@link org.calando.store.cassandra.LiveRing#takingFromAny}. */
  public List<String> takingFromAny() {
    List<String> names = new ArrayList<>();
    NodeRows.ask(session, CONSISTENT_MOVES)
        .rows()
        .forEach(
            (node, rows) -> {
              if (rows.stream().anyMatch(row -> "false".equalsIgnoreCase(row.getString("value")))) {
                names.add(this.names.name(node));
              }
            });
    return names.stream().sorted().toList();
  }

  /** See {@link org.calando.store.cassandra.RingView#tokens}. */
  public Map<String, BigInteger> tokens() {
    Seen seen = see();
    Map<String, BigInteger> tokens = new TreeMap<>();
    for (Map.Entry<Node, String> silent : seen.silent().entrySet()) {
      throw new FailedWorkException(
          "does not answer (" + silent.getValue() + ")",
          "node " + names.name(silent.getKey()),
          "start it, or see its system.log");
    }
    seen.own().forEach((host, own) -> tokens.put(host, own.tokens().get(0)));
    return tokens;
  }

  /** Which other node holds a node to have other tokens or another state than it says itself. */
  private Optional<String> doubt(Seen seen, String hostId, Own own) {
    String state = ownState(seen, hostId, own);
    for (Map.Entry<Node, String> silent : seen.silent().entrySet()) {
      return Optional.of("node " + names.name(silent.getKey()) + " does not answer");
    }
    for (Own other : seen.own().values()) {
      if (other.node().equals(own.node())) {
        continue;
      }
      List<BigInteger> held =
          seen.peers().getOrDefault(other.node(), Map.of()).getOrDefault(hostId, List.of());
      String heldState =
          seen.states().getOrDefault(other.node(), Map.of()).getOrDefault(hostId, "?");
      if (!held.equals(own.tokens()) || !word(heldState).equals(word(state))) {
        return Optional.of(
            "node %s holds %s to be %s at %s"
                .formatted(
                    names.name(other.node()), names.name(own.node()), word(heldState), held));
      }
    }
    return Optional.empty();
  }

  private String name(Seen seen, String hostId) {
    Own own = seen.own().get(hostId);
    return own == null ? "node " + hostId : names.name(own.node());
  }
}
