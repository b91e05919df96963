package org.calando.governor.http.api;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.calando.governor.OperatorCall;

/**
 * A path that is answered. Immutable and thread safe.
 *
 * @param method such as {@code GET}
 * @param path with names in braces, such as {@code /api/v1/clusters/{cluster}}
 * @param doc what it answers, a sentence
 * @param query its parameters
 * @param body what it takes; empty for nothing
 * @param answer of status 200
 * @param what it changes; empty if it only tells
 */
public record Route(
    String method,
    String path,
    String doc,
    List<Parameter> query,
    Optional<Shape> body,
    Reply answer,
    Optional<OperatorCall.What> what) {
  private static final Pattern NAME = Pattern.compile("\\{[a-z]+}");

  /**
   * A parameter of the query.
   *
   * @param isNumber whether it is a whole number; else a text
   */
  public record Parameter(String name, boolean isNumber, String doc) {}

  /**
   * An answer.
   *
   * @param type its media type
   * @param shape of JSON; empty of other types
   */
  public record Reply(String type, Optional<Shape> shape) {}

  /** Copies the list. */
  public Route {
    query = List.copyOf(query);
  }

  /**
   * The names that a path gives, in their order; empty if it is none of this.
   *
   * @param asked such as {@code /api/v1/clusters/shop}
   */
  public Optional<List<String>> names(String asked) {
    String pattern = NAME.matcher(path).replaceAll("([a-z0-9-]+)");
    Matcher found = Pattern.compile(pattern).matcher(asked);
    return found.matches()
        ? Optional.of(IntStream.rangeClosed(1, found.groupCount()).mapToObj(found::group).toList())
        : Optional.empty();
  }
}
