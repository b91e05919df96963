package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RegionMovesTest {
  @Test
  void regionsGoWhereTheirBytesAre() {
    Map<String, String> chosen =
        RegionMoves.choose(
            List.of("r1", "r2"),
            Map.of("a", 5, "b", 5),
            (region, server) -> region.equals("r1") == server.equals("b") ? 100 : 10);
    assertThat(chosen).isEqualTo(Map.of("r1", "b", "r2", "a"));
  }

  @Test
  void noServerGetsMoreThanItsShareForTheSakeOfBytes() {
    Map<String, String> chosen =
        RegionMoves.choose(
            List.of("r1", "r2", "r3", "r4"),
            Map.of("a", 2, "b", 2),
            (region, server) -> server.equals("a") ? Integer.parseInt(region.substring(1)) : 0);
    // Those with most bytes there; the others have nothing anywhere else.
    assertThat(chosen).isEqualTo(Map.of("r4", "a", "r3", "a", "r2", "b", "r1", "b"));
  }

  @Test
  void anUnevenClusterIsEvened() {
    Map<String, String> chosen =
        RegionMoves.choose(
            List.of("r1", "r2", "r3"), Map.of("a", 4, "b", 1), (region, server) -> 0);
    assertThat(chosen.values()).containsOnly("b");
  }

  @Test
  void everyRegionGoesSomewhereWhateverIsNear() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<String> regions = IntStream.range(0, random.nextInt(40)).mapToObj(i -> "r" + i).toList();
      Map<String, Integer> counts =
          Map.of("a", random.nextInt(30), "b", random.nextInt(30), "c", random.nextInt(30));
      long salt = random.nextLong();
      Map<String, String> chosen =
          RegionMoves.choose(
              regions,
              counts,
              (region, server) -> new Random(salt ^ (region + server).hashCode()).nextInt(3));
      assertThat(chosen.keySet()).as("seed " + seed).containsExactlyInAnyOrderElementsOf(regions);
      int all = regions.size() + counts.values().stream().mapToInt(i -> i).sum();
      counts.forEach(
          (server, count) -> {
            long got = chosen.values().stream().filter(server::equals).count();
            assertThat(got == 0 || count + got <= (all + 2) / 3)
                .as("seed %d: %s had %d, got %d of %d", seed, server, count, got, all)
                .isTrue();
          });
    }
  }

  @Test
  void withoutAServerThereIsNoPlace() {
    assertThatThrownBy(() -> RegionMoves.choose(List.of("r"), Map.of(), (r, s) -> 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
