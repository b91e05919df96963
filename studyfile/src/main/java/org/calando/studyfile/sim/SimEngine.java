package org.calando.studyfile.sim;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.engine.Engine;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.Feature;
import org.calando.engine.LayoutType;
import org.calando.engine.Replicas;
import org.calando.engine.ReplicationSchema;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.Types;
import org.calando.schema.Values;

/** A simulated cluster, in simulated time: studies carry its runs out by themselves. */
public final class SimEngine implements Engine {
  /** Its id. */
  static final String ID = "sim";

  private static final EngineSchema SCHEMA = new Schema();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "simulated cluster";
  }

  @Override
  public String note() {
    return "is a simulated cluster";
  }

  @Override
  public int place() {
    return 50;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.SIMULATED,
        Feature.DATA_CENTRES,
        Feature.LINK_DELAYS,
        Feature.TOKEN_LAYOUTS,
        Feature.LEVEL_POLICIES,
        Feature.DEFERRED_WRITES,
        Feature.GEARS,
        Feature.CLOCKS_BY_ROLE,
        Feature.NODE_EVENTS);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  private static final class Schema implements EngineSchema {
    private static final double MOST_PER_SECOND = 10_000_000;
    private static final String GEARS = "gears";
    private static final String CAPACITY = GEARS + ".capacity";
    private static final Key<SimPart> SIM =
        Key.of(
                "sim",
                SimSchema.TYPE,
                "A cluster to simulate, with engine sim; beside local it says how that cluster is"
                    + " simulated.")
            .example("{nodes: 39, rf: 5}");

    @Override
    public List<Keys> keys(Section section) {
      return section == Section.STORE ? List.of(Keys.at(20, SIM)) : List.of();
    }

    @Override
    public void checkStore(Values store) {
      boolean right = !store.given(SIM) || store.find(SIM).isPresent();
      boolean shape = !store.given(StoreSchema.LOCAL) || store.find(StoreSchema.LOCAL).isPresent();
      if (store.given(SIM) && store.has("sim." + GEARS) && store.has(GEARS)) {
        store.errorAt(GEARS, "given beside store.sim.gears, which say it", "remove one of them");
      }
      if (right && shape) {
        new SimChecks(store, spec(store)).run(store.find(StoreSchema.LOCAL_DC));
      }
    }

    private static SimSpec spec(Values store) {
      return store
          .find(SIM)
          .orElse(SimPart.NONE)
          .orAs(store.find(StoreSchema.LOCAL), store.peek(CAPACITY, Types.rate(MOST_PER_SECOND)));
    }

    /** {@inheritDoc} Beside a local cluster: the gears of its racks are simulated. */
    @Override
    public boolean takes(Values store, Key<?> other) {
      return other.name().equals(GEARS) && store.given(StoreSchema.LOCAL);
    }

    @Override
    public Optional<EngineSettings> store(Values store) {
      return Optional.of(spec(store));
    }

    @Override
    public Replicas replicas(Values store) {
      SimSpec sim = spec(store);
      boolean several = sim.dataCentres().size() > 1;
      return new Replicas(
          ReplicationSchema.total(sim.replicas()),
          several ? sim.replicas() : Map.of(),
          several
              ? store.find(StoreSchema.LOCAL_DC)
              : Optional.of(sim.dataCentres().get(0).name()));
    }

    @Override
    public void checkLayout(Values study, String path, StoreSpec store, StoreLayout layout) {
      SimSpec sim = SimSpec.of(store).orElseThrow();
      if (sim.model().hasGroups()) {
        study.errorAt(
            path, "is not supported with masters in groups, which have no tokens", "remove it");
      }
      int least =
          Collections.min(sim.dataCentres().stream().map(SimSpec.DataCentre::nodes).toList());
      layout.tokens().ifPresent(share -> LayoutType.check(study, path, share, least));
    }
  }
}
