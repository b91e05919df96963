package org.calando.agent.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.OperationsException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.clock.PlatformClasses;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.power.MeterException;
import org.calando.power.jmx.JmxSource;
import org.jspecify.annotations.Nullable;

/*
 * A process may run as somebody who must not become the agent's user: what it answers is deserialized, so only classes of
 * the platform are, of bounded size, in the whole agent. RMI waits for ever unless its own properties say otherwise.
 */
/**
 * Reads figures of processes on this machine that the agent's file names, over JMX. It sets nothing
 * and calls nothing that acts. Thread safe; one question at a time for each process.
 */
final class LocalJmx implements AutoCloseable {
  /** The operation of a histogram that gives its counts. */
  private static final String VALUES = "values()";

  private static final Pattern ATTRIBUTES =
      Pattern.compile("(\\w{1,100}|values\\(\\))(,(\\w{1,100}|values\\(\\))){0,15}");
  private static final String RMI_MILLIS = "20000";

  /** A histogram has some hundred; an answer of 16 attributes has to fit into the agent's 32 MB. */
  private static final int MOST_VALUES = 4096;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Reader> byName = new TreeMap<>();

  /**
   * Asks nothing yet.
   *
   * @param patience how long a question may take
   */
  LocalJmx(Map<String, JmxSource> sources, Duration patience) {
    this(sources, patience, LocalJmx::connect);
  }

  /** The same, where something else connects. */
  LocalJmx(Map<String, JmxSource> sources, Duration patience, Connect connect) {
    if (!sources.isEmpty()) {
      guard();
    }
    sources.forEach((name, source) -> byName.put(name, new Reader(source, patience, connect)));
  }

  /** Connects to a process. */
  @FunctionalInterface
  interface Connect {
    JMXConnector to(JmxSource source) throws IOException, MeterException;
  }

  private static synchronized void guard() {
    PlatformClasses.only();
    System.setProperty("sun.rmi.transport.tcp.responseTimeout", RMI_MILLIS);
    System.setProperty("sun.rmi.transport.tcp.handshakeTimeout", RMI_MILLIS);
  }

  /**
   * Attributes of a bean, as JSON.
   *
   * @param path {@code NAME/BEAN/ATTRIBUTE,ATTRIBUTE}
   * @throws BadRequestException if there is no such process or bean, or it is none that may be read
   * @throws FailedWorkException if the process does not answer in time, or has not answered the
   *     last question yet; from the stage too
   */
  CompletionStage<String> read(String path) {
    int first = path.indexOf('/');
    int last = path.lastIndexOf('/');
    if (first < 1 || last == first) {
      throw new BadRequestException(
          "is not NAME/BEAN/ATTRIBUTES", "a question to JMX", "see docs/agent.md");
    }
    Reader reader = byName.get(path.substring(0, first));
    if (reader == null) {
      throw new BadRequestException(
          "there is no JMX of this name",
          path.substring(0, first),
          "name it in the agent's file: jmx");
    }
    ObjectName bean = bean(path.substring(first + 1, last));
    String attributes = path.substring(last + 1);
    if (!ATTRIBUTES.matcher(attributes).matches()) {
      throw new BadRequestException(
          "names no attributes", bean.toString(), "give 1 to 16 names, or values(), with commas");
    }
    return reader.read(bean, List.of(attributes.split(",", -1)));
  }

  /** Beans of metrics alone: others tell what a process is started with, and more. */
  private static ObjectName bean(String text) {
    try {
      ObjectName bean = new ObjectName(text);
      if (!bean.isPattern() && bean.getDomain().endsWith(".metrics")) {
        return bean;
      }
    } catch (MalformedObjectNameException e) {
      // Refused below.
    }
    throw new BadRequestException(
        "is no bean of metrics", text, "name one bean of a domain that ends with .metrics");
  }

  /** One process. */
  private static final class Reader {
    private final JmxSource source;
    private final long patienceNanos;
    private final Connect connect;
    private final OneAtATime<String> calls;

