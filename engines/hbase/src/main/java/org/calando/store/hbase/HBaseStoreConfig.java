package org.calando.store.hbase;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/**
 * How to reach an HBase cluster, and which of its tables are ours. Immutable and thread safe.
 *
 * @param quorum ZooKeeper's servers, each {@code HOST:PORT}
 * @param znode where in ZooKeeper the cluster is
 * @param user whom the cluster is told that we are; empty for the user who runs this process
 * @param namespace the namespace of our tables
 * @param regions regions that a table is split into when it is made
 * @param requestTimeout how long a read or a strong write may take, retries included
 * @param exitTimeout how long the end of this process may wait for deferred writes to reach the
 *     server
 * @param boundBytes most bytes of writes that are unsent or unanswered, of all clients together
 * @param sameServers whether a table counts as held only while the RegionServers are those that it
 *     was made on
 */
public record HBaseStoreConfig(
    List<String> quorum,
    String znode,
    Optional<String> user,
    String namespace,
    int regions,
    Duration requestTimeout,
    Duration exitTimeout,
    long boundBytes,
    boolean sameServers) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");
  private static final Pattern ENDPOINT = Pattern.compile("[A-Za-z0-9_.-]{1,253}:\\d{1,5}");
  private static final Pattern ZNODE = Pattern.compile("/[A-Za-z0-9_./-]{1,200}");

  public static Builder builder() {
    return new Builder();
  }

  /** Whether a text may be part of a table's name here. */
  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private final List<String> quorum = new ArrayList<>();
    private String znode = "/hbase";
    private Optional<String> user = Optional.empty();
    private String namespace = "calando";
    private int regions = 8;
    private Duration requestTimeout = Duration.ofSeconds(5);
    private Duration exitTimeout = Duration.ofSeconds(60);
    private long boundBytes = Runtime.getRuntime().maxMemory() / 4;
    private boolean sameServers;

    private Builder() {}

    /** Adds a ZooKeeper server, {@code HOST:PORT}; at least one is needed. */
    @CanIgnoreReturnValue
    public Builder quorum(String endpoint) {
      quorum.add(endpoint);
      return this;
    }

    /** Default: {@code /hbase}. */
    @CanIgnoreReturnValue
    public Builder znode(String path) {
      znode = path;
      return this;
    }

    /** Default: the user who runs this process. It is believed without proof, or refused. */
    @CanIgnoreReturnValue
    public Builder user(String name) {
      user = Optional.of(name);
      return this;
    }

    /** Default: {@code calando}. It is made if it is not there. */
    @CanIgnoreReturnValue
    public Builder namespace(String name) {
      namespace = name;
      return this;
    }

    /** Default: 8. */
    @CanIgnoreReturnValue
    public Builder regions(int count) {
      regions = count;
      return this;
    }

    /** Default: 5 s. */
    @CanIgnoreReturnValue
    public Builder requestTimeout(Duration timeout) {
      requestTimeout = timeout;
      return this;
    }

    /** Default: 60 s. Short for a cluster that ends with this process. */
    @CanIgnoreReturnValue
    public Builder exitTimeout(Duration timeout) {
      exitTimeout = timeout;
      return this;
    }

    /** Default: a quarter of this JVM's heap. */
    @CanIgnoreReturnValue
    public Builder boundBytes(long bytes) {
      boundBytes = bytes;
      return this;
    }

    /**
     * Default: false. True where nobody ends and starts RegionServers by order, and figures of
     * other servers are none.
     */
    @CanIgnoreReturnValue
    public Builder sameServers(boolean required) {
      sameServers = required;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws BadRequestException with all that is wrong
     */
    public HBaseStoreConfig build() {
      List<String> wrong = new ArrayList<>();
      if (quorum.isEmpty() || quorum.stream().anyMatch(each -> !ENDPOINT.matcher(each).matches())) {
        wrong.add("quorum " + quorum + " is not a list of HOST:PORT");
      }
      if (!ZNODE.matcher(znode).matches()) {
        wrong.add("'" + znode + "' is no path in ZooKeeper");
      }
      if (!isName(namespace)) {
        wrong.add("'" + namespace + "' is no namespace: lower-case letters, digits, underscores");
      }
      if (regions < 1 || regions > 1000) {
        wrong.add("regions " + regions + " is not 1 to 1000");
      }
      if (requestTimeout.toMillis() < 1) {
        wrong.add("the timeout of a request is below 1 ms");
      }
      if (boundBytes < 1 << 16) {
        wrong.add("a bound of " + boundBytes + " bytes is below 64 KiB");
      }
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong), "hbase", "see docs/hbase.md for what is possible");
      }
      return new HBaseStoreConfig(
          List.copyOf(quorum),
          znode,
          user,
          namespace,
          regions,
          requestTimeout,
          exitTimeout,
          boundBytes,
          sameServers);
    }
  }
}
