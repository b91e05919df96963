package org.calando.governor.history;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * How a cluster stood at an instant. Sums are those since its meter was taken, so they may begin
 * anew. Immutable and thread safe.
 *
 * @param at when
 * @param watts power of all nodes; empty if it is not known
 * @param joules of all nodes while they were known; empty if they never were
 * @param unknownSeconds that all nodes together were without joules: in a step in which it has
 *     changed the joules are not those of all nodes
 * @param requests of clients in the accounted time; empty if there was none
 * @param accountedSeconds that time: with joules and requests of each node
 * @param savingLow what knobs save, in watts, at least; empty if it is not known
 * @param savingHigh at most; likewise
 * @param kept whether each promise is kept; empty if that is not known
 */
public record Sample(
    Instant at,
    OptionalDouble watts,
    OptionalDouble joules,
    double unknownSeconds,
    OptionalLong requests,
    double accountedSeconds,
    OptionalDouble savingLow,
    OptionalDouble savingHigh,
    Map<String, Optional<Boolean>> kept) {
  private static final int COLUMNS = 10;

  /** Lines of other versions are not read: what their columns mean is not known here. */
  private static final String VERSION = "2";

  private static final String KEPT = "kept";
  private static final String BROKEN = "broken";
  private static final String UNKNOWN = "unknown";

  /** Copies the mapping, in its order. */
  public Sample {
    kept = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(kept));
  }

  /** A line of a file, without its end. */
  String line() {
    String promises =
        kept.entrySet().stream()
            .map(each -> each.getKey() + "=" + word(each.getValue()))
            .collect(Collectors.joining(" "));
    return String.join(
        ",",
        VERSION,
        at.toString(),
        text(watts),
        text(joules),
        Double.toString(unknownSeconds),
        requests.isPresent() ? Long.toString(requests.getAsLong()) : "",
        Double.toString(accountedSeconds),
        text(savingLow),
        text(savingHigh),
        promises);
  }

  /** What a line says; empty if it is none, such as one that was not written to its end. */
  static Optional<Sample> of(String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != COLUMNS || !cells[0].equals(VERSION)) {
      return Optional.empty();
    }
    try {
      Map<String, Optional<Boolean>> kept = new LinkedHashMap<>();
      for (String each : cells[9].isEmpty() ? new String[0] : cells[9].split(" ", -1)) {
        int equals = each.indexOf('=');
        if (equals <= 0) {
          return Optional.empty();
        }
        kept.put(each.substring(0, equals), known(each.substring(equals + 1)));
      }
      return Optional.of(
          new Sample(
              Instant.parse(cells[1]),
              number(cells[2]),
              number(cells[3]),
              Double.parseDouble(cells[4]),
              cells[5].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(cells[5])),
              Double.parseDouble(cells[6]),
              number(cells[7]),
              number(cells[8]),
              kept));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** As pages have it. */
  static String word(Optional<Boolean> kept) {
    return kept.map(one -> one ? KEPT : BROKEN).orElse(UNKNOWN);
  }

  private static Optional<Boolean> known(String word) {
    return switch (word) {
      case KEPT -> Optional.of(true);
      case BROKEN -> Optional.of(false);
      case UNKNOWN -> Optional.empty();
      default -> throw new IllegalArgumentException("no word of a promise");
    };
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? Double.toString(value.getAsDouble()) : "";
  }

  private static OptionalDouble number(String text) {
    return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
  }
}
