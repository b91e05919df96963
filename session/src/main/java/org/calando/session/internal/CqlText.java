package org.calando.session.internal;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * Only as much of CQL as tells a plain statement on one table:
 *
 *   SELECT ... FROM [keyspace.]table   then the end, or WHERE, GROUP, ORDER, PER, LIMIT, ALLOW
 *   INSERT INTO | UPDATE | DELETE ... FROM [keyspace.]table
 *
 * FROM and INTO are reserved words, so that outside of quotes they are no column's name. Everything
 * else, such as batches and schema changes, is OTHER, and is let through as it is.
 */
/** What a query string does, and to which table. Stateless. */
final class CqlText {
  private static final Set<String> AFTER_TABLE =
      Set.of("where", "group", "order", "per", "limit", "allow");

  private CqlText() {}

  /** What a statement does with its table. */
  enum Kind {
    READ,
    WRITE,
    OTHER
  }

  /**
   * What was found.
   *
   * @param keyspace in the server's spelling; empty if the statement does not name it
   * @param table in the server's spelling; empty for OTHER
   */
  record Parsed(Kind kind, String keyspace, String table) {}

  private static final Parsed OTHER = new Parsed(Kind.OTHER, "", "");

  static Parsed parse(String query) {
    CqlTokens tokens = new CqlTokens(query);
    String verb = tokens.next();
    if (verb == null || !tokens.isWord()) {
      return OTHER;
    }
    return switch (verb.toLowerCase(Locale.ROOT)) {
      case "select" -> skipTo(tokens, "from") ? select(tokens) : OTHER;
      case "insert" -> skipTo(tokens, "into") ? write(tokens) : OTHER;
      case "delete" -> skipTo(tokens, "from") ? write(tokens) : OTHER;
      case "update" -> write(tokens);
      default -> OTHER;
    };
  }

  private static Parsed select(CqlTokens tokens) {
    Parsed parsed = named(tokens, Kind.READ);
    String after = tokens.current();
    boolean plain =
        after == null
            || after.equals(";")
            || (tokens.isWord() && AFTER_TABLE.contains(after.toLowerCase(Locale.ROOT)));
    return plain ? parsed : OTHER;
  }

  private static Parsed write(CqlTokens tokens) {
    return named(tokens, Kind.WRITE);
  }

  /** Leaves the token after the name as the current one. */
  private static Parsed named(CqlTokens tokens, Kind kind) {
    tokens.next();
    String first = tokens.name();
    if (first == null) {
      return OTHER;
    }
    @Nullable String after = tokens.next();
    if (after == null || !after.equals(".")) {
      return new Parsed(kind, "", first);
    }
    tokens.next();
    String second = tokens.name();
    tokens.next();
    return second == null ? OTHER : new Parsed(kind, first, second);
  }

  private static boolean skipTo(CqlTokens tokens, String word) {
    int depth = 0;
    for (String token = tokens.next(); token != null; token = tokens.next()) {
      if (token.equals("(") || token.equals("[")) {
        depth++;
      } else if (token.equals(")") || token.equals("]")) {
        depth--;
      } else if (depth == 0 && tokens.isWord() && token.equalsIgnoreCase(word)) {
        return true;
      }
    }
    return false;
  }
}
