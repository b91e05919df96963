package org.calando.local.cassandra;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.Arrangement;
import org.calando.core.layout.TokenLayout;
import org.calando.core.layout.WarmShare;
import org.calando.local.ConfigJson;
import org.calando.local.LocalConfig;
import org.calando.local.relay.LinkDelays;
import org.jspecify.annotations.Nullable;

/** What a local Cassandra cluster is to look like. Immutable; made by {@link #builder}. */
public final class LocalCassandraConfig extends LocalConfig {
  /** The most nodes a local cluster has. */
  public static final int MAX_NODES = 9;

  /** JMX base of the block 127.0: Cassandra's own port, less one for the first node. */
  private static final int FIRST_JMX_BASE = 7199;

  /** Above what other blocks' bases are: ten ports each, of which nine are used. */
  private static final int OTHER_JMX_BASES = 10_199;

  /** Which compilers of the JVM a node uses. */
  public enum Compiler {
    /** The quick one only: half the CPU of a start, and less in runs of minutes. */
    C1,
    /** All of them, as in production. */
    C2
  }

  private final int racks;
  private final int replicationFactor;
  // Of each node, separated by commas: as they are given.
  private final List<String> tokens;
  private final int heapMebibytes;
  private final Compiler compiler;
  private final @Nullable LinkDelays linkDelays;
  private final String block;
  private final int cqlPort;
  private final int storagePort;
  private final int jmxPort;
  private final boolean auth;
  private final boolean tls;
  private final List<String> dataCentres;
  private final Map<String, Object> yaml;

  private LocalCassandraConfig(Builder builder) {
    super(builder);
    racks = builder.racks;
    replicationFactor =
        builder.replicationFactor == 0 ? Math.min(3, nodes()) : builder.replicationFactor;
    List<List<String>> ofNodes =
        builder.tokens == null
            ? Tokens.of(TokenLayout.of(nodes(), builder.layout, Arrangement.CONTIGUOUS), racks)
            : Tokens.parse(builder.tokens, nodes());
    tokens = ofNodes.stream().map(ofNode -> String.join(",", ofNode)).toList();
    heapMebibytes = builder.heapMebibytes;
    compiler = builder.compiler;
    linkDelays = builder.delays().filter(any -> builder.relay || !any.isZero()).orElse(null);
    block = builder.block;
    cqlPort = builder.cqlPort;
    storagePort = builder.storagePort;
    jmxPort = builder.jmxPort == null ? jmxBase(block) : builder.jmxPort;
    auth = builder.auth;
    tls = builder.tls;
    dataCentres =
        builder.dataCentres.isEmpty()
            ? Collections.nCopies(nodes(), LocalCassandra.DATA_CENTRE)
            : builder.dataCentres;
    yaml = Map.copyOf(builder.yaml);
  }

  /** Three nodes, up within two minutes; every other default stands at its method. */
  public static Builder builder() {
    return new Builder();
  }

  /** That of a cluster's state, which has a relay if it has delays, be they 0. */
  static LocalCassandraConfig read(JsonNode state, Optional<Path> stateFolder) {
    Builder builder = ConfigJson.read(state, stateFolder, builder());
    return builder.relay(builder.linkDelays != null).build();
  }

  /** Number of racks. */
  public int racks() {
    return racks;
  }

  /** The replication factor that tables are meant to have; only recorded here. */
  public int replicationFactor() {
    return replicationFactor;
  }

  /** The tokens of each node. */
  public List<List<String>> tokens() {
    return tokens.stream().map(ofNode -> List.of(ofNode.split(",", -1))).toList();
  }

  /** Heap of a node in MiB. */
  public int heapMebibytes() {
    return heapMebibytes;
  }

  /** The compilers. */
  public Compiler compiler() {
    return compiler;
  }

  /** The delays of the links when the cluster starts; empty if there is no relay between them. */
  public Optional<LinkDelays> linkDelays() {
    return Optional.ofNullable(linkDelays);
  }

