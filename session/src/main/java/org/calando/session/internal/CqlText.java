package org.calando.session.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
   * @param equal columns that a SELECT's WHERE clause compares with one value, by {@code =}
   * @param columns what a SELECT asks for, if these are plain columns; else none
   * @param rest of a SELECT behind the table's name
   */
  record Parsed(
      Kind kind,
      String keyspace,
      String table,
      Set<String> equal,
      List<String> columns,
      String rest) {
    Parsed(Kind kind, String keyspace, String table) {
      this(kind, keyspace, table, Set.of(), List.of(), "");
    }
  }

  private static final Parsed OTHER = new Parsed(Kind.OTHER, "", "");

  static Parsed parse(String query) {
    CqlTokens tokens = new CqlTokens(query);
    String verb = tokens.next();
    if (verb == null || !tokens.isWord()) {
      return OTHER;
    }
    return switch (verb.toLowerCase(Locale.ROOT)) {
      case "select" -> select(query, tokens);
      case "insert" -> skipTo(tokens, "into") ? write(tokens) : OTHER;
      case "delete" -> skipTo(tokens, "from") ? write(tokens) : OTHER;
      case "update" -> write(tokens);
      default -> OTHER;
    };
  }

  private static Parsed select(String query, CqlTokens tokens) {
    List<String> columns = columns(tokens);
    if (tokens.current() == null) {
      return OTHER;
    }
    Parsed parsed = named(tokens, Kind.READ);
    String rest = query.substring(tokens.begin());
    String after = tokens.current();
    boolean plain =
        after == null
            || after.equals(";")
            || (tokens.isWord() && AFTER_TABLE.contains(after.toLowerCase(Locale.ROOT)));
    return plain && parsed.kind() == Kind.READ
        ? new Parsed(Kind.READ, parsed.keyspace(), parsed.table(), equal(tokens), columns, rest)
        : OTHER;
  }

  /** Leaves FROM as the current token; none if something else than plain columns is asked for. */
  private static List<String> columns(CqlTokens tokens) {
    List<String> columns = new ArrayList<>();
    boolean plain = true;
    boolean name = true;
    int depth = 0;
    for (String token = tokens.next(); token != null; token = tokens.next()) {
      if (depth == 0 && tokens.isWord() && token.equalsIgnoreCase("from")) {
        return plain && !name ? columns : List.of();
      }
      depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
      @Nullable String column = tokens.name();
      plain &= name ? column != null : token.equals(",");
      if (name && column != null) {
        columns.add(column);
      }
      name = !name;
    }
    return List.of();
  }

  /** Columns that the WHERE clause compares by =, not inside of parentheses. */
  private static Set<String> equal(CqlTokens tokens) {
    Set<String> equal = new HashSet<>();
    int depth = 0;
    @Nullable String before = null;
    for (String token = tokens.current(); token != null; token = tokens.next()) {
      depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
      if (depth == 0 && token.equals("=") && before != null) {
        equal.add(before);
      }
      before = tokens.name();
    }
    return equal;
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
