package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.engine.InventorySpec;
import org.junit.jupiter.api.Test;

/** Where what is decided is noted, and what is not. */
class DecisionFoldersTest {
  private static InventorySpec of(String address) {
    return new InventorySpec(
        Optional.empty(),
        List.of(
            new InventorySpec.Node(
                "n1",
                address,
                9042,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                OptionalLong.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty())),
        List.of(),
        Path.of("."));
  }

  @Test
  void whatIsKnownOfSessionsIsOfTheNodesThatANameStandsForNow() {
    DecisionFolders folders = new DecisionFolders(Path::of, Path::of);
    Path one = folders.sessions("shop", Optional.of(of("10.0.0.1")));
    assertThat(folders.sessions("shop", Optional.of(of("10.0.0.1")))).isEqualTo(one);
    assertThat(folders.sessions("shop", Optional.of(of("10.0.0.2")))).isNotEqualTo(one);
    assertThat(folders.sessions("other", Optional.of(of("10.0.0.1")))).isNotEqualTo(one);
  }

  @Test
  void decisionsThatWereNotNotedAreAmissUntilOthersAre() {
    Governor.Noting noting = new Governor.Noting();
    assertThat(noting.problem()).isEmpty();
    for (int i = 0; i < 4096 + 3; i++) {
      noting.decided(KnobStatesTest.decision(), "");
    }
    assertThat(noting.problem().orElseThrow()).startsWith("3 decisions were not recorded, 3 in");
    assertThat(noting.problem()).as("no more are lost").isEmpty();
    noting.decided(KnobStatesTest.decision(), "");
    assertThat(noting.problem().orElseThrow()).startsWith("1 decisions were not recorded, 4 in");
  }
}
