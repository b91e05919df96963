package org.calando.kept;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.calando.kept.ClusterStatus.Server;
import org.junit.jupiter.api.Test;

class ClusterStatusTest {
  private static ClusterStatus status() {
    return new ClusterStatus("redis", "node ", "role   ");
  }

  private static Server server(boolean running) {
    String state = Server.state(running, running);
    return new Server("n1", "127.0.0.1", 7001, 4711, running, state, Optional.empty());
  }

  @Test
  void whatIsNotUpIsNamedWithItsRemedy() {
    assertThat(status().lacking(List.of(), "start it").lacking()).isEmpty();
    assertThat(status().lacking(List.of("n2"), status().again()).lines().get(1))
        .isEqualTo(
            "n2 is not up; ./calando local stop redis, then ./calando local start redis:"
                + " its data are removed");
    assertThat(status().lacking(List.of("n1", "n2"), "").lacking().orElseThrow())
        .startsWith("n1, n2 are not up; ");
  }

  @Test
  void peopleSeeATable() {
    assertThat(status().node(server(true), "master").node(server(false), "replica").lines())
        .containsExactly(
            "node  address:port          role    pid      state    uptime",
            "n1    127.0.0.1:7001        master  4711     up       -",
            "n1    127.0.0.1:7001        replica -        down     -");
    assertThat(
            new ClusterStatus("hbase", "server    ", "").node(server(true), "", json -> {}).lines())
        .containsExactly(
            "server     address:port          pid      state    uptime",
            "n1         127.0.0.1:7001        4711     up       -");
    assertThat(status().file("For a study's file", "store.yaml", "store:\n  a: b\n").lines())
        .endsWith("For a study's file (store.yaml):", "  store:", "    a: b");
  }

  @Test
  void programsAreToldTheSame() {
    ClusterStatus status =
        status()
            .put("store", "store.yaml")
            .node(server(true), "master")
            .strangers(List.of("n2"), List.of("pid 1 listens"), "end it");
    assertThat(status.json().toString())
        .isEqualTo(
            "{'engine':'redis','store':'store.yaml','nodes':[{'node':'n1','address':'127.0.0.1',"
                    .replace('\'', '"')
                + "'port':7001,'role':'master','pid':4711,'state':'up'}],'findings':[{'what':'n2',"
                    .replace('\'', '"')
                + "'well':false,'says':'pid 1 listens','remedy':'end it'}]}".replace('\'', '"'));
    assertThat(status.lines()).endsWith("WRONG   n2: pid 1 listens", "        remedy: end it");
    assertThat(status.isUp()).isTrue();
    assertThat(status.up(false).isUp()).isFalse();
  }
}
