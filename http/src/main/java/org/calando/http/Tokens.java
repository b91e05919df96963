package org.calando.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;

/*
 * Only digests are compared, which are of one length, and all of them: how long that takes says nothing of a token.
 */
/**
 * The tokens of which a client has to show one, a line of a file each, so that a new one can be
 * given out before the old one ends. Immutable and thread safe.
 */
public final class Tokens {
  private static final String BEARER = "Bearer ";
  private static final int LEAST_CHARACTERS = 16;
  private static final int MOST_CHARACTERS = 1024;

  private final List<byte[]> digests;

  /**
   * Reads the file.
   *
   * @throws BadRequestException if it cannot be read, others may read it, or it holds no token
   */
  public Tokens(Path file) {
    this.digests = read(file).stream().map(Tokens::digest).toList();
  }

  /** Whether the header {@code Authorization} of a request shows one of them. */
  public boolean admits(Optional<String> authorization) {
    byte[] shown =
        digest(
            authorization
                .filter(text -> text.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(text -> text.substring(BEARER.length()).strip())
                .orElse(""));
    boolean admitted = false;
    for (byte[] each : digests) {
      admitted |= MessageDigest.isEqual(each, shown);
    }
    return admitted;
  }

  /**
   * What a client writes into {@code Authorization}: the file's first token.
   *
   * @throws BadRequestException as the constructor
   */
  static String authorization(Path file) {
    return BEARER + read(file).get(0);
  }

  private static List<String> read(Path file) {
    List<String> tokens =
        SecretFile.read(file).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    boolean usable =
        !tokens.isEmpty()
            && tokens.stream()
                .allMatch(
                    token ->
                        token.matches("[!-~]{" + LEAST_CHARACTERS + "," + MOST_CHARACTERS + "}"));
    if (!usable) {
      throw new BadRequestException(
          "holds no token, or one that is too short or has blanks",
          file.toString(),
          "write a line of at least "
              + LEAST_CHARACTERS
              + " characters of ASCII for each token, such as from openssl rand -hex 32");
    }
    return tokens;
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }
}
