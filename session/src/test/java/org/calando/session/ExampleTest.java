package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExampleTest {
  @Test
  void theDocumentationShowsTheExampleThatIsRun() throws IOException {
    String source = Files.readString(Path.of("src/test/java/org/calando/session/ShopExample.java"));
    String example =
        source
            .substring(source.indexOf("// example\n") + 11, source.indexOf("// end of example"))
            .stripIndent();
    assertThat(example.lines()).hasSizeBetween(5, 10);
    assertThat(Files.readString(Path.of("../docs/session.md")))
        .contains("```java\n" + example + "```\n");
  }
}
