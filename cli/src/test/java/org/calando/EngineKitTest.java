package org.calando;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.calando.core.energy.NodeProfile;
import org.calando.engine.Engine;
import org.calando.engine.EngineKit;
import org.calando.engine.EngineSchema;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.InventoryTarget;
import org.calando.engine.StoreSpec;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every engine that is found passes the kit. */
class EngineKitTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final String MEANS = "features agree with what starts and reaches clusters";
  private static final String CAPABILITIES = "features agree with the capabilities of its clusters";

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicContainer> everyEngineKeepsTo() {
    return Engines.all().stream()
        .map(
            engine ->
                DynamicContainer.dynamicContainer(
                    engine.id(),
                    kit(engine).checks().entrySet().stream()
                        .map(
                            each ->
                                DynamicTest.dynamicTest(
                                    each.getKey(), () -> each.getValue().run()))));
  }

  /** The simulated one lives where files are read, as its cluster is of no server. */
  private EngineKit kit(Engine engine) {
    Path module =
        engine.supports(Feature.SIMULATED)
            ? ROOT.resolve("studyfile")
            : ROOT.resolve("engines").resolve(engine.id());
    try {
      return new EngineKit(
          engine,
          module.resolve("src/test/kit.properties"),
          Files.createDirectory(folder.resolve(engine.id())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Says more of a Redis than is so. */
  private record Claims(Engine redis, Set<Feature> features) implements Engine {
    @Override
    public String id() {
      return redis.id();
    }

    @Override
    public String title() {
      return redis.title();
    }

    @Override
    public EngineSchema schema() {
      return redis.schema();
    }

    @Override
    public InventoryTarget reach(StoreSpec store, NodeProfile profile, Path base) {
      return redis.reach(store, profile, base);
    }
  }

  @Test
  void anEngineThatClaimsMoreOrLessThanIsSoFails() {
    Engine redis = Engines.of("redis");
    Set<Feature> claimed = EnumSet.copyOf(redis.features());
    assertThatCode(() -> check(redis, claimed, CAPABILITIES)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(redis, claimed, MEANS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("LOCAL is carried out");
    claimed.add(Feature.LEVEL_POLICIES);
    assertThatThrownBy(() -> check(redis, claimed, CAPABILITIES))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("LEVEL_POLICIES is claimed");
    claimed.removeAll(Set.of(Feature.LEVEL_POLICIES, Feature.CLOCKS_BY_ROLE));
    assertThatThrownBy(() -> check(redis, claimed, CAPABILITIES))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("CLOCKS_BY_ROLE is claimed");
  }

  private void check(Engine redis, Set<Feature> claimed, String name) throws Exception {
    Path facts = ROOT.resolve("engines/redis/src/test/kit.properties");
    new EngineKit(new Claims(redis, Set.copyOf(claimed)), facts, folder).checks().get(name).run();
  }
}
