package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.jmx.JmxSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Figures of this very process, over its JMX. */
class LocalJmxTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String BEAN = "org.calando.test.metrics:type=Reads";

  private static int port;
  private static JMXConnectorServer connectors;

  private static final CountDownLatch HELD = new CountDownLatch(1);
  private static final AtomicInteger ASKED = new AtomicInteger();

  /** A histogram as Cassandra has it. */
  public interface ReadsMBean {
    long getCount();

    String getWords();

    Object getForeign();

    long getHeld();

    long getAsked();

    long[] getMany();

    BigInteger getHuge();

    long[] values();
  }

  /** Whatever the class path has must not be deserialized. */
  static final class Foreign implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** Three reads. */
  public static final class Reads implements ReadsMBean {
    @Override
    public long getCount() {
      return 3;
    }

    @Override
    public String getWords() {
      return "three";
    }

    @Override
    public Object getForeign() {
      return new Foreign();
    }

    @Override
    public long getHeld() {
      try {
        HELD.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return 1;
    }

    @Override
    public long getAsked() {
      return ASKED.incrementAndGet();
    }

    @Override
    public long[] getMany() {
      return new long[5_000];
    }

    @Override
    public BigInteger getHuge() {
      return BigInteger.ONE.shiftLeft(500_000);
    }

    @Override
    public long[] values() {
      return new long[] {0, 2, 1};
    }
  }

  @BeforeAll
  static void offer() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    beans.registerMBean(new Reads(), new ObjectName(BEAN));
    beans.registerMBean(new Reads(), new ObjectName("org.calando.test:type=Reads"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var unused = LocateRegistry.createRegistry(port);
    connectors =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            Map.of(),
            beans);
    connectors.start();
  }

  @AfterAll
  static void end() throws Exception {
    connectors.stop();
  }

  private static LocalJmx jmx(int where) {
    return new LocalJmx(sources(where), OneAtATime.PATIENCE);
  }

  private static Map<String, JmxSource> sources(int where) {
    return Map.of("database", new JmxSource("127.0.0.1", where, Optional.empty()));
  }

  private static String read(LocalJmx jmx, String path) {
    try {
      return jmx.read(path).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CalandoException known ? known : e;
    }
  }

  @Test
  void figuresOfMetricsAreRead() {
    try (LocalJmx jmx = jmx(port)) {
      assertThat(read(jmx, "database/" + BEAN + "/Count,values()"))
          .isEqualTo("{\"Count\":3,\"values()\":[0,2,1]}");
      assertThat(read(jmx, "database/" + BEAN + "/Count")).isEqualTo("{\"Count\":3}");
    }
  }

  @Test
  void allElseIsRefused() {
    try (LocalJmx jmx = jmx(port)) {
      for (String path :
          List.of(
              "redis/" + BEAN + "/Count",
              "database/org.calando.test:type=Reads/Count",
              "database/java.lang:type=Runtime/Uptime",
              "database/org.calando.test.metrics:*/Count",
              "database/nothing/Count",
              "database/" + BEAN + "/Missing",
              "database/" + BEAN + "/clear()",
              "database/" + BEAN + "/",
              "database/" + BEAN,
              "database",
              "")) {
        assertThatThrownBy(() -> read(jmx, path)).as(path).isInstanceOf(BadRequestException.class);
      }
      assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/Words"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("is no number");
      for (String large : List.of("Many", "Huge")) {
        assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/" + large))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("more than 4096 numbers");
      }
      assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/Foreign"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("REJECTED");
      assertThat(read(jmx, "database/" + BEAN + "/Count")).isEqualTo("{\"Count\":3}");
    }
  }

  @Test
  void aProcessThatIsSilentHoldsOneQuestion() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LocalJmx jmx = jmx(silent.getLocalPort())) {
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(() -> read(jmx, "database/" + BEAN + "/Count"));
      try (Socket taken = silent.accept()) {
        assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/Count"))
            .isInstanceOf(FailedWorkException.class)
            .hasMessageContaining("has not answered yet");
        assertThatThrownBy(first::join).hasMessageContaining("has not answered yet");
        assertThat(taken.isConnected()).isTrue();
      }
    }
  }

  @Test
  void oneThatIsNotThereIsReported() {
    try (LocalJmx jmx = jmx(1)) {
      assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/Count"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not answer");
    }
  }

  @Test
  void nothingMoreIsReadForAQuestionThatTookTooLong() {
    try (LocalJmx hasty = new LocalJmx(sources(port), Duration.ofMillis(50))) {
      awaitCount(hasty); // connecting may take longer than that
      assertThatThrownBy(() -> read(hasty, "database/" + BEAN + "/Held,Asked"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("has not answered yet");
      HELD.countDown();
      awaitCount(hasty);
      assertThat(ASKED).hasValue(0);
    }
  }

  private static void awaitCount(LocalJmx jmx) {
    await()
        .atMost(LONG)
        .ignoreException(FailedWorkException.class)
        .until(() -> read(jmx, "database/" + BEAN + "/Count").contains("3"));
  }

  /** A connection that fails, and whose end waits for the process. */
  private static JMXConnector broken(CountDownLatch ends) {
    return (JMXConnector)
        Proxy.newProxyInstance(
            LocalJmxTest.class.getClassLoader(),
            new Class<?>[] {JMXConnector.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                ends.await();
                return null;
              }
              throw new IOException("the connection broke");
            });
  }

  @Test
  void theEndOfAConnectionHoldsNoQuestion() {
    CountDownLatch ends = new CountDownLatch(1);
    Deque<JMXConnector> connections = new ArrayDeque<>(List.of(broken(ends)));
    try (LocalJmx jmx =
        new LocalJmx(
            sources(port),
            LONG,
            source -> connections.isEmpty() ? LocalJmx.connect(source) : connections.remove())) {
      assertThatThrownBy(() -> read(jmx, "database/" + BEAN + "/Count"))
          .hasMessageContaining("the connection broke");
      assertThat(read(jmx, "database/" + BEAN + "/Count")).contains("3");
    } finally {
      ends.countDown();
    }
  }
}