    /** Of the call that is under way. */
    private volatile @Nullable JMXConnector connector;

    Reader(JmxSource source, Duration patience, Connect connect) {
      this.source = source;
      this.patienceNanos = patience.toNanos();
      this.connect = connect;
      this.calls = new OneAtATime<>(source.describe(), patience);
    }

    CompletionStage<String> read(ObjectName bean, List<String> attributes) {
      return calls
          .begin(
              () -> ask(bean, attributes),
              () -> {
                throw busy();
              },
              failure -> {})
          .orElseThrow(this::busy);
    }

    private FailedWorkException busy() {
      return new FailedWorkException("has not answered yet", source.describe(), "ask again");
    }

    private String ask(ObjectName bean, List<String> attributes) {
      long beganNanos = System.nanoTime();
      try {
        return words(connected(), bean, attributes, beganNanos);
      } catch (OperationsException e) {
        throw new BadRequestException(
            "has no such bean or attribute: " + e.getMessage(),
            source.describe(),
            "name what the process has");
      } catch (IOException | JMException | MeterException | SecurityException e) {
        disconnect();
        throw new FailedWorkException(
            "does not answer: " + e.getMessage(),
            source.describe(),
            "start the process; or correct jmx in the agent's file",
            e);
      }
    }

    private String words(
        MBeanServerConnection process, ObjectName bean, List<String> attributes, long beganNanos)
        throws IOException, JMException {
      ObjectNode words = JSON.createObjectNode();
      for (String attribute : attributes) {
        // Each call may take as long as RMI waits, and nobody waits for the answer any more.
        if (System.nanoTime() - beganNanos > patienceNanos) {
          throw busy();
        }
        Object value =
            attribute.equals(VALUES)
                ? process.invoke(bean, "values", new Object[0], new String[0])
                : process.getAttribute(bean, attribute);
        if (!isFigure(value)) {
          throw new JMException(
              attribute
                  + " of "
                  + bean
                  + " is no number, or more than "
                  + MOST_VALUES
                  + " numbers");
        }
        words.putPOJO(attribute, value);
      }
      return words.toString();
    }

    private static boolean isFigure(@Nullable Object value) {
      return value instanceof long[] counts
          ? counts.length <= MOST_VALUES
          : value instanceof double[] shares
              ? shares.length <= MOST_VALUES
              : value instanceof Number
                  && !(value instanceof BigInteger || value instanceof BigDecimal);
    }

    private MBeanServerConnection connected() throws IOException, MeterException {
      @Nullable JMXConnector known = connector;
      if (known == null) {
        known = connect.to(source);
        connector = known;
      }
      return known.getMBeanServerConnection();
    }

    /** On a thread of its own: to close a connection the process is asked once more. */
    private void disconnect() {
      @Nullable JMXConnector known = connector;
      connector = null;
      if (known != null) {
        var unused = DaemonThread.start("calando-jmx-close", () -> close(known));
      }
    }

    private static void close(JMXConnector connector) {
      try {
        connector.close();
      } catch (IOException e) {
        // The process is gone: nothing is left to close.
      }
    }
  }

  // JMX over RMI is how processes offer their figures; the address is the agent's own file's.
  @SuppressWarnings("BanJNDI")
  static JMXConnector connect(JmxSource source) throws IOException, MeterException {
    return JMXConnectorFactory.connect(
        new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://" + source.host() + ":" + source.port() + "/jmxrmi"),
        environment(source));
  }

  private static Map<String, Object> environment(JmxSource source) throws MeterException {
    Map<String, Object> environment = new HashMap<>();
    // No thread that asks now and then whether the process is there.
    environment.put("jmx.remote.x.client.connection.check.period", 0L);
    if (source.login().isPresent()) {
      JmxSource.Login login = source.login().get();
      environment.put(
          JMXConnector.CREDENTIALS, new String[] {login.user(), login.password().read()});
    }
    return environment;
  }

  /** Ends connections, without waiting for a process that does not answer. */
  @Override
  public void close() {
    byName.values().forEach(Reader::disconnect);
  }
}
