package org.calando.store.redis.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.ServerBuild;
import org.calando.store.redis.internal.wire.RespCall;
import org.calando.store.redis.internal.wire.TlsKeys;

/** Asks a server what it is. Stateless. */
public final class BuildReader {
  private static final String IO_THREADS = "io-threads";

  private BuildReader() {}

  /** As {@link ServerBuild#of}. */
  public static ServerBuild read(
      RedisNode node, Optional<Credentials> credentials, Optional<TlsSettings> tls) {
    try (RespCall call = RespCall.open(node, credentials, tls.map(TlsKeys::read))) {
      Map<String, String> server = RoleReply.info(call.text("INFO", "server"));
      long pid =
          LocalProcess.find(
                  node.host(),
                  Numbers.longOr(server.get("process_id"), 0),
                  Numbers.longOr(server.get("uptime_in_seconds"), -1))
              .map(LocalProcess::pid)
              .orElse(0L);
      return build(server, call.ask("CONFIG", "GET", IO_THREADS), pid);
    }
  }

  /**
   * From answers.
   *
   * @param server of INFO
   * @param setting the reply to CONFIG GET, which users may not be allowed to ask
   */
  static ServerBuild build(Map<String, String> server, Object setting, long pid) {
    // Valkey tells the version of Redis that it stands for, too.
    boolean valkey = server.containsKey("valkey_version");
    String version = server.getOrDefault(valkey ? "valkey_version" : "redis_version", "");
    return new ServerBuild(
        valkey ? ServerBuild.VALKEY : ServerBuild.REDIS, version, ioThreads(setting, pid), pid);
  }

  private static int ioThreads(Object setting, long pid) {
    if (setting instanceof List<?> pair && pair.size() == 2 && IO_THREADS.equals(pair.get(0))) {
      return (int) Numbers.longOr(String.valueOf(pair.get(1)), 0);
    }
    return LocalProcess.ioThreads(pid);
  }
}
