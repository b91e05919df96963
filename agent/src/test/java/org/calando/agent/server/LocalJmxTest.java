package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.registry.LocateRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.power.jmx.JmxSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Figures of this very process, over its JMX. */
class LocalJmxTest {
  private static final String BEAN = "org.calando.test.metrics:type=Reads";

  private static int port;
  private static JMXConnectorServer connectors;

  /** A histogram as Cassandra has it. */
  public interface ReadsMBean {
    long getCount();

    String getWords();

    Object getForeign();

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
    return new LocalJmx(Map.of("database", new JmxSource("127.0.0.1", where, Optional.empty())));
  }

  @Test
  void figuresOfMetricsAreRead() {
    try (LocalJmx jmx = jmx(port)) {
      assertThat(jmx.read("database/" + BEAN + "/Count,values()"))
          .isEqualTo("{\"Count\":3,\"values()\":[0,2,1]}");
      assertThat(jmx.read("database/" + BEAN + "/Count")).isEqualTo("{\"Count\":3}");
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
        assertThatThrownBy(() -> jmx.read(path)).as(path).isInstanceOf(BadRequestException.class);
      }
      assertThatThrownBy(() -> jmx.read("database/" + BEAN + "/Words"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("is no number");
      assertThatThrownBy(() -> jmx.read("database/" + BEAN + "/Foreign"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("REJECTED");
      assertThat(jmx.read("database/" + BEAN + "/Count")).isEqualTo("{\"Count\":3}");
    }
  }

  @Test
  void aProcessThatIsSilentHoldsOneQuestion() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LocalJmx jmx = jmx(silent.getLocalPort())) {
      CompletableFuture<Void> first =
          CompletableFuture.runAsync(() -> jmx.read("database/" + BEAN + "/Count"));
      try (Socket taken = silent.accept()) {
        assertThatThrownBy(() -> jmx.read("database/" + BEAN + "/Count"))
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
      assertThatThrownBy(() -> jmx.read("database/" + BEAN + "/Count"))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not answer");
    }
  }
}
