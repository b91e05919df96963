package org.calando.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.BadRequestException;

/**
 * The folder that holds, per engine, the server jars that a local cluster runs from. Immutable.
 *
 * <p>The jars of an engine are never on Calando's own class path: they are collected in {@code
 * <engines>/<engine>/target/lib} by the engine's own build.
 */
public final class EngineLibs {
  /** The system property that names the folder of engines; the command sets it. */
  public static final String PROPERTY = "calando.engines";

  private final Path engines;

  private EngineLibs(Path engines) {
    this.engines = engines;
  }

  /**
   * The folder named by the system property {@value #PROPERTY}.
   *
   * @throws BadRequestException if the property is not set
   */
  public static EngineLibs find() {
    String folder = System.getProperty(PROPERTY, "");
    if (folder.isEmpty()) {
      throw new BadRequestException(
          "the folder of the engines' server jars is not known",
          "system property " + PROPERTY,
          "start through the calando command, which sets it, or pass -D" + PROPERTY + "=FOLDER");
    }
    return new EngineLibs(Path.of(folder).toAbsolutePath().normalize());
  }

  /**
   * The jars of an engine, in a fixed order.
   *
   * @param engine the engine's name, for example {@code cassandra}
   * @throws BadRequestException if the engine's lib folder is absent or holds no jar
   */
  public List<Path> jars(String engine) {
    return jarsIn(engines.resolve(engine).resolve("target/lib"), engine);
  }

  /** The jars of a lib folder, in a fixed order; errors as {@link #jars}. */
  public static List<Path> jarsIn(Path lib, String engine) {
    try (Stream<Path> files = Files.list(lib)) {
      List<Path> jars =
          files
              .filter(file -> file.getFileName().toString().endsWith(".jar"))
              .sorted()
              .collect(Collectors.toUnmodifiableList());
      if (!jars.isEmpty()) {
        return jars;
      }
    } catch (IOException absent) {
      // told below: an unreadable folder and an empty one need the same remedy
    }
    throw new BadRequestException(
        "the server jars of " + engine + " are missing",
        lib.toString(),
        "collect them with: mvn -q -B -f engines/" + engine + "/pom.xml package");
  }
}
