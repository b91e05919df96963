package org.calando.schema;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.calando.core.Nearest;

/** The types that keys are made of. */
public final class Types {
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?\\d{1,18}(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?");
  private static final String NO_UNIT = "write a plain number";

  private Types() {}

  /** The name of a node, a machine, a profile or like, as files and folders may be called. */
  public static final ScalarType<String> NAME =
      text("a name", "[A-Za-z0-9_.-]{1,63}", "letters, digits, . _ - (at most 63)");

  /** A port of TCP or UDP, 1 to 65,535. */
  public static ScalarType<Integer> port() {
    return integer(1, 65_535);
  }

  /** An integer of 32 bits. */
  public static ScalarType<Integer> integer(int min, int max) {
    return new ScalarType<>(
        "an integer",
        min + " to " + max,
        scalar -> (int) parseInteger(scalar, min, max),
        value -> value,
        Map.of("type", "integer", "minimum", min, "maximum", max));
  }

  /** An integer of 64 bits. */
  public static ScalarType<Long> longInteger(long min, long max) {
    return new ScalarType<>(
        "an integer",
        min + " to " + max,
        scalar -> parseInteger(scalar, min, max),
        value -> value,
        Map.of("type", "integer", "minimum", min, "maximum", max));
  }

  private static long parseInteger(Tree.Scalar scalar, long min, long max) throws Refusal {
    if (scalar.quoted() || !INTEGER.matcher(scalar.text()).matches()) {
      throw new Refusal("is not an integer", scalar.quoted() ? "remove the quotes" : NO_UNIT);
    }
    return within(Long.parseLong(scalar.text()), min, max, min + " to " + max);
  }

  private static long within(long value, long min, long max, String range) throws Refusal {
    if (value < min || value > max) {
      throw new Refusal("is out of range", "write " + range);
    }
    return value;
  }

  /** A number. */
  public static ScalarType<Double> number(double min, double max) {
    String range = Units.formatNumber(min) + " to " + Units.formatNumber(max);
    return new ScalarType<>(
        "a number",
        range,
        scalar -> {
          if (scalar.quoted() || !NUMBER.matcher(scalar.text()).matches()) {
            throw new Refusal("is not a number", scalar.quoted() ? "remove the quotes" : NO_UNIT);
          }
          return within(Double.parseDouble(scalar.text()), min, max, range);
        },
        value -> value,
        Map.of("type", "number", "minimum", min, "maximum", max));
  }

  private static double within(double value, double min, double max, String range) throws Refusal {
    if (value < min || value > max) {
      throw new Refusal("is out of range", "write " + range);
    }
    return value;
  }

  /** True or false. */
  public static ScalarType<Boolean> bool() {
    Map<String, Boolean> values = new LinkedHashMap<>();
    values.put("true", true);
    values.put("false", false);
    return choice("true or false", values, value -> value, "boolean");
  }

  /** Text that matches a pattern, which {@code range} explains. */
  public static ScalarType<String> text(String label, String pattern, String range) {
    Pattern compiled = Pattern.compile(pattern);
    return new ScalarType<>(
        label,
        range,
        scalar -> {
          if (!compiled.matcher(scalar.text()).matches()) {
            throw new Refusal("is not " + label, range.isEmpty() ? "" : "write " + range);
          }
          return scalar.text();
        },
        value -> value,
        Map.of("type", List.of("string", "integer"), "pattern", "^(?:" + pattern + ")$"));
  }

  /** One of the names, each of which stands for a value. */
  public static <T> ScalarType<T> choice(String label, Map<String, T> byName) {
    Map<T, String> names = new LinkedHashMap<>();
    byName.forEach((name, value) -> names.put(value, name));
    return choice(label, byName, value -> String.valueOf(names.get(value)), "string");
  }

  private static <T> ScalarType<T> choice(
      String label, Map<String, T> byName, Function<T, Object> writer, String jsonType) {
    List<String> names = List.copyOf(byName.keySet());
    Map<String, Object> json =
        jsonType.equals("string") ? Map.of("enum", names) : Map.of("type", jsonType);
    return new ScalarType<>(
        label,
        jsonType.equals("string") ? String.join(", ", names) : "",
        scalar -> {
          T value = byName.get(scalar.text());
          if (value == null) {
            throw new Refusal("is not " + label, Nearest.advice(scalar.text(), names));
          }
          return value;
        },
        writer,
        json);
  }

  /** A duration in nanoseconds, within bounds in nanoseconds. */
  public static ScalarType<Long> duration(long minNanos, long maxNanos) {
    String range = Units.formatNanos(minNanos) + " to " + Units.formatNanos(maxNanos);
    return new ScalarType<>(
        "a duration",
        range,
        scalar -> {
          return within(Units.nanos(scalar.text()), minNanos, maxNanos, range);
        },
        Units::formatNanos,
        Map.of("type", List.of("string", "integer"), "pattern", "^(0|" + Units.DURATION + ")$"));
  }

  /** A size in bytes, within bounds in bytes. */
  public static ScalarType<Long> size(long minBytes, long maxBytes) {
    String range = Units.formatBytes(minBytes) + " to " + Units.formatBytes(maxBytes);
    return new ScalarType<>(
        "a size",
        range,
        scalar -> {
          return within(Units.bytes(scalar.text()), minBytes, maxBytes, range);
        },
        Units::formatBytes,
        Map.of("type", List.of("string", "integer"), "pattern", "^" + Units.SIZE + "$"));
  }

  /** Operations per second. */
  public static ScalarType<Double> rate(double maxPerSecond) {
    String range = "above 0/s, up to " + Units.formatRate(maxPerSecond);
    return new ScalarType<>(
        "a rate",
        range,
        scalar -> {
          double rate = Units.perSecond(scalar.text());
          return within(rate, Double.MIN_VALUE, maxPerSecond, range);
        },
        Units::formatRate,
        Map.of("type", "string", "pattern", "^" + Units.RATE + "$"));
  }

  /** A share of a whole as 0 .. 1. */
  public static ScalarType<Double> share() {
    return new ScalarType<>(
        "a share",
        "0% to 100%, or 0 to 1",
        scalar -> Units.share(scalar.text()),
        value -> value,
        Map.of("type", List.of("string", "number"), "pattern", "^" + Units.SHARE + "$"));
  }

  /** A list. */
  public static <T> Type<List<T>> list(Type<? extends T> item, int min, int max) {
    return new ListType<>(item, min, max, false);
  }

  /** A list in which no value occurs twice. */
  public static <T> Type<List<T>> distinctList(Type<? extends T> item, int min, int max) {
    return new ListType<>(item, min, max, true);
  }

  /** A single value or a list. */
  public static <T> Type<T> scalarOrList(Type<? extends T> scalar, Type<? extends T> list) {
    return new ShapeType<>(scalar, list, null);
  }

  /** A single value or a mapping. */
  public static <T> Type<T> scalarOrMapping(Type<? extends T> scalar, Type<? extends T> mapping) {
    return new ShapeType<>(scalar, null, mapping);
  }

  /** A list or a mapping. */
  public static <T> Type<T> listOrMapping(Type<? extends T> list, Type<? extends T> mapping) {
    return new ShapeType<>(null, list, mapping);
  }

  /** Values of another type, each turned into something else. */
  public static <A, B> Type<B> mapped(Type<A> type, Function<A, B> mapping) {
    return new MappedType<>(type, mapping, Optional.empty());
  }

  /** The same type with a canonical form of its own, for values that may be written in two ways. */
  public static <T> Type<T> written(Type<T> type, Function<T, Object> writer) {
    return new MappedType<>(type, Function.identity(), Optional.of(writer));
  }

  /** One of the names, where others are known too but belong to later versions. */
  public static ScalarType<String> choiceOrLater(
      String label, List<String> names, List<String> later) {
    return new ScalarType<>(
        label,
        String.join(", ", names),
        scalar -> {
          if (later.contains(scalar.text())) {
            throw new Refusal(
                "is not available in this version", "use one of " + String.join(", ", names));
          }
          if (!names.contains(scalar.text())) {
            throw new Refusal("is not " + label, Nearest.advice(scalar.text(), names));
          }
          return scalar.text();
        },
        value -> value,
        Map.of("enum", names));
  }

  /** The name of a file that holds the value; its canonical form is the file's content. */
  public static <T> Type<T> file(String label, Type<T> content) {
    return new FileType<>(label, FileType.yaml(content));
  }

  /** The name of a file that is read later; relative to the file that names it. */
  public static Type<Path> path(String label) {
    return new PathType(label);
  }

  /** The name of a file of Java properties, whose name and properties make the value. */
  public static <T> Type<T> propertiesFile(
      String label,
      BiFunction<String, Map<String, String>, T> mapping,
      Function<T, Object> writer) {
    return written(new FileType<>(label, FileType.properties(mapping)), writer);
  }

  /**
   * The name of a text file in a form of its own.
   *
   * @param reading of the text and the file's name; refuses by a {@link
   *     org.calando.core.BadRequestException}
   * @param writer of the value's canonical form
   */
  public static <T> Type<T> textFile(
      String label, BiFunction<String, String, T> reading, Function<T, Object> writer) {
    return new FileType<>(label, FileType.text(reading, writer));
  }

  /** A mapping of names that the user chooses to values of one type; not empty. */
  public static <T> Type<Map<String, T>> mapOf(ScalarType<String> name, Type<T> value) {
    return new MapType<>(name, value);
  }

  /** A mapping with keys of any name. */
  public static Type<Map<String, Object>> freeMap() {
    return FreeType.MAPPING;
  }
}
