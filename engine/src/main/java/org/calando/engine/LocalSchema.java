package org.calando.engine;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.size;
import static org.calando.schema.Types.text;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.engine.EngineSchema.Keys;
import org.calando.engine.EngineSchema.Section;
import org.calando.schema.Documents;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code store.local} may say: keys that engines share, and those of single engines. */
public final class LocalSchema {
  /** Nodes of a local cluster. */
  public static final int MAX_NODES = 9;

  public static final Key<Integer> NODES =
      Key.of("nodes", integer(1, MAX_NODES), "Nodes to start, one process each.")
          .byDefault("3")
          .example("3");
  public static final Key<Integer> RACKS =
      Key.of("racks", integer(1, MAX_NODES), "Racks; nodes are dealt to them in turn.")
          .byDefault("1")
          .example("3");
  public static final Key<Integer> RF =
      Key.of("rf", integer(1, MAX_NODES), "Replication factor; at most the number of nodes.")
          .byDefault("3")
          .example("3");
  public static final Key<LinkDelay> LINK_DELAY =
      Key.of(
              "link-delay",
              LinkDelayType.of(MAX_NODES),
              "One-way delay of messages between nodes; a matrix has a row for each sender and a"
                  + " column for each receiver.")
          .byDefault("0ms")
          .example("5ms");
  public static final Key<List<String>> TOKENS =
      Key.of(
              "tokens",
              list(
                  text(
                      "tokens",
                      "-?\\d{1,39}(\\s*,\\s*-?\\d{1,39})*",
                      "one token, or several separated by commas"),
                  1,
                  MAX_NODES),
              "Initial tokens, an entry for each node; without it the ring is split evenly.")
          .example("[-9223372036854775808, -3074457345618258603, 3074457345618258602]");
  public static final Key<StoreLayout> LAYOUT =
      Key.of(
              "layout",
              LayoutType.ANY,
              "Token layout, in place of tokens: the share of nodes, the first ones, that own twice"
                  + " as much of the ring as the others; see docs/layout.md. Of HDFS the layout of"
                  + " blocks, rabbit without it; see docs/gears.md.")
          .example("half");
  public static final Key<Long> HEAP =
      Key.of("heap", size(128L << 20, 32L << 30), "Maximum heap of each node.")
          .byDefault("256MB")
          .example("256MB");

  public static final Key<Boolean> AUTH =
      Key.of(
              "auth",
              bool(),
              "Clients must log in: Calando with a role of its own and a random password; the"
                  + " built-in superuser gets another one.")
          .byDefault("false")
          .example("true");
  public static final Key<Boolean> TLS =
      Key.of(
              "tls",
              bool(),
              "Clients must use TLS, with certificates of a CA that is made for the cluster.")
          .byDefault("false")
          .example("true");

  /** The mapping, whatever the engine is. */
  public static final ObjectType<LocalSpec> TYPE = type().build(LocalSchema::build);

  private LocalSchema() {}

  private static ObjectType.Builder type() {
    return ObjectType.named(
            "a local cluster",
            "A real cluster that is started on this machine for the study and stopped after it.")
        .keys(
            Engines.keys(
                Section.LOCAL,
                Keys.at(10, NODES, RACKS, RF, LINK_DELAY, TOKENS, LAYOUT, HEAP),
                Keys.at(30, AUTH, TLS)))
        .check(LocalSchema::check);
  }

  /**
   * A local cluster of an engine, with the defaults of {@code store.local}.
   *
   * @param settings each {@code key=value}, as below {@code store.local}
   * @throws org.calando.core.BadRequestException listing all that is wrong
   */
  public static LocalSpec read(Engine engine, List<String> settings) {
    ObjectType<LocalSpec> local =
        type()
            .check(values -> refuseUnsupported(values, "", engine))
            .build(values -> build(values).of(engine));
    return Documents.read(local, "{}", "--set", Path.of(""), settings).value();
  }

  /**
   * Reports what a local cluster of an engine does not have; what is as by default may stand, as
   * studies whose defaults are filled in have it.
   *
   * @param path of the local cluster's keys from there
   */
  static void refuseUnsupported(Values values, String path, Engine engine) {
    refuse(values, path, engine, Feature.RACKS, RACKS);
    refuse(values, path, engine, Feature.LINK_DELAYS, LINK_DELAY);
    refuse(values, path, engine, Feature.TOKEN_LAYOUTS, TOKENS);
    refuse(values, path, engine, Feature.USERS, AUTH);
    refuse(values, path, engine, Feature.TLS, TLS);
    String layout = path.isEmpty() ? LAYOUT.name() : path + "." + LAYOUT.name();
    values
        .peek(layout, LAYOUT.type())
        .ifPresent(given -> LayoutType.refuseUnsupported(values, layout, given, engine));
    for (Engine other : Engines.all()) {
      if (!other.id().equals(engine.id())) {
        other.schema().keys(Section.LOCAL).stream()
            .flatMap(keys -> keys.keys().stream())
            .forEach(key -> refuse(values, path, engine, key));
      }
    }
  }

  private static void refuse(
      Values values, String path, Engine engine, Feature feature, Key<?> key) {
    if (!engine.supports(feature)) {
      refuse(values, path, engine, key);
    }
  }

  private static void refuse(Values values, String path, Engine engine, Key<?> key) {
    if (values.changes(path, key)) {
      values.errorAt(
          path.isEmpty() ? key.name() : path + "." + key.name(),
          "is not supported by a local " + engine.title(),
          "remove it");
    }
  }

  private static void check(Values local) {
    local.requireAtMostOne(TOKENS, LAYOUT);
    local.find(NODES).ifPresent(nodes -> checkAgainstNodes(local, nodes));
    Engines.all().forEach(engine -> engine.schema().checkLocal(local));
  }

  private static void checkAgainstNodes(Values local, int nodes) {
    atMostNodes(local, RACKS, nodes);
    // The default is as good as not written: a study's own text has it, and fewer nodes will do
    // where every node has all keys, or none has more than one copy.
    if (local.changes("", RF)) {
      atMostNodes(local, RF, nodes);
    }
    local
        .find(LAYOUT)
        .flatMap(StoreLayout::tokens)
        .ifPresent(layout -> LayoutType.check(local, LAYOUT.name(), layout, nodes));
    int tokens = local.find(TOKENS).map(List::size).orElse(nodes);
    if (tokens != nodes) {
      local.errorAt(
          "tokens", "has tokens of " + tokens + " nodes, not " + nodes, "write one for each node");
    }
    local
        .find(LINK_DELAY)
        .filter(delay -> local.given(LINK_DELAY))
        .ifPresent(delay -> LinkDelayType.check(local, LINK_DELAY.name(), delay, nodes));
  }

  private static void atMostNodes(Values local, Key<Integer> key, int nodes) {
    local
        .find(key)
        .filter(value -> value > nodes)
        .ifPresent(
            value ->
                local.errorAt(
                    key.name(),
                    value + " is more than the " + nodes + " nodes",
                    "write at most " + nodes + ", or more nodes"));
  }

  private static LocalSpec build(Values local) {
    return new LocalSpec(
        local.get(NODES),
        local.get(RACKS),
        local.get(RF),
        local.get(LINK_DELAY),
        local.find(TOKENS).orElse(List.of()),
        local.find(LAYOUT).flatMap(StoreLayout::tokens),
        local.get(HEAP),
        local.get(AUTH),
        local.get(TLS),
        Engines.all().stream()
            .map(engine -> engine.schema().local(local))
            .flatMap(Optional::stream)
            .toList());
  }
}
