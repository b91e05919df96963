package org.calando.store.cassandra.gear;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.JMException;
import javax.management.ReflectionException;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeyspaceReplicas;
import org.calando.core.layout.rack.RackNode;
import org.calando.http.Credentials;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.internal.JmxCall;
import org.calando.store.cassandra.internal.JmxNode;
import org.calando.store.cassandra.internal.Refusals;
import org.jspecify.annotations.Nullable;

/** A cluster's nodes over the JMX of each, and its schema over CQL. Thread safe. */
public final class JmxServers implements RackServers {
  static final String SERVICE = "org.apache.cassandra.db:type=StorageService";
  static final String PROXY = "org.apache.cassandra.db:type=StorageProxy";
  private static final String SNITCH = "org.apache.cassandra.db:type=EndpointSnitchInfo";
  private static final String REPAIRS = "org.apache.cassandra.db:type=RepairService";
  private static final String STREAMS = "org.apache.cassandra.net:type=StreamManager";
  private static final String HINTS = "org.apache.cassandra.hints:type=HintsService";

  /**
   * What there is for passwords alone, and for certificates alone: one whose users need neither has
   * none.
   */
  private static final List<String> LOGINS =
      List.of(
          "org.apache.cassandra.auth:type=CredentialsCache",
          "org.apache.cassandra.auth:type=IdentitiesCache");

  private static final String RUNTIME = "java.lang:type=Runtime";

  /** Traces and the history of repairs: no reads of clients rely on them. */
  private static final Set<String> REPORTED = Set.of("system_traces", "system_distributed");

  private static final String AUTH = "system_auth";
  private static final String KEYSPACES = "NonLocalStrategyKeyspaces";
  private static final long RANGES_SECONDS = 120;
  private static final long DRAIN_SECONDS = 300;
  private static final long REPAIR_SECONDS = TimeUnit.DAYS.toSeconds(1);

  private final Map<String, Endpoint> nodes;
  private final Optional<Credentials> credentials;
  private final TableGraces graces;
  private final KeySample keys;
  private final Map<String, String> silences = new ConcurrentHashMap<>();

  /**
   * Nodes by name, in the order of the inventory.
   *
   * @param nodes where the JMX of each is reached
   * @param credentials of JMX, if it asks for any
   * @param clients how clients reach the cluster
   */
  public JmxServers(
      Map<String, Endpoint> nodes,
      Optional<Credentials> credentials,
      CassandraStoreConfig clients) {
    this.nodes = new LinkedHashMap<>(nodes);
    this.credentials = credentials;
    this.graces = new TableGraces(clients);
    this.keys = new KeySample(clients);
  }

  private <T> T ask(String node, JmxCall.Call<T> call) {
    return JmxCall.within(endpoint(node), credentials, call);
  }

  private Endpoint endpoint(String node) {
    Endpoint known = nodes.get(node);
    if (known == null) {
      throw new BadRequestException(
          "is recorded as a node of the cluster, and not listed",
          "node " + node,
          "list it in the inventory under this name");
    }
    return known;
  }

  @Override
  public List<String> names() {
    return List.copyOf(nodes.keySet());
  }

  @Override
  public String target() {
    for (String node : nodes.keySet()) {
      try {
        return ask(node, jmx -> text(jmx.read(SERVICE, "ClusterName")));
      } catch (FailedWorkException e) {
        // Another one says the same.
      }
    }
    throw new FailedWorkException(
        "no node answers over JMX", "cluster", "start a node; or correct the nodes' jmx");
  }

  @Override
  public Optional<NodeSight> sight(String node) {
    try {
      Optional<NodeSight> sight = Optional.of(ask(node, jmx -> sight(node, jmx)));
      silences.remove(node);
      return sight;
    } catch (FailedWorkException e) {
      silences.put(node, e.what().replace(JmxCall.SILENT, ""));
      return Optional.empty();
    }
  }

  @Override
  public String silence(String node) {
    return silences.getOrDefault(node, "");
  }

