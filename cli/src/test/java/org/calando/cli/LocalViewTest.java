package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalViewTest {
  private static LocalView view(boolean... up) {
    List<LocalView.Node> nodes = new ArrayList<>();
    for (boolean each : up) {
      String name = "n" + (nodes.size() + 1);
      nodes.add(
          new LocalView.Node(name, "127.0.0.1", 1, "replica", 0, each, each, Optional.empty()));
    }
    return new LocalView(
        "redis", "role", nodes, Path.of("state"), Optional.empty(), Optional.empty(), "");
  }

  @Test
  void whatIsNotUpIsNamedWithItsRemedy() {
    assertThat(view(true, true).lacking()).isEmpty();
    assertThat(view(true, false).lacking())
        .contains(
            "n2 is not up; ./calando local stop redis, then ./calando local start redis:"
                + " its data are removed");
    assertThat(view(false, false).lacking().orElseThrow()).startsWith("n1, n2 are not up; ");
  }
}
