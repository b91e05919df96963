package org.calando.power.snmp;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;

/**
 * The outlets of power distribution units that feed one machine; what they show is summed.
 * Immutable and thread safe.
 *
 * @param feeds the outlets, 1 or more, each once; their order means nothing
 */
public record SnmpSource(List<SnmpFeed> feeds) implements PowerSource {
  /** As in a study's {@code power.meter}. */
  public static final String KIND = "snmp";

  /** Puts the outlets in an order of their own, so that equal outlets are equal sources. */
  public SnmpSource {
    feeds =
        feeds.stream()
            .sorted(
                Comparator.comparing((SnmpFeed feed) -> feed.device().name())
                    .thenComparing(SnmpFeed::outlet))
            .toList();
    if (feeds.isEmpty() || feeds.stream().distinct().count() < feeds.size()) {
      throw new IllegalArgumentException("each outlet once, and at least one: " + feeds);
    }
  }

  /** Outlets of one unit. */
  public SnmpSource(SnmpDevice device, List<Integer> outlets) {
    this(outlets.stream().map(outlet -> new SnmpFeed(device, outlet)).toList());
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String describe() {
    Map<String, List<SnmpFeed>> byDevice =
        feeds.stream()
            .collect(
                Collectors.groupingBy(
                    feed -> feed.device().where(), LinkedHashMap::new, Collectors.toList()));
    return byDevice.entrySet().stream()
        .map(entry -> outlets(entry.getValue()) + " of " + entry.getKey())
        .collect(Collectors.joining(" and "));
  }

  private static String outlets(List<SnmpFeed> feeds) {
    String numbers =
        feeds.stream().map(feed -> String.valueOf(feed.outlet())).collect(Collectors.joining(", "));
    return (feeds.size() == 1 ? "outlet " : "outlets ") + numbers;
  }

  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    return SnmpProbe.open(this, ticker);
  }
}
