package org.calando.knob.route;

import static org.calando.schema.Types.choice;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.calando.control.Sensor;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Signals;
import org.calando.core.store.Capable;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;
import org.calando.knob.KnobType;
import org.calando.schema.Key;
import org.calando.schema.ScalarType;

/** Which nodes of a store with one master answer a session's reads of one node. */
public final class RouteType implements KnobType<ReadFrom> {
  static final KnobId<ReadFrom> ID = new KnobId<>("read-from", ReadFrom.class);

  private static final ScalarType<ReadFrom> VALUES = choice("a kind of node", names());

  private static Map<String, ReadFrom> names() {
    Map<String, ReadFrom> names = new LinkedHashMap<>();
    for (ReadFrom from : ReadFrom.values()) {
      names.put(name(from), from);
    }
    return names;
  }

  static String name(ReadFrom from) {
    return from.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public KnobId<ReadFrom> id() {
    return ID;
  }

  @Override
  public String doc() {
    return "Nodes that answer reads of one node: master, replica or any. Needs a real Redis or"
        + " Valkey.";
  }

  @Override
  public String example() {
    return "[master, {max-lag: {limit: 1s}}]";
  }

  @Override
  public ScalarType<ReadFrom> values() {
    return VALUES;
  }

  @Override
  public List<Key<? extends Controller<?>>> policies() {
    return List.of(MaxLag.KEY);
  }

  @Override
  public boolean ofSessions() {
    return true;
  }

  @Override
  public Optional<Knob<ReadFrom>> bind(Capable session) {
    return session.find(ReadRoute.class).map(RouteKnob::new);
  }

  @Override
  public String needs() {
    return "a study's own session on a real Redis or Valkey";
  }

  /** {@inheritDoc} Ends with the process, so that nobody reaches it from another. */
  @Override
  public Knob<ReadFrom> reach(String target) {
    throw new BadRequestException(
        "the reads of " + target + " were sent by a process that has ended",
        ID.name(),
        "nothing is left to be restored");
  }

  @Override
  public Optional<Sensor> sensor(Capable session, Knob<ReadFrom> knob) {
    return session
        .find(ReadRoute.class)
        .map(
            route ->
                now ->
                    Optional.of(
                        Signals.of(
                            now, knob.target(), MaxLag.LAG, MaxLag.Lag.of(route.roles(), now))));
  }
}