  /** Where clients reach node i (1 to N): BLOCK.0.i. */
  public String address(int node) {
    return block + ".0." + node;
  }

  /** Where the other nodes reach node i: the relay's BLOCK.1.i, or the node itself. */
  public String peerAddress(int node) {
    return linkDelays != null ? block + ".1." + node : address(node);
  }

  /** The first two bytes of the addresses. */
  public String block() {
    return block;
  }

  /** The native transport's port. */
  public int cqlPort() {
    return cqlPort;
  }

  /** The port of internode traffic. */
  public int storagePort() {
    return storagePort;
  }

  /** JMX is on 127.0.0.1 whatever the block, so each block has ports of its own. */
  private static int jmxBase(String block) {
    int second = Integer.parseInt(block.substring(block.indexOf('.') + 1));
    return second == 0 ? FIRST_JMX_BASE : OTHER_JMX_BASES + 10 * second;
  }

  /** The JMX port of node i, on 127.0.0.1: the base plus i. */
  public int jmxPort(int node) {
    return jmxPort + node;
  }

  /** Whether clients must log in. */
  public boolean auth() {
    return auth;
  }

  /** Whether clients must use TLS. */
  public boolean tls() {
    return tls;
  }

  /** The data centre of each node. */
  public List<String> dataCentres() {
    return dataCentres;
  }

  /** Settings that go into every node's cassandra.yaml in place of ours. */
  public Map<String, Object> yaml() {
    return yaml;
  }

  /** Collects the settings; not thread safe. */
  public static final class Builder extends LocalConfig.Builder<Builder> {
    private int racks = 1;
    private int replicationFactor;
    private @Nullable List<String> tokens;
    private WarmShare layout = WarmShare.EVEN;
    private int heapMebibytes = 256;
    private Compiler compiler = Compiler.C1;
    private @Nullable LinkDelays linkDelays;
    private boolean relay;
    private String block = "127.0";
    private int cqlPort = 9042;
    private int storagePort = 7000;
    private @Nullable Integer jmxPort;
    private boolean auth;
    private boolean tls;
    private List<String> dataCentres = List.of();
    private final Map<String, Object> yaml = new LinkedHashMap<>();

