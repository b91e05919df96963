package org.calando.store.hdfs;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster is reached. Immutable and thread safe.
 *
 * @param uri the NameNode, {@code hdfs://HOST:PORT}
 * @param http where the NameNode shows its counters and settings over HTTP, {@code HOST:PORT}
 * @param user as whom; changing maintenance and moving replicas needs HDFS's superuser
 * @param answerWithin how long to go on asking a NameNode that does not answer
 * @param hostsFile the NameNode's hosts file, as it is found from here; empty: maintenance cannot
 *     be changed
 */
public record HdfsAccess(
    URI uri, String http, String user, Duration answerWithin, Optional<Path> hostsFile) {
  /** The NameNode's HTTP port where nothing else is said; Hadoop 3's own default. */
  public static final int HTTP_PORT = 9870;

  /**
   * A cluster.
   *
   * @param uri of its NameNode, {@code hdfs://HOST:PORT}
   */
  public static Builder of(String uri) {
    return new Builder(uri);
  }

  /** Collects the options. Not thread safe. */
  public static final class Builder {
    private final String uri;
    private @Nullable String http;
    private String user = System.getProperty("user.name");
    private Duration answerWithin = Duration.ofSeconds(30);
    private @Nullable Path hostsFile;

    private Builder(String uri) {
      this.uri = uri;
    }

    /** Default: port 9870 of the NameNode's host. */
    @CanIgnoreReturnValue
    public Builder http(String hostAndPort) {
      http = hostAndPort;
      return this;
    }

    /** Default: this process's user. */
    @CanIgnoreReturnValue
    public Builder user(String name) {
      user = name;
      return this;
    }

    /** Default: 30 s. */
    @CanIgnoreReturnValue
    public Builder answerWithin(Duration time) {
      answerWithin = time;
      return this;
    }

    /** Default: none. */
    @CanIgnoreReturnValue
    public Builder hostsFile(Path file) {
      hostsFile = file.toAbsolutePath();
      return this;
    }

    /**
     * The access.
     *
     * @throws BadRequestException with all that is wrong, or asks for what is not supported
     */
    public HdfsAccess build() {
      List<String> wrong = new ArrayList<>();
      URI parsed = parse(wrong);
      if (http != null && !http.matches("[^/:\\s]+:\\d{1,5}")) {
        wrong.add("'" + http + "' is no HOST:PORT");
      }
      if (user.isBlank()) {
        wrong.add("there is no user");
      }
      if (answerWithin.isNegative() || answerWithin.isZero()) {
        wrong.add("answer-within " + answerWithin + " is not positive");
      }
      if (!wrong.isEmpty()) {
        throw new BadRequestException(
            String.join("; ", wrong), uri, "give hdfs://HOST:PORT; see docs/hdfs.md");
      }
      return new HdfsAccess(
          parsed,
          http == null ? parsed.getHost() + ":" + HTTP_PORT : http,
          user,
          answerWithin,
          Optional.ofNullable(hostsFile));
    }

    private URI parse(List<String> wrong) {
      try {
        URI parsed = URI.create(uri);
        if (!"hdfs".equals(parsed.getScheme())
            || parsed.getHost() == null
            || parsed.getPort() < 1) {
          wrong.add("not the URI of one NameNode");
        }
        return parsed;
      } catch (IllegalArgumentException e) {
        wrong.add("not a URI");
        return URI.create("hdfs:/");
      }
    }
  }
}
