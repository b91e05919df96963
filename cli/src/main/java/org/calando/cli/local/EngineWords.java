package org.calando.cli.local;

import java.util.List;
import java.util.ListResourceBundle;
import java.util.stream.Collectors;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.kept.LocalEngine;

/** What helps say of the engines that are found: variables of their texts. Thread safe. */
public final class EngineWords extends ListResourceBundle {
  static final String BUNDLE = "org.calando.cli.local.EngineWords";

  /** The engines that {@code local} starts. */
  static final String LOCAL = "engines.local";

  /** Those of them that neither have users nor encrypt. */
  static final String OPEN = "engines.open";

  /** What {@code --set} of {@code local start} takes besides. */
  static final String SETTINGS = "engines.settings";

  /** The engines that {@code local} starts. */
  static List<Engine> local() {
    return Engines.all().stream().filter(engine -> engine.local().isPresent()).toList();
  }

  /** Their ids. */
  static List<String> localIds() {
    return local().stream().map(Engine::id).toList();
  }

  /** Words as in {@code a, b or c}. */
  static String or(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  private static String open() {
    return local().stream()
        .filter(engine -> !engine.supports(Feature.USERS) && !engine.supports(Feature.TLS))
        .map(Engine::id)
        .collect(Collectors.joining(" and "));
  }

  private static String settings() {
    return local().stream()
        .filter(engine -> !engine.local().map(LocalEngine::settings).orElse("").isEmpty())
        .map(engine -> " Of " + engine.id() + ": " + engine.local().get().settings() + ".")
        .collect(Collectors.joining());
  }

  @Override
  protected Object[][] getContents() {
    return new Object[][] {{LOCAL, or(localIds())}, {OPEN, open()}, {SETTINGS, settings()}};
  }
}
