package org.calando.engine.redis;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.engine.StoreSpec;
import org.calando.engine.TlsSpec;
import org.calando.store.redis.RedisCredentials;
import org.calando.store.redis.RedisStoreConfig;
import org.calando.store.redis.RedisTls;

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

  /** How connections are encrypted; nothing is read yet. */
  RedisTls tls(TlsSpec given) {
    return new RedisTls(
        given.ca().map(base::resolve),
        store(given.trustStore(), given.trustStorePassword()),
        given.certificate().map(base::resolve),
        given.key().map(base::resolve),
        store(given.keyStore(), given.keyStorePassword()),
        given.verifyHostname());
  }

  private Optional<RedisTls.StoreFile> store(Optional<String> file, Optional<String> password) {
    return file.map(
        name -> new RedisTls.StoreFile(base.resolve(name), base.resolve(password.orElseThrow())));
  }
}
