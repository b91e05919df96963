package org.calando.store.cassandra.internal;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.http.Credentials;
import org.calando.store.cassandra.Endpoint;
import org.jspecify.annotations.Nullable;

/*
 * The hint backlog of a node is TotalHints (written since its start) less HintsSucceeded (delivered
 * since its start; absent while none was), less that difference at the baseline, since hints that
 * expired or were dropped never show as delivered. A total below the baseline's means that the node
 * restarted: its counters began at 0, and so does the baseline.
 */
/** JMX of one node; connects when needed and again after an error. Used by one thread. */
public final class JmxNode {
  private static final String METRICS = "org.apache.cassandra.metrics:";
  private static final long ALIVE_SECONDS = 10;
  private static final String SERVICE = "org.apache.cassandra.db:type=StorageService";

  private final Endpoint endpoint;
  private final Map<String, Object> environment;
  private @Nullable JMXConnector connector;
  private long baselineTotal;
  private long baselineBacklog;

  JmxNode(Endpoint endpoint, Optional<Credentials> credentials) {
    this.endpoint = endpoint;
    this.environment = environment(credentials);
  }

  private static Map<String, Object> environment(Optional<Credentials> credentials) {
    Map<String, Object> environment = new HashMap<>();
    // No thread that asks now and then whether the node is there, and warns on the terminal when it
    // has been stopped: a question that gets no answer tells that too.
    environment.put("jmx.remote.x.client.connection.check.period", 0L);
    credentials.ifPresent(
        known ->
            environment.put(
                JMXConnector.CREDENTIALS, new String[] {known.user(), known.password()}));
    return environment;
  }

  /** Remembers the hint counters; returns the backlog they show. */
  long takeBaseline() throws IOException, JMException {
    MBeanServerConnection server = server();
    baselineTotal = counter(server, "type=Storage,name=TotalHints");
    baselineBacklog = baselineTotal - counter(server, "type=HintsService,name=HintsSucceeded");
    return baselineBacklog;
  }

  /** What the node still has to do, in words; empty if nothing. */
  List<String> workLeft() throws IOException, JMException {
    MBeanServerConnection server = server();
    List<String> left = new ArrayList<>();
    long total = counter(server, "type=Storage,name=TotalHints");
    if (total < baselineTotal) {
      baselineTotal = 0;
      baselineBacklog = 0;
    }
    long hints = total - counter(server, "type=HintsService,name=HintsSucceeded") - baselineBacklog;
    if (hints > 0) {
      left.add(this + " " + hints + " hints");
    }
    Object pending =
        server.getAttribute(new ObjectName(METRICS + "type=Compaction,name=PendingTasks"), "Value");
    if (pending instanceof Number tasks && tasks.longValue() > 0) {
      left.add(this + " " + tasks + " compactions");
    }
    return left;
  }

  /** Has the node take another token; returns when it has. */
  void move(BigInteger token) throws IOException, JMException {
    server()
        .invoke(
            new ObjectName(SERVICE),
            "move",
            new Object[] {token.toString()},
            new String[] {String.class.getName()});
  }

  /** Has the node drop what it is no replica of; returns when it has. */
  void cleanup(String keyspace) throws IOException, JMException {
    Object status =
        server()
            .invoke(
                new ObjectName(SERVICE),
                "forceKeyspaceCleanup",
                new Object[] {1, keyspace, new String[0]},
                new String[] {"int", String.class.getName(), String[].class.getName()});
    if (status instanceof Integer code && code != 0) {
      throw new JMException("cleanup of keyspace " + keyspace + " ended with status " + code);
    }
  }

  /** Bytes of keyspaces on disk, those of tables' snapshots not counted. */
  public Map<String, Long> liveBytes(List<String> keyspaces) throws IOException, JMException {
    Map<String, Long> bytes = new HashMap<>();
    for (String keyspace : keyspaces) {
      bytes.put(
          keyspace, sum("type=Keyspace,keyspace=" + quoted(keyspace) + ",name=LiveDiskSpaceUsed"));
    }
    return bytes;
  }

  /** Names are letters, digits and underscores, which need no quotes. */
  private static String quoted(String keyspace) {
    return keyspace.matches("\\w+") ? keyspace : ObjectName.quote(keyspace);
  }

  /**
   * How many reads of clients took how long since the node's start, as their coordinator: of the
   * buckets of Cassandra's estimated histograms, in microseconds.
   */
  public long[] readLatencies() throws IOException, JMException {
    Object counts =
        server()
            .invoke(
                new ObjectName(METRICS + "type=ClientRequest,scope=Read,name=Latency"),
                "values",
                new Object[0],
                new String[0]);
    if (counts instanceof long[] known) {
      return known;
    }
    throw new JMException("the latencies of reads are no histogram but " + counts);
  }

  /** What an attribute says. */
  public @Nullable Object read(String bean, String attribute) throws IOException, JMException {
    return server().getAttribute(new ObjectName(bean), attribute);
  }

  /** What an attribute says; empty where the node has no such bean or attribute. */
  public Optional<Object> readIfThere(String bean, String attribute)
      throws IOException, JMException {
    try {
      return Optional.ofNullable(read(bean, attribute));
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return Optional.empty();
    }
  }

  /** Sets an attribute. */
  public void write(String bean, String attribute, Object value) throws IOException, JMException {
    server().setAttribute(new ObjectName(bean), new Attribute(attribute, value));
  }

