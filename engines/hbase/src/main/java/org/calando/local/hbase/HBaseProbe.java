package org.calando.local.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.local.process.BeanPages;

/** Asks the master and ZooKeeper how they are. Thread safe. */
final class HBaseProbe {
  private static final String MASTER = "Hadoop:service=HBase,name=Master,sub=Server";
  private static final int CONNECT_MILLIS = 1_000;

  private final BeanPages pages = new BeanPages();

  /** Whether the master is active and done with its beginning. */
  boolean isMasterUp(int pagePort) {
    return master(pagePort).isPresent();
  }

  /** Ports of the RegionServers that the master holds for live; none if it is not up. */
  Set<Integer> liveNodes(int pagePort) {
    return master(pagePort).map(bean -> bean.path("tag.liveRegionServers").asText()).stream()
        .flatMap(names -> Stream.of(names.split(";", -1)))
        .map(name -> name.split(",", -1))
        .filter(parts -> parts.length == 3)
        .map(parts -> Integer.parseInt(parts[1]))
        .collect(Collectors.toSet());
  }

  private Optional<JsonNode> master(int pagePort) {
    return pages
        .bean(LocalHBaseConfig.ADDRESS, pagePort, MASTER)
        .filter(bean -> bean.path("tag.isActiveMaster").asText().equals("true"))
        .filter(bean -> bean.path("masterFinishedInitializationTime").asLong() > 0);
  }

  /** Whether somebody listens. */
  boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException notNow) {
      return false;
    }
  }
}
