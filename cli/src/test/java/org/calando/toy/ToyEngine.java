package org.calando.toy;

import static org.calando.schema.Types.duration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.ClusterRequest;
import org.calando.engine.Engine;
import org.calando.engine.EngineSchema;
import org.calando.engine.EngineSettings;
import org.calando.engine.Feature;
import org.calando.engine.InventoryTarget;
import org.calando.engine.LocalSchema;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.engine.Target;
import org.calando.schema.Key;
import org.calando.schema.Values;

/** A store in this process's memory: an engine as others may add one. */
public final class ToyEngine implements Engine {
  /** Its id. */
  static final String ID = "toy";

  private static final EngineSchema SCHEMA = new Schema();

  /**
   * What only a toy has.
   *
   * @param delay of each operation
   */
  record ToyLocal(Duration delay) implements EngineSettings {
    @Override
    public String engine() {
      return ID;
    }
  }

  private static final class Schema implements EngineSchema {
    private static final Key<Long> DELAY =
        Key.of("toy-delay", duration(0, 1_000_000_000L), "Toy: delay of each operation.")
            .example("1ms");

    @Override
    public List<Keys> keys(Section section) {
      return section == Section.LOCAL ? List.of(Keys.last(DELAY)) : List.of();
    }

    @Override
    public Optional<EngineSettings> local(Values local) {
      return Optional.of(new ToyLocal(Duration.ofNanos(local.find(DELAY).orElse(0L))));
    }

    @Override
    public void checkStore(Values store) {
      if (store.find(StoreSchema.LOCAL).filter(local -> local.nodes() > 1).isPresent()) {
        store.errorAt("local.nodes", "a toy has one node", "write 1");
      }
    }

    @Override
    public OptionalInt port() {
      return OptionalInt.of(4242);
    }

    @Override
    public Replicas replicas(Values store) {
      return Replicas.of(1);
    }
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Toy";
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(Feature.LOCAL, Feature.INVENTORY, Feature.GOVERNED);
  }

  @Override
  public EngineSchema schema() {
    return SCHEMA;
  }

  @Override
  public String needs() {
    return "a bit of memory";
  }

  @Override
  public Target start(ClusterRequest request) {
    return new ToyTarget(request);
  }

  @Override
  public void requireStartable(ClusterRequest request) {
    if (request.local().nodes() > LocalSchema.MAX_NODES) {
      throw new BadRequestException("too many nodes", "store.local.nodes", "write fewer");
    }
  }

  @Override
  public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
    return new ToyInventory(store, profile);
  }
}