    private Builder() {
      super(3, Duration.ofMinutes(2));
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** Number of racks, 1 to the nodes; default 1. Nodes take the racks in turn. */
    public Builder racks(int newRacks) {
      racks = newRacks;
      return this;
    }

    /** Replication factor to record, 1 to the nodes; default 3, or the nodes if fewer. */
    public Builder replicationFactor(int newReplicationFactor) {
      replicationFactor = newReplicationFactor;
      return this;
    }

    /** Which share of the nodes is warm, without {@link #tokens}; default none: an even ring. */
    public Builder layout(WarmShare newLayout) {
      layout = newLayout;
      return this;
    }

    /** One entry a node, several tokens separated by commas; default as {@link #layout} has it. */
    public Builder tokens(List<String> newTokens) {
      tokens = List.copyOf(newTokens);
      return this;
    }

    /** Heap of a node in MiB, 128 to 16384; default 256. */
    public Builder heapMebibytes(int newHeapMebibytes) {
      heapMebibytes = newHeapMebibytes;
      return this;
    }

    /** Compilers of the JVM; default {@link Compiler#C1}. */
    public Builder compiler(Compiler newCompiler) {
      compiler = newCompiler;
      return this;
    }

    /** A delay per link; default none. */
    public Builder linkDelays(LinkDelays delays) {
      linkDelays = delays;
      return this;
    }

    /**
     * Whether a relay is between the nodes even if no link has a delay at first, so that {@link
     * LocalCassandra#linkDelays(LinkDelays)} can give them one; default only where there is one.
     */
    public Builder relay(boolean newRelay) {
      relay = newRelay;
      return this;
    }

    /** First two bytes of the loopback addresses, 127.0 to 127.255; default 127.0. */
    public Builder block(String newBlock) {
      block = newBlock;
      return this;
    }

    /** Port of the native transport; default 9042. */
    public Builder cqlPort(int newCqlPort) {
      cqlPort = newCqlPort;
      return this;
    }

    /** Port of internode traffic; default 7000. */
    public Builder storagePort(int newStoragePort) {
      storagePort = newStoragePort;
      return this;
    }

    /**
     * JMX base: node i gets the base plus i, on 127.0.0.1; default 7199 with the block 127.0, and
     * 10199 + 10 X with 127.X.
     */
    public Builder jmxPort(int newJmxPort) {
      jmxPort = newJmxPort;
      return this;
    }

    /**
     * Whether clients must log in; default no. The cluster then starts with Cassandra's built-in
     * superuser, whose password everybody knows until whoever starts it has changed that.
     */
    public Builder auth(boolean newAuth) {
      auth = newAuth;
      return this;
    }

    /** Whether clients must use TLS, with a CA and certificates made for it; default no. */
    public Builder tls(boolean newTls) {
      tls = newTls;
      return this;
    }

    /** The data centre of each node; default {@code dc1} for all. */
    public Builder dataCentres(List<String> newDataCentres) {
      dataCentres = List.copyOf(newDataCentres);
      return this;
    }

    /** A setting of cassandra.yaml in place of ours: text, number, boolean, list or map. */
    public Builder yaml(String key, Object value) {
      yaml.put(key, value);
      return this;
    }

    /**
     * The configuration.
     *
     * @throws BadRequestException with all settings that are wrong
     */
    public LocalCassandraConfig build() {
      refuse(problems(), LocalCassandra.ENGINE, "change these settings");
      return new LocalCassandraConfig(this);
    }

    private Optional<LinkDelays> delays() {
      return linkDelays == null && relay
          ? Optional.of(LinkDelays.uniform(nodes(), Duration.ZERO))
          : Optional.ofNullable(linkDelays);
    }

    private List<String> problems() {
      List<String> problems = new ArrayList<>();
      range(problems, "nodes", nodes(), 1, MAX_NODES);
      range(problems, "racks", racks, 1, Math.max(1, nodes()));
      if (replicationFactor != 0) {
        range(problems, "replication factor", replicationFactor, 1, Math.max(1, nodes()));
      }
      range(problems, "heap in MiB", heapMebibytes, 128, 16384);
      range(problems, "CQL port", cqlPort, 1, 65535);
      range(problems, "storage port", storagePort, 1, 65535);
      if (jmxPort != null) {
        range(problems, "JMX base port", jmxPort, 1, 65535 - MAX_NODES);
      }
      if (cqlPort == storagePort) {
        problems.add("CQL port and storage port are both " + cqlPort);
      }
      if (!block.matches("127\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])")) {
        problems.add("block '" + block + "' is not one of 127.0 to 127.255");
      }
      if (nodes() > 0 && !layout.fits(nodes())) {
        problems.add("layout " + layout.label() + " has no warm node of " + nodes());
      }
      if (tokens != null && !layout.equals(WarmShare.EVEN)) {
        problems.add("layout " + layout.label() + " and tokens are both given");
      }
      if (!dataCentres.isEmpty() && dataCentres.size() != nodes()) {
        problems.add("data centres are for " + dataCentres.size() + " nodes, not " + nodes());
      }
      if (linkDelays != null && linkDelays.nodes() != nodes()) {
        problems.add("link delays are for " + linkDelays.nodes() + " nodes, not " + nodes());
      }
      return problems;
    }

    private static void range(List<String> problems, String what, int value, int low, int high) {
      if (value < low || value > high) {
        problems.add(what + " is " + value + ", must be " + low + " to " + high);
      }
    }
  }
}