  private static NodeSight sight(String name, JmxNode jmx) throws IOException, JMException {
    Map<String, String> hostIds = hostIds(jmx);
    Set<String> live = new HashSet<>();
    for (String endpoint : texts(jmx.read(SERVICE, "LiveNodesWithPort"))) {
      live.add(hostIds.getOrDefault(endpoint, endpoint));
    }
    return new NodeSight(
        new RackNode(name, text(jmx.read(SNITCH, "Datacenter")), text(jmx.read(SNITCH, "Rack"))),
        text(jmx.read(SERVICE, "LocalHostId")),
        text(jmx.read(SERVICE, "OperationMode")),
        Boolean.TRUE.equals(jmx.read(SERVICE, "NativeTransportRunning")),
        live,
        new HashSet<>(hostIds.values()),
        text(jmx.read(SERVICE, "SchemaVersion")),
        new NodeSight.Life(
            number(jmx.read(RUNTIME, "StartTime")),
            number(jmx.read(RUNTIME, "Uptime")),
            OwnRepairs.of(jmx)),
        hints(jmx),
        busy(jmx));
  }

  private static NodeSight.Hints hints(JmxNode jmx) throws IOException, JMException {
    Set<String> targets = new HashSet<>();
    if (jmx.read(HINTS, "PendingHints") instanceof Collection<?> files) {
      for (Object file : files) {
        if (file instanceof Map<?, ?> each) {
          targets.add(text(each.get("host_id")));
        }
      }
    }
    Object withoutHints = jmx.read(PROXY, "HintedHandoffDisabledDCs");
    return new NodeSight.Hints(
        Boolean.TRUE.equals(jmx.read(PROXY, "HintedHandoffEnabled"))
            && withoutHints instanceof Collection<?> centres
            && centres.isEmpty(),
        (int) number(jmx.read(PROXY, "MaxHintWindow")),
        Math.max(0, (int) number(jmx.read(PROXY, "MaxHintsSizePerHostInMiB"))),
        jmx.total("type=Storage,name=TotalHints"),
        jmx.total("type=HintsService,name=HintsSucceeded"),
        jmx.total("type=HintsService,name=HintsFailed")
            + jmx.total("type=HintsService,name=HintsTimedOut"),
        targets,
        jmx.total("type=HintsService,name=Hints_not_stored-*"));
  }

  private static List<String> busy(JmxNode jmx) throws IOException, JMException {
    List<String> busy = new ArrayList<>();
    if (jmx.readIfThere(STREAMS, "CurrentStreams").orElse(List.of())
            instanceof Collection<?> streams
        && !streams.isEmpty()) {
      busy.add("streams");
    }
    if (number(jmx.call(REPAIRS, "parentRepairSessionsCount")) > 0) {
      busy.add("a repair");
    }
    for (String changing : List.of("JoiningNodes", "LeavingNodes", "MovingNodes")) {
      if (!texts(jmx.read(SERVICE, changing)).isEmpty()) {
        String what = changing.substring(0, changing.length() - "Nodes".length());
        busy.add(what.toLowerCase(Locale.ROOT) + " nodes");
      }
    }
    return busy;
  }

  /** By address and port. */
  private static Map<String, String> hostIds(JmxNode jmx) throws IOException, JMException {
    Map<String, String> hostIds = new TreeMap<>();
    if (jmx.read(SERVICE, "EndpointWithPortToHostId") instanceof Map<?, ?> known) {
      known.forEach((endpoint, id) -> hostIds.put(text(endpoint), text(id)));
    }
    return hostIds;
  }

  @Override
  public Replicas replicas(String asked, Map<String, String> names) {
    boolean asksForLogins = ask(asked, JmxServers::asksForLogins);
    List<KeyspaceReplicas> relied = new ArrayList<>();
    List<String> reported = new ArrayList<>();
    for (String keyspace : ask(asked, jmx -> texts(jmx.read(SERVICE, KEYSPACES)))) {
      if (REPORTED.contains(keyspace) || (keyspace.equals(AUTH) && !asksForLogins)) {
        reported.add(keyspace);
      } else {
        // Tens of thousands of ranges take their time, where nodes have many tokens.
        relied.add(
            JmxCall.within(
                RANGES_SECONDS,
                endpoint(asked),
                credentials,
                jmx -> replicas(jmx, keyspace, names)));
      }
    }
    return new Replicas(relied, reported);
  }

