package org.calando.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/*
 * Only digests are compared, which are of one length, and all of them: how long that takes says nothing of a token.
 */
/**
 * The tokens of which a client has to show one, a line of a file each, so that a new one can be
 * given out before the old one ends: {@code TOKEN}, {@code viewer NAME TOKEN} or {@code operator
 * NAME TOKEN}. Immutable and thread safe.
 */
public final class Tokens {
  private static final String BEARER = "Bearer ";
  private static final int LEAST_CHARACTERS = 16;
  private static final int MOST_CHARACTERS = 1024;
  private static final Pattern LINE =
      Pattern.compile(
          "(?:(viewer|operator)[ \\t]+([A-Za-z0-9._@-]{1,64})[ \\t]+)?([!-~]{%d,%d})"
              .formatted(LEAST_CHARACTERS, MOST_CHARACTERS));

  private final List<Holder> holders;
  private final List<byte[]> digests;

  /** What who shows a token may do, where a service tells that apart. */
  public enum Role {
    /** Only asks; also who has a token without a name. */
    VIEWER,
    /** Also changes what is governed. */
    OPERATOR
  }

  /**
   * Who shows a token. Immutable and thread safe.
   *
   * @param name as the file has it; empty of a line that is a token only
   */
  public record Holder(Optional<String> name, Role role) {}

  /** A line of the file. */
  private record Line(Holder holder, String token) {}

  /**
   * Reads the file.
   *
   * @throws BadRequestException if it cannot be read, others may read it, or it holds no token
   */
  public Tokens(Path file) {
    List<Line> lines = read(file);
    this.holders = lines.stream().map(Line::holder).toList();
    this.digests = lines.stream().map(line -> digest(line.token())).toList();
  }

  /** Whether the header {@code Authorization} of a request shows one of them. */
  public boolean admits(Optional<String> authorization) {
    return holder(authorization).isPresent();
  }

  /** Whose token the header {@code Authorization} of a request shows; empty if it shows none. */
  public Optional<Holder> holder(Optional<String> authorization) {
    byte[] shown =
        digest(
            authorization
                .filter(text -> text.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(text -> text.substring(BEARER.length()).strip())
                .orElse(""));
    Optional<Holder> found = Optional.empty();
    for (int line = 0; line < digests.size(); line++) {
      if (MessageDigest.isEqual(digests.get(line), shown)) {
        found = Optional.of(holders.get(line));
      }
    }
    return found;
  }

  /**
   * What a client writes into {@code Authorization}: the file's first token.
   *
   * @throws BadRequestException as the constructor
   */
  static String authorization(Path file) {
    return BEARER + read(file).get(0).token();
  }

  private static List<Line> read(Path file) {
    List<String> lines =
        SecretFile.read(file).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    List<Line> read = new ArrayList<>();
    for (String line : lines) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches()) {
        throw unusable(file);
      }
      Role role = "operator".equals(parts.group(1)) ? Role.OPERATOR : Role.VIEWER;
      read.add(new Line(new Holder(Optional.ofNullable(parts.group(2)), role), parts.group(3)));
    }
    if (read.isEmpty()) {
      throw unusable(file);
    }
    if (read.stream().map(Line::token).distinct().count() < read.size()) {
      throw new BadRequestException(
          "holds a token twice, so that it is not known whose it is",
          file.toString(),
          "give each its own, such as from openssl rand -hex 32");
    }
    return read;
  }

  private static BadRequestException unusable(Path file) {
    return new BadRequestException(
        "holds no token, or one that is too short or has blanks",
        file.toString(),
        "write a line of at least "
            + LEAST_CHARACTERS
            + " characters of ASCII for each token, such as from openssl rand -hex 32, and before"
            + " it a role and a name if it has any: operator NAME TOKEN or viewer NAME TOKEN");
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }
}
