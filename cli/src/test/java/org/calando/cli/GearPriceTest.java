package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GearPriceTest {
  @Test
  void whatNobodyKnowsOfAShiftOfRacksIsNotTold() {
    GearPrice price =
        GearPrice.ofRacks(
            List.of("n1", "n2"), List.of("n3"), Map.of("n3", "epyc-7763"), "xeon-x3440", true, 30);
    ObjectNode json = Answer.object();
    List<String> lines = new ArrayList<>();
    price.addTo(json, lines);
    JsonNode energy = json.path("energy");
    assertThat(energy.path("shift_s").isNull()).isTrue();
    assertThat(energy.path("catch_up_bytes").isNull()).isTrue();
    assertThat(energy.path("leaves_out").asText()).contains("hints");
    assertThat(energy.path("profiles").toString()).isEqualTo("[\"epyc-7763\",\"xeon-x3440\"]");
    assertThat(energy.path("saved_w").asDouble()).isPositive();
    assertThat(lines).anyMatch(line -> line.contains("this shift at least"));
  }
}
