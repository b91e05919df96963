package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the documentation shows compiles, runs and is shown as it is. */
class ExampleIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  @Test
  void theExampleRuns() {
    CLUSTER.admin().execute("INSERT INTO shop.orders (id, status) VALUES (42, 'new')");
    // What was written at ONE through the far node takes 20 ms to the others; ALL finds it.
    assertThat(ShopExample.run(CLUSTER.connect("cassandra", "cassandra"))).isEqualTo("new, new");
  }
}
