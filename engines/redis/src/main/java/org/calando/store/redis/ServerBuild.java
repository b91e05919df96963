package org.calando.store.redis;

import java.util.Optional;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.internal.BuildReader;

/**
 * Which server a node runs, and with how many threads for its connections. Immutable and thread
 * safe.
 *
 * @param product {@code redis} or {@code valkey}
 * @param version as it says itself, such as {@code 8.0.2}
 * @param ioThreads its setting {@code io-threads}, the main thread included, so 1 without any; 0 if
 *     it does not tell
 * @param pid its process, if that runs on this machine; 0 otherwise
 */
public record ServerBuild(String product, String version, int ioThreads, long pid) {
  /** Redis's name. */
  public static final String REDIS = "redis";

  /** Valkey's name. */
  public static final String VALKEY = "valkey";

  /**
   * Asks a node.
   *
   * @param credentials if it asks for some; may run INFO. Without {@code CONFIG GET} the threads of
   *     a server on this machine are counted
   * @param tls how the connection is encrypted; empty: not at all
   * @throws org.calando.core.FailedWorkException if it does not answer
   */
  public static ServerBuild of(
      RedisNode node, Optional<Credentials> credentials, Optional<TlsSettings> tls) {
    return BuildReader.read(node, credentials, tls);
  }

  /** The first number of the version; 0 if it begins with none. */
  public int major() {
    int digits = 0;
    while (digits < Math.min(9, version.length()) && Character.isDigit(version.charAt(digits))) {
      digits++;
    }
    return digits == 0 ? 0 : Integer.parseInt(version.substring(0, digits));
  }

  /** Product and version in words, such as {@code Redis 8.0.2}. */
  public String describe() {
    return (product.equals(VALKEY) ? "Valkey " : "Redis ") + version;
  }
}
