package org.calando.store.cassandra.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.Optional;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.junit.jupiter.api.Test;

class JmxServersTest {
  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aNodeThatRefusesTheLoginIsTakenForNoOtherThanThat() throws IOException {
    int port = freePort();
    Registry registry = LocateRegistry.createRegistry(port);
    JMXAuthenticator refuses =
        credentials -> {
          throw new SecurityException("Authentication failed! Credentials required");
        };
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            Map.of(JMXConnectorServer.AUTHENTICATOR, refuses),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
    try {
      JmxServers servers =
          new JmxServers(
              Map.of("n1", new Endpoint("127.0.0.1", port)),
              Optional.empty(),
              CassandraStoreConfig.builder().contactPoint("127.0.0.1", port).build());
      assertThat(servers.silence("n1")).isEmpty();
      assertThat(servers.sight("n1")).isEmpty();
      assertThat(servers.silence("n1")).startsWith(" (").contains("Credentials required");
    } finally {
      server.stop();
      UnicastRemoteObject.unexportObject(registry, true);
    }
  }
}
