package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.engine.StoreSpec;
import org.calando.store.redis.RedisCredentials;
import org.calando.store.redis.RedisStoreConfig;

/** What a file says of a user's own Redis, as the store takes it. Immutable and thread safe. */
public final class RedisAccess {
  private final Path base;

  /**
   * Paths of a file.
   *
   * @param base what they are relative to
   */
  public RedisAccess(Path base) {
    this.base = base;
  }

  /** Puts Sentinels, and their password, to what is built. */
  void add(RedisStoreConfig.Builder builder, SentinelSpec given) {
    given.sentinels().forEach(builder::sentinel);
    builder.masterName(given.masterName());
    given.credentials().map(this::credentials).ifPresent(builder::sentinelCredentials);
  }

  /**
   * Reads a password.
   *
   * @throws BadRequestException if it is not there
   */
  RedisCredentials credentials(StoreSpec.Credentials given) {
    Optional<String> user = Optional.of(given.user()).filter(name -> !name.isEmpty());
    return given
        .passwordFile()
        .map(file -> RedisCredentials.withPasswordFile(user, base.resolve(file)))
        .orElseGet(
            () ->
                RedisCredentials.withPasswordVariable(
                    user, System.getenv(), given.passwordVariable().orElse("")));
  }
}