  private static boolean asksForLogins(JmxNode jmx) throws IOException, JMException {
    for (String cache : LOGINS) {
      if (jmx.readIfThere(cache, "Validity").isPresent()) {
        return true;
      }
    }
    return false;
  }

  private static KeyspaceReplicas replicas(JmxNode jmx, String keyspace, Map<String, String> names)
      throws IOException, JMException {
    Map<String, String> hostIds = hostIds(jmx);
    Set<Set<String>> ranges = new HashSet<>();
    if (jmx.call(SERVICE, "getRangeToEndpointWithPortMap", keyspace) instanceof Map<?, ?> map) {
      for (Object replicas : map.values()) {
        Set<String> range = new TreeSet<>();
        texts(replicas).forEach(each -> range.add(name(each, hostIds, names)));
        ranges.add(range);
      }
    }
    return new KeyspaceReplicas(keyspace, ranges);
  }

  private static String name(
      String endpoint, Map<String, String> hostIds, Map<String, String> names) {
    String name = names.get(hostIds.getOrDefault(endpoint, ""));
    if (name == null) {
      throw new BadRequestException(
          "the cluster has a node that is not listed: " + endpoint,
          "inventory",
          "list every node of the cluster, with its jmx");
    }
    return name;
  }

  @Override
  public Compared compare() {
    return keys.compare();
  }

  @Override
  public Graces graces() {
    return graces.all();
  }

  @Override
  public void keepHints(String node, int millis, int mostMebibytes) {
    order(
        node,
        jmx -> {
          jmx.write(PROXY, "MaxHintWindow", millis);
          jmx.write(PROXY, "MaxHintsSizePerHostInMiB", mostMebibytes);
        });
  }

  @Override
  public void repairByItself(String node, Set<String> types, boolean does) {
    order(node, jmx -> OwnRepairs.set(jmx, types, does));
  }

  @Override
  public void drain(String node) throws InterruptedException {
    var unused =
        within(
            DRAIN_SECONDS,
            node,
            "its drain",
            jmx -> Optional.ofNullable(jmx.call(SERVICE, "drain")));
  }

  /** Waits longer than for an answer. */
  private <T> T within(long seconds, String node, String what, JmxCall.Call<T> call)
      throws InterruptedException {
    try {
      return JmxCall.begin(endpoint(node), credentials, call).get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw failed(node, what + " did not end well: " + Refusals.brief(e), e);
    }
  }

  private static FailedWorkException failed(String node, String why, Exception cause) {
    return new FailedWorkException(why, "node " + node, "see its system.log", cause);
  }

  @Override
  public void serve(String node, boolean serves) {
    order(node, jmx -> serve(jmx, serves));
  }

  /** Requests that are under way are answered first, by nodes that can do so. */
  private static void serve(JmxNode jmx, boolean serves) throws IOException, JMException {
    if (serves) {
      jmx.call(SERVICE, "startNativeTransport");
      return;
    }
    try {
      jmx.call(SERVICE, "stopNativeTransport", false);
    } catch (ReflectionException e) {
      jmx.call(SERVICE, "stopNativeTransport");
    }
  }

  @Override
  public void repair(String node, String keyspace, boolean withoutEnded)
      throws InterruptedException {
    Optional<String> failed =
        within(
            REPAIR_SECONDS,
            node,
            "its repair",
            jmx -> jmx.repair(keyspace, withoutEnded, Duration.ofSeconds(REPAIR_SECONDS)));
    if (failed.isPresent()) {
      throw new FailedWorkException(
          "the repair of keyspace " + keyspace + " failed: " + failed.get(),
          "node " + node,
          "see its system.log; look whether all replicas are up");
    }
  }

  /** Something that a node does. */
  interface Order {
    void give(JmxNode jmx) throws IOException, JMException;
  }

  private void order(String node, Order order) {
    var unused =
        ask(
            node,
            jmx -> {
              order.give(jmx);
              return true;
            });
  }

  private static Set<String> texts(@Nullable Object collection) {
    Set<String> texts = new TreeSet<>();
    if (collection instanceof Collection<?> some) {
      some.forEach(each -> texts.add(text(each)));
    }
    return texts;
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number known ? known.longValue() : 0;
  }
}
