package org.calando.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
  private static final String BARE = "0123456789abcdef0123456789abcdef";
  private static final String OPERATORS = "operator-operator-operator-operat";
  private static final String VIEWERS = "viewer-viewer-viewer-viewer-viewe";

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("tokens"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  private static Optional<Tokens.Holder> holder(Tokens tokens, String token) {
    return tokens.holder(Optional.of("Bearer " + token));
  }

  @Test
  void aLineMayNameARoleAndItsHolder() throws IOException {
    Path file =
        file("operator ann " + OPERATORS + "\n" + BARE + "\n\n  viewer bob\t" + VIEWERS + "  \n");
    Tokens tokens = new Tokens(file);
    assertThat(holder(tokens, OPERATORS))
        .contains(new Tokens.Holder(Optional.of("ann"), Tokens.Role.OPERATOR));
    assertThat(holder(tokens, VIEWERS))
        .contains(new Tokens.Holder(Optional.of("bob"), Tokens.Role.VIEWER));
    assertThat(holder(tokens, BARE))
        .as("as before roles were told apart")
        .contains(new Tokens.Holder(Optional.empty(), Tokens.Role.VIEWER));
    assertThat(holder(tokens, "operator ann " + OPERATORS)).isEmpty();
    assertThat(tokens.admits(Optional.of("bearer " + BARE))).isTrue();
    assertThat(tokens.admits(Optional.of(BARE))).isFalse();
    assertThat(tokens.admits(Optional.empty())).isFalse();
    assertThat(Tokens.authorization(file)).isEqualTo("Bearer " + OPERATORS);
  }

  @Test
  void aFileThatIsNotClearIsRefused() throws IOException {
    for (String text :
        new String[] {
          "",
          "short",
          "king ann " + OPERATORS,
          "operator " + OPERATORS,
          "operator two names " + OPERATORS,
          "operator ann short"
        }) {
      Path file = file(text);
      assertThatThrownBy(() -> new Tokens(file))
          .as(text)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("operator NAME TOKEN");
    }
    Path twice = file("operator ann " + BARE + "\nviewer ann " + BARE + "\n");
    assertThatThrownBy(() -> new Tokens(twice))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("holds a token twice");
  }
}
