package org.calando.toy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.engine.ClusterKit;
import org.calando.engine.Engine;
import org.calando.engine.EngineKit;
import org.calando.engine.EngineKit.Check;
import org.calando.engine.Engines;

/** Both kits over the toy, where it is found among the engines: names what fails. */
public final class ToyKit {
  private ToyKit() {}

  /**
   * Carries out all checks, and ends with 1 if one fails.
   *
   * @param arguments the kits' file, and an empty folder
   */
  public static void main(String[] arguments) {
    Engine toy = Engines.of(ToyEngine.ID);
    Path file = Path.of(arguments[0]);
    Map<String, Check> checks =
        new LinkedHashMap<>(new EngineKit(toy, file, Path.of(arguments[1])).checks());
    checks.putAll(new ClusterKit(toy, file).checks());
    int failed = 0;
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      try {
        check.getValue().run();
        System.out.println("ok: " + check.getKey());
      } catch (Exception | AssertionError e) {
        failed++;
        System.out.println("failed: " + check.getKey() + ": " + e);
      }
    }
    System.exit(failed == 0 ? 0 : 1);
  }
}
