package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearFile.Offload;
import org.junit.jupiter.api.Test;

class GearFileTest {
  private final GearGroups groups = GearGroups.parse("2,3");
  private final GearFile file =
      new GearFile(
          RabbitLayout.of(groups, 1, 2),
          List.of("a:1", "b:1", "c:1"),
          1,
          Offload.BALANCED,
          "/calando",
          Optional.of("/var/offload.log"),
          7);

  @Test
  void whatIsWrittenIsRead() {
    assertThat(GearFile.of(file.toMap()).toMap()).isEqualTo(file.toMap());
    GearFile paraid =
        new GearFile(
            ParaidLayout.of(groups, ParaidLayout.Order.PER_FILE),
            file.nodes(),
            2,
            Offload.RANDOM,
            "/",
            Optional.empty(),
            1);
    assertThat(GearFile.of(paraid.toMap()).toMap()).isEqualTo(paraid.toMap());
    assertThat(file.in(2).gear()).isEqualTo(2);
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    Map<String, Object> map =
        Map.of(
            "version",
            1,
            "layout",
            "rabbit",
            "gears",
            List.of(2, 3),
            "gear",
            2,
            "nodes",
            file.nodes());
    GearFile read = GearFile.of(map);
    assertThat(read.layout().replicas()).isEqualTo(2);
    assertThat(read.folder()).isEqualTo("/");
    assertThat(read.offload()).isEqualTo(Offload.RANDOM);
    assertThat(read.log()).isEmpty();
  }

  @Test
  void whatIsWrongIsRefused() {
    assertRefused("version", 2, "gear file: version is 2");
    assertRefused("layout", "raid", "gear file: layout is 'raid'");
    assertRefused("gears", List.of(3, 2), "gears: ");
    assertRefused("gears", "3,7", "gear file: gears is 3,7");
    assertRefused("gear", 3, "gear: there is no gear 3");
    assertRefused("gear", (1L << 32) + 1, "gear file: gear is 4294967297");
    assertRefused("gears", List.of(1L << 32), "gear file: gears is 4294967296");
    assertRefused("gear", "1", "gear file: gear is 1");
    assertRefused("nodes", List.of("a:1", "a:1", "c:1"), "gear file: nodes is 3 addresses");
    assertRefused("folder", "calando", "gear file: folder is 'calando'");
    assertRefused("offload", "all", "gear file: offload is 'all'");
    assertRefused("primaries", 3, "primaries: ");
  }

  @Test
  void aFolderCoversWhatIsInIt() {
    assertThat(file.covers("/calando/a")).isTrue();
    assertThat(file.covers("/calando")).isTrue();
    assertThat(file.covers("/calandos/a")).isFalse();
    assertThat(file.covers("/")).isFalse();
  }

  private void assertRefused(String key, Object value, String message) {
    Map<String, Object> map = new HashMap<>(file.toMap());
    map.put(key, value);
    assertThatThrownBy(() -> GearFile.of(map))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith(message);
  }
}
