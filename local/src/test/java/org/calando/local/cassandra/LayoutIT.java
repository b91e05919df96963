package org.calando.local.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.Placement;
import org.calando.core.layout.ReplicaLoad;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.junit.jupiter.api.Test;

class LayoutIT {
  @Test
  void nodesTellTheOwnershipAndTheReplicasThatTheLayoutPredicts() throws IOException, JMException {
    LocalCassandraConfig config =
        LocalCassandraIT.config().nodes(3).racks(1).layout(WarmShare.THIRD).build();
    TokenLayout layout = TokenLayout.of(3, WarmShare.THIRD, Arrangement.CONTIGUOUS);
    ReplicaLoad load = ReplicaLoad.of(layout.ring(), Placement.simple(3, 2));
    try (LocalCassandra cluster = LocalCassandra.start(config)) {
      try (RawCql cql = new RawCql(cluster.nodes().get(0))) {
        cql.createTable("{'class': 'SimpleStrategy', 'replication_factor': 2}");
      }
      try (JMXConnector connector = connect(config)) {
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        ObjectName service = new ObjectName("org.apache.cassandra.db:type=StorageService");
        Map<?, ?> owned = (Map<?, ?>) beans.getAttribute(service, "Ownership");
        Map<?, ?> held =
            (Map<?, ?>)
                beans.invoke(
                    service,
                    "effectiveOwnership",
                    new Object[] {"k"},
                    new String[] {String.class.getName()});
        for (LocalNode node : cluster.nodes()) {
          InetAddress address = InetAddress.getByName(node.address());
          // The nodes tell floats.
          assertThat(((Number) owned.get(address)).doubleValue())
              .isCloseTo(layout.ownership(node.index()).toDouble(), within(1e-6));
          assertThat(((Number) held.get(address)).doubleValue())
              .isCloseTo(load.held(node.index()).toDouble(), within(1e-6));
        }
      }
    }
  }

  @SuppressWarnings("BanJNDI") // our own child's registry
  private static JMXConnector connect(LocalCassandraConfig config) throws IOException {
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + config.jmxPort(1) + "/jmxrmi";
    return JMXConnectorFactory.connect(new JMXServiceURL(url));
  }
}
