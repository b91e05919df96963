package org.calando.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A user and a password, read from a file or from the environment and shown nowhere: {@link
 * #toString()} names neither. Immutable and thread safe.
 */
public final class Credentials {
  private final String user;
  private final String password;
  private final String source;

  private Credentials(String user, String password, String source) {
    this.user = user;
    this.password = password;
    this.source = source;
  }

  /**
   * Takes the password from a file's first line.
   *
   * @param user empty for a server's default user
   * @throws BadRequestException if the file cannot be read or its first line is empty
   */
  public static Credentials withPasswordFile(String user, Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return of(
          user,
          reader.readLine(),
          file.toString(),
          "write the password into its first line",
          "file:" + file.toAbsolutePath());
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
   * @param user empty for a server's default user
   * @param environment the variables, such as {@code System.getenv()}
   * @throws BadRequestException if the variable is not set
   */
  public static Credentials withPasswordVariable(
      String user, Map<String, String> environment, String variable) {
    return of(user, environment.get(variable), "environment", "set " + variable, "env:" + variable);
  }

  /** What is known already, such as what a server begins with. */
  public static Credentials known(String user, String password) {
    return new Credentials(user, password, "");
  }

  private static Credentials of(
      String user, @Nullable String password, String where, String remedy, String source) {
    if (password == null || password.isEmpty()) {
      throw new BadRequestException("the password is missing", where, remedy);
    }
    return new Credentials(user, password, source);
  }

  /** The user's name, for authentication only; empty for the default user. */
  public String user() {
    return user;
  }

  /** The password, for authentication only. */
  public String password() {
    return password;
  }

  /**
   * Where the password was read, for a process that reads it again: {@code file:} and an absolute
   * path, or {@code env:} and a variable; empty where it is known otherwise.
   */
  public String source() {
    return source;
  }

  @Override
  public String toString() {
    return "Credentials[hidden]";
  }
}
