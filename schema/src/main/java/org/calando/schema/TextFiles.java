package org.calando.schema;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads small text files. */
public final class TextFiles {
  private static final String REMEDY = "check the path";

  private TextFiles() {}

  /**
   * The text of a file in UTF-8 of at most {@link YamlTree#MAX_CHARACTERS} bytes.
   *
   * @throws Refusal naming why it cannot be read
   */
  public static String read(Path file) throws Refusal {
    if (Files.isDirectory(file)) {
      throw new Refusal("is a folder, not a file", REMEDY);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(YamlTree.MAX_CHARACTERS + 1);
      if (bytes.length > YamlTree.MAX_CHARACTERS) {
        throw new Refusal("is larger than 1 MB", REMEDY);
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      throw new Refusal("does not exist", REMEDY);
    } catch (CharacterCodingException e) {
      throw new Refusal("is not text in UTF-8", "save it as UTF-8");
    } catch (IOException | InvalidPathException e) {
      throw new Refusal("cannot be read (" + e.getClass().getSimpleName() + ")", REMEDY);
    }
  }
}
