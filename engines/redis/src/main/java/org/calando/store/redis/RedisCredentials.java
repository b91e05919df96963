package org.calando.store.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A password, and the ACL user that it belongs to, read from a file or from the environment and
 * shown nowhere. Immutable and thread safe.
 */
public final class RedisCredentials {
  private final @Nullable String user;
  private final String password;

  private RedisCredentials(@Nullable String user, String password) {
    this.user = user;
    this.password = password;
  }

  /**
   * Takes the password from a file's first line.
   *
   * @param user the ACL user; empty: the default user
   * @throws BadRequestException if the file cannot be read or its first line is empty
   */
  public static RedisCredentials withPasswordFile(Optional<String> user, Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return of(user, reader.readLine(), file.toString(), "write the password into its first line");
    } catch (IOException e) {
      throw new BadRequestException(
          "the password cannot be read (" + e.getClass().getSimpleName() + ")",
          file.toString(),
          "give a readable file whose first line is the password");
    }
  }

  /**
   * Takes the password from a variable of the environment.
   *
   * @param user the ACL user; empty: the default user
   * @param environment the variables, such as {@code System.getenv()}
   * @throws BadRequestException if the variable is not set
   */
  public static RedisCredentials withPasswordVariable(
      Optional<String> user, Map<String, String> environment, String variable) {
    return of(user, environment.get(variable), "environment", "set " + variable);
  }

  private static RedisCredentials of(
      Optional<String> user, @Nullable String password, String where, String remedy) {
    if (password == null || password.isEmpty()) {
      throw new BadRequestException("the password is missing", where, remedy);
    }
    return new RedisCredentials(user.orElse(null), password);
  }

  /** The ACL user, for authentication only; empty: the default user. */
  public Optional<String> user() {
    return Optional.ofNullable(user);
  }

  /** The password, for authentication only. */
  public String password() {
    return password;
  }

  @Override
  public String toString() {
    return "RedisCredentials[hidden]";
  }
}
