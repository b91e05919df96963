package org.calando.knob.route;

import java.util.List;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;

/** Where one session's reads go. It ends with the session. Thread safe. */
record RouteKnob(ReadRoute route) implements Knob<ReadFrom> {
  @Override
  public KnobId<ReadFrom> id() {
    return RouteType.ID;
  }

  @Override
  public String target() {
    return route.table();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.PROCESS;
  }

  @Override
  public ReadFrom current() {
    return route.readFrom();
  }

  @Override
  public Plan plan(ReadFrom from, ReadFrom to) {
    List<Plan.Action> steps = from == to ? List.of() : List.of(new Send(route, from, to));
    return new Plan(id().name(), target(), RouteType.name(to), steps);
  }

  private record Send(ReadRoute route, ReadFrom from, ReadFrom to) implements Plan.Action {
    @Override
    public String name() {
      return "send";
    }

    @Override
    public String describe() {
      return "send reads of " + route.table() + " to: " + RouteType.name(to);
    }

    @Override
    public void perform() {
      route.readFrom(to);
    }

    @Override
    public boolean isDone() {
      return route.readFrom() == to;
    }

    @Override
    public void undo() {
      route.readFrom(from);
    }
  }
}
