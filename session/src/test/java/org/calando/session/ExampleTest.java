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
    String page = Files.readString(Path.of("../docs/session.md"));
    assertThat(page)
        .contains("```java\n" + example + "```\n")
        .contains("import org.calando.session.AdaptiveSession;\n")
        .contains("import org.calando.session.TableName;\n");
    assertThat(source.lines().filter(line -> line.startsWith("import ")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(page).contains(line + "\n"));
  }

  @Test
  void theDocumentationNamesTheVersionThatIsBuilt() throws IOException {
    String parent = Files.readString(Path.of("../pom.xml"));
    String version = parent.substring(parent.indexOf("<version>"), parent.indexOf("</version>"));
    assertThat(Files.readString(Path.of("../docs/session.md")))
        .contains("<artifactId>calando-session</artifactId>\n  " + version + "</version>");
  }
}
