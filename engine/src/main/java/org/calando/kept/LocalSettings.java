package org.calando.kept;

import java.util.List;
import java.util.function.BiConsumer;
import org.calando.schema.ArgumentReader;

/** Settings of a local cluster: keys of our own, and names with a dot that are the engine's. */
public final class LocalSettings {
  private LocalSettings() {}

  /**
   * Reads them; what is wrong is left to the reader to report.
   *
   * @param settings each {@code KEY=VALUE}
   * @param engine name of the engine in messages
   * @param keys all that are ours, in the order of messages
   * @param example a setting
   * @param own takes names and values that are the engine's
   */
  public static ArgumentReader read(
      List<String> settings,
      String engine,
      List<String> keys,
      String example,
      BiConsumer<String, String> own) {
    ArgumentReader arguments = new ArgumentReader();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      String key = equals < 1 ? setting : setting.substring(0, equals);
      if (equals < 1) {
        arguments.wrong(setting, "is no setting", "write KEY=VALUE, such as " + example);
      } else if (keys.contains(key)) {
        arguments.put(key, setting.substring(equals + 1));
      } else if (key.indexOf('.') > 0) {
        own.accept(key, setting.substring(equals + 1));
      } else {
        arguments.wrong(
            key,
            "is no setting of a local " + engine,
            "use " + String.join(", ", keys) + ", or a name of " + engine + "'s own");
      }
    }
    return arguments;
  }
}
