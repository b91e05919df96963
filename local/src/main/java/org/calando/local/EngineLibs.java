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
 * <engines>/<engine>/server/target/lib} by the engine's own build.
 */
public final class EngineLibs {
  /** The system property that names the folder of engines; the command sets it. */
  public static final String PROPERTY = "calando.engines";

  private static final String SERVER = "/server";

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
   * The jars of an engine's server, in a fixed order.
   *
   * @param engine the engine's name, for example {@code cassandra}
   * @throws BadRequestException if its lib folder is absent or holds no jar
   */
  public List<Path> server(String engine) {
    return program(engine + SERVER);
  }

  /** Where an archive of the classes in these jars may be; see {@code it/archives}. */
  public Path archive(String engine) {
    return engines.resolve(engine + SERVER).resolve("target/" + engine + ".jsa");
  }

  /**
   * The jars of a program that an engine's folder builds; errors as {@link #server}.
   *
   * @param folder below that of the engines, for example {@code hdfs/grep}
   */
  public List<Path> program(String folder) {
    return jarsIn(engines.resolve(folder).resolve("target/lib"), folder);
  }

  private static List<Path> jarsIn(Path lib, String folder) {
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
        "the jars of " + folder + " are missing",
        lib.toString(),
        "collect them with: mvn -q -B -f engines/" + folder + "/pom.xml package");
  }
}
