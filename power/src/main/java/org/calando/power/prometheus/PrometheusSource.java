package org.calando.power.prometheus;

import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;

/**
 * An expression whose value on a Prometheus server is the power of a machine, or a counter of its
 * energy. Immutable and thread safe.
 *
 * <p>What an expression is worth is told for the time when it is asked, though the figures behind
 * it are as old as the last collection. A plain selector tells that time too; for what is computed
 * from selectors, {@code clock} names one whose time it has. Without either, samples carry the time
 * of the question, and are older by up to an interval of the collection.
 *
 * @param server the server
 * @param query the expression; its value must be a single series
 * @param clock a selector of one or more series, collected together with the query's
 * @param quantity what the value is
 * @param scale watts or joules of one unit of the value, above 0
 * @param scope what the value covers
 * @param modelled true if the exporter computes it from a model
 * @param note what a reader of the figures must know besides, or an empty string
 */
public record PrometheusSource(
    Endpoint server,
    String query,
    Optional<String> clock,
    Quantity quantity,
    double scale,
    Scope scope,
    boolean modelled,
    String note)
    implements PowerSource {
  /** This meter's name in a study. */
  public static final String KIND = "prometheus";

  private static final String LABEL =
      "[a-zA-Z_]\\w*\\s*(=|!=|=~|!~)\\s*(\"([^\"\\\\]|\\\\.)*+\"|'([^'\\\\]|\\\\.)*+')";
  private static final String LABELS =
      "\\{\\s*(" + LABEL + "\\s*(,\\s*" + LABEL + "\\s*)*+,?\\s*)?}";
  private static final Pattern SELECTOR =
      Pattern.compile("\\s*([a-zA-Z_:][\\w:]*(\\s*" + LABELS + ")?|" + LABELS + ")\\s*");

  /** What the value of an expression is. */
  public enum Quantity {
    /** Present power. */
    POWER,
    /** A counter of energy. */
    ENERGY
  }

  /** Refuses a scale without energy, and takes a query that is a selector as its own clock. */
  public PrometheusSource {
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException("the scale must be above 0, not " + scale);
    }
    if (clock.isEmpty() && isSelector(query)) {
      clock = Optional.of(query);
    }
  }

  /** Whether an expression is a plain selector: a name, labels in braces, or both. */
  public static boolean isSelector(String query) {
    return SELECTOR.matcher(query).matches();
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public String describe() {
    return "Prometheus " + server.uri() + ", " + query;
  }

  @Override
  public PowerProbe open(Ticker ticker) throws MeterException {
    return PrometheusProbe.open(this, ticker);
  }
}