  /**
   * Has the node repair all its ranges of a keyspace with their other replicas, in full; returns
   * when that has ended.
   *
   * @param withoutEnded whether replicas that are down are left out
   * @return why it failed; empty if it has succeeded, or there was nothing to repair
   */
  public Optional<String> repair(String keyspace, boolean withoutEnded, Duration within)
      throws IOException, JMException, InterruptedException {
    // An incremental one skips what it has once marked.
    Map<String, String> options = new HashMap<>();
    options.put("primaryRange", "false");
    options.put("incremental", "false");
    options.put("forceRepair", Boolean.toString(withoutEnded));
    MBeanServerConnection server = server();
    ObjectName service = new ObjectName(SERVICE);
    BlockingQueue<Notification> heard = new LinkedBlockingQueue<>();
    NotificationListener listener = (notification, handback) -> heard.add(notification);
    server.addNotificationListener(service, listener, null, null);
    try {
      if (!(call(SERVICE, "repairAsync", keyspace, options) instanceof Integer number)
          || number == 0) {
        return Optional.empty();
      }
      return ended(server, "repair:" + number, heard, System.nanoTime() + within.toNanos());
    } finally {
      server.removeNotificationListener(service, listener);
    }
  }

  /** The events of a repair are of types 0 to 6: 2 is an error, 4 its success, 5 its end. */
  private static Optional<String> ended(
      MBeanServerConnection server,
      String source,
      BlockingQueue<Notification> heard,
      long untilNanos)
      throws IOException, InterruptedException {
    String error = "no success was reported";
    while (System.nanoTime() - untilNanos < 0) {
      Notification next = heard.poll(ALIVE_SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        // Fails if the node is gone, which tells nothing by itself.
        var unused = server.getMBeanCount();
        continue;
      }
      Object type =
          source.equals(next.getSource()) && next.getUserData() instanceof Map<?, ?> event
              ? event.get("type")
              : null;
      if (Integer.valueOf(2).equals(type)) {
        error = next.getMessage();
      } else if (Integer.valueOf(4).equals(type)) {
        error = "";
      } else if (Integer.valueOf(5).equals(type)) {
        return error.isEmpty() ? Optional.empty() : Optional.of(error);
      }
    }
    return Optional.of("it has not ended in time");
  }

  /** Calls an operation of parameters that are no primitives but these. */
  public @Nullable Object call(String bean, String operation, Object... values)
      throws IOException, JMException {
    String[] types =
        Arrays.stream(values)
            .map(
                value -> {
                  if (value instanceof Integer || value instanceof Boolean) {
                    return value instanceof Integer ? "int" : "boolean";
                  }
                  return value instanceof Map ? Map.class.getName() : value.getClass().getName();
                })
            .toArray(String[]::new);
    return server().invoke(new ObjectName(bean), operation, values, types);
  }

  /** The sum of counters whose names match; 0 while there are none. */
  public long total(String pattern) throws IOException, JMException {
    return sum(pattern);
  }

  /** Bytes that the node received from clients and other nodes since its start. */
  long bytesReceived() throws IOException, JMException {
    return sum("type=InboundConnection,scope=*,name=ReceivedBytes")
        + sum("type=ClientMessageSize,name=BytesReceived");
  }

  /** Bytes that the node sent to clients and other nodes since its start. */
  long bytesSent() throws IOException, JMException {
    return sum("type=Connection,scope=*,name=LargeMessageCompletedBytes")
        + sum("type=Connection,scope=*,name=SmallMessageCompletedBytes")
        + sum("type=Connection,scope=*,name=UrgentMessageCompletedBytes")
        + sum("type=ClientMessageSize,name=BytesSent");
  }

  /** The sum of gauges or counters whose names match. */
  private long sum(String pattern) throws IOException, JMException {
    MBeanServerConnection server = server();
    long sum = 0;
    for (ObjectName name : server.queryNames(new ObjectName(METRICS + pattern), null)) {
      Object value =
          server.getAttributes(name, new String[] {"Value", "Count"}).asList().stream()
              .map(Attribute::getValue)
              .findFirst()
              .orElse(0L);
      sum += value instanceof Number number ? number.longValue() : 0;
    }
    return sum;
  }

  private static long counter(MBeanServerConnection server, String name)
      throws IOException, JMException {
    try {
      Object value = server.getAttribute(new ObjectName(METRICS + name), "Count");
      return value instanceof Number number ? number.longValue() : 0;
    } catch (InstanceNotFoundException e) {
      // Registered with the first count.
      return 0;
    }
  }

  // JMX over RMI is how Cassandra offers its counters; the address is the user's own configuration.
  @SuppressWarnings("BanJNDI")
  private MBeanServerConnection server() throws IOException {
    JMXConnector current = connector;
    if (current != null) {
      try {
        MBeanServerConnection server = current.getMBeanServerConnection();
        var unused = server.getMBeanCount();
        return server;
      } catch (IOException e) {
        close();
      }
    }
    JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + endpoint + "/jmxrmi");
    JMXConnector opened = JMXConnectorFactory.connect(url, environment);
    connector = opened;
    return opened.getMBeanServerConnection();
  }

  void close() {
    JMXConnector current = connector;
    connector = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        // The node is gone: nothing is left to close.
      }
    }
  }

  @Override
  public String toString() {
    return "JMX " + endpoint;
  }
}
