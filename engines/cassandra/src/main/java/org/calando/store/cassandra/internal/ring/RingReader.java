package org.calando.store.cassandra.internal.ring;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.Partitioner;
import org.calando.http.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.RingKeyspace;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;
import org.calando.store.cassandra.internal.JmxCall;
import org.jspecify.annotations.Nullable;

/** Reads a cluster's ring, with what each node has on disk. Only reads; not thread safe. */
public final class RingReader {
  private static final SimpleStatement LOCAL =
      NodeRows.question(
          "SELECT cluster_name, partitioner, data_center, rack, host_id, tokens FROM system.local");
  private static final SimpleStatement DISK =
      NodeRows.question("SELECT keyspace_name, mebibytes FROM system_views.disk_usage");
  private static final SimpleStatement KEYSPACES =
      NodeRows.question("SELECT keyspace_name, replication FROM system_schema.keyspaces");

  private final CqlSession session;
  private final Map<InetSocketAddress, Listed> listed;
  private final Optional<Credentials> jmxCredentials;

  /**
   * A node as the user lists it.
   *
   * @param name what he calls it
   * @param jmx where its JMX is reached
   */
  public record Listed(String name, Optional<Endpoint> jmx) {}

  /** Reads over a session; nodes are listed by the address where clients reach them. */
  public RingReader(
      CqlSession session,
      Map<InetSocketAddress, Listed> listed,
      Optional<Credentials> jmxCredentials) {
    this.session = session;
    this.listed = listed;
    this.jmxCredentials = jmxCredentials;
  }

  /** See {@link org.calando.store.cassandra.LiveRing#read}. */
  public RingState read() {
    requireListed();
    NodeRows local = answers(LOCAL);
    List<RingKeyspace> keyspaces = keyspaces();
    boolean exact = listed.values().stream().allMatch(each -> each.jmx().isPresent());
    List<String> names = keyspaces.stream().map(RingKeyspace::name).toList();
    Map<Node, Map<String, Long>> bytes = exact ? overJmx(names) : mebibytes(names);
    List<RingNode> nodes = new ArrayList<>();
    for (InetSocketAddress address : listed.keySet()) {
      Node node = node(address);
      nodes.add(
          ringNode(
              address,
              one(local.rows().getOrDefault(node, List.of()), node),
              bytes.getOrDefault(node, Map.of())));
    }
    Row first = local.rows().values().iterator().next().get(0);
    return new RingState(
        text(first, "cluster_name"),
        partitioner(text(first, "partitioner")),
        nodes,
        keyspaces,
        exact);
  }

  /** What the user calls a node; its address if he does not list it. */
  String name(Node node) {
    Listed known =
        node.getEndPoint().resolve() instanceof InetSocketAddress address
            ? listed.get(address)
            : null;
    return known == null ? Objects.toString(node.getEndPoint()) : known.name();
  }

  private void requireListed() {
    Set<InetSocketAddress> found = new HashSet<>();
    for (Node node : session.getMetadata().getNodes().values()) {
      if (node.getEndPoint().resolve() instanceof InetSocketAddress address) {
        found.add(address);
        if (!listed.containsKey(address)) {
          throw new BadRequestException(
              "the cluster has a node that is not listed: " + address,
              "inventory",
              "list every node of the cluster");
        }
      }
    }
    listed.forEach(
        (address, known) -> {
          if (!found.contains(address)) {
            throw new BadRequestException(
                "the cluster has no such node: " + address,
                "node " + known.name(),
                "list the nodes of the cluster, at the addresses that they tell clients");
          }
        });
  }

  private Node node(InetSocketAddress address) {
    return session.getMetadata().getNodes().values().stream()
        .filter(each -> address.equals(each.getEndPoint().resolve()))
        .findFirst()
        .orElseThrow();
  }

  private NodeRows answers(SimpleStatement question) {
    NodeRows answers = NodeRows.ask(session, question);
    answers
        .silent()
        .forEach(
            (node, why) -> {
              throw new FailedWorkException(
                  "does not answer (" + why + ")",
                  "node " + name(node),
                  "start it; nodes are moved only while all are up");
            });
    return answers;
  }

  private List<RingKeyspace> keyspaces() {
    List<RingKeyspace> keyspaces = new ArrayList<>();
    for (Row row : session.execute(KEYSPACES)) {
      Map<String, String> options = new TreeMap<>();
      Map<String, String> stored = row.getMap("replication", String.class, String.class);
      if (stored != null) {
        options.putAll(stored);
      }
      options.computeIfPresent("class", (k, name) -> name.substring(name.lastIndexOf('.') + 1));
      RingKeyspace keyspace = new RingKeyspace(text(row, "keyspace_name"), options);
      if (!keyspace.isFixed()) {
        keyspaces.add(keyspace);
      }
    }
    keyspaces.sort(Comparator.comparing(RingKeyspace::name));
    return keyspaces;
  }

  private Map<Node, Map<String, Long>> mebibytes(List<String> keyspaces) {
    Map<Node, Map<String, Long>> bytes = new HashMap<>();
    answers(DISK)
        .rows()
        .forEach(
            (node, rows) -> {
              Map<String, Long> sizes = new HashMap<>();
              rows.forEach(row -> sizes.merge(text(row, "keyspace_name"), size(row), Long::sum));
              sizes.keySet().retainAll(keyspaces);
              bytes.put(node, sizes);
            });
    return bytes;
  }

  private static long size(Row row) {
    return row.getLong("mebibytes") << 20;
  }

  private Map<Node, Map<String, Long>> overJmx(List<String> keyspaces) {
    Map<Node, Map<String, Long>> bytes = new HashMap<>();
    listed.forEach(
        (address, known) ->
            bytes.put(
                node(address),
                JmxCall.within(
                    known.jmx().orElseThrow(), jmxCredentials, node -> node.liveBytes(keyspaces))));
    return bytes;
  }

  private RingNode ringNode(InetSocketAddress address, Row row, Map<String, Long> bytes) {
    Listed known = Objects.requireNonNull(listed.get(address));
    return new RingNode(
        known.name(),
        hostId(row),
        address,
        text(row, "data_center"),
        text(row, "rack"),
        tokens(row),
        bytes,
        known.jmx());
  }

  static String hostId(Row row) {
    @Nullable UUID id = row.getUuid("host_id");
    return Objects.toString(id, "?");
  }

  static List<BigInteger> tokens(Row row) {
    @Nullable Set<String> tokens = row.getSet("tokens", String.class);
    return tokens == null ? List.of() : tokens.stream().map(BigInteger::new).sorted().toList();
  }

  private static Row one(List<Row> rows, Node node) {
    if (rows.size() != 1) {
      throw new FailedWorkException(
          "does not report its place on the ring",
          "node " + node.getEndPoint(),
          "look whether it has joined the ring");
    }
    return rows.get(0);
  }

  private static Partitioner partitioner(String name) {
    return Arrays.stream(Partitioner.values())
        .filter(each -> name.endsWith("." + each.className()))
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "it partitions by " + name + ", which has no layouts",
                    "cluster",
                    "use Murmur3Partitioner or RandomPartitioner"));
  }

  private static String text(Row row, String column) {
    return Objects.requireNonNullElse(row.getString(column), "?");
  }
}
