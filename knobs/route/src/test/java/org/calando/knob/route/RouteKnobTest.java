package org.calando.knob.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.calando.control.KnobKit;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.replication.NodeView;
import org.calando.core.store.Capable;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteKnobTest {
  @TempDir Path folder;

  /** A session as far as its route goes. */
  private static final class Reads implements ReadRoute, Capable, KnobKit.World<ReadFrom> {
    private ReadFrom from = ReadFrom.ANY;

    @Override
    public String table() {
      return "shop:carts";
    }

    @Override
    public ReadFrom readFrom() {
      return from;
    }

    @Override
    public double masterShare() {
      return 0;
    }

    @Override
    public void readFrom(ReadFrom to, double masterShare) {
      from = to;
    }

    @Override
    public List<NodeView> roles() {
      return List.of();
    }

    @Override
    public Knob<ReadFrom> knob() {
      return new RouteType().bind(this).orElseThrow();
    }

    @Override
    public Object state() {
      return from;
    }
  }

  @Test
  void aPlanThatIsCutOffAnywhereIsResumedAndTakenBack() throws InterruptedException {
    assertThat(new KnobKit<>(folder, Reads::new, knob -> ReadFrom.REPLICA).check()).isEqualTo(2);
  }

  @Test
  void itEndsWithItsSession() {
    assertThat(new Reads().knob().lifetime()).isEqualTo(Knob.Lifetime.PROCESS);
    assertThat(new RouteType().bind(new Capable() {})).isEmpty();
    assertThatThrownBy(() -> new RouteType().reach("shop:carts"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nothing is left to be restored");
  }
}
