package org.calando.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads YAML 1.2 into a {@link Tree}; a file of any content takes bounded time and memory.
 *
 * <p>Not thread safe.
 */
public final class YamlTree {
  /** The most characters that a file may have. */
  public static final int MAX_CHARACTERS = 1 << 20;

  private static final int MAX_DEPTH = 32;
  private static final int MAX_VALUES = 50_000;
  private static final String CORE_TAG = "tag:yaml.org,2002:";

  private final String source;
  private final boolean hasLines;
  private final Problems problems;
  private int values;
  private boolean isTooLarge;

  private YamlTree(String source, boolean hasLines, Problems problems) {
    this.source = source;
    this.hasLines = hasLines;
    this.problems = problems;
  }

  /**
   * Reads one document.
   *
   * @param text YAML
   * @param source the file's name for messages
   * @param problems told what is wrong: syntax, duplicate keys, foreign tags
   * @return the document, or empty where it cannot be read at all
   */
  public static Optional<Tree> parse(String text, String source, Problems problems) {
    return new YamlTree(source, true, problems).read(text);
  }

  /** As {@link #parse}, for a value on the command line: every place is the argument. */
  static Optional<Tree> parseArgument(String text, String argument, Problems problems) {
    return new YamlTree(argument, false, problems).read(text);
  }

  private Optional<Tree> read(String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(source).setCodePointLimit(MAX_CHARACTERS).build();
    try {
      if (!isShallow(text, settings)) {
        return Optional.empty();
      }
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        return Optional.of(new Tree.Scalar(where(Optional.empty()), "", false));
      }
      Tree tree = convert(root.get(), "", 0);
      return isTooLarge ? Optional.empty() : Optional.ofNullable(tree);
    } catch (MarkedYamlEngineException e) {
      String context = e.getContext() == null ? "" : " " + e.getContext();
      problems.add(where(e.getProblemMark()), "", "not YAML: " + e.getProblem() + context, "");
    } catch (YamlEngineException e) {
      String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("unreadable");
      problems.add(where(Optional.empty()), "", "not YAML: " + message, "");
    }
    return Optional.empty();
  }

  /** The composer recurses into nested values, so their depth is bounded before it runs. */
  private boolean isShallow(String text, LoadSettings settings) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        problems.add(
            where(event.getStartMark()), "", "nested deeper than " + MAX_DEPTH + " levels", "");
        return false;
      }
    }
    return true;
  }

  private Where where(Optional<Mark> mark) {
    if (!hasLines) {
      return Where.argument(source);
    }
    return mark.map(at -> new Where(source, at.getLine() + 1, at.getColumn() + 1))
        .orElse(new Where(source, 1, 1));
  }

  /** Expands aliases, so both the depth (of cycles) and the number of values are bounded. */
  private @Nullable Tree convert(Node node, String path, int depth) {
    Where where = where(node.getStartMark());
    if (depth > MAX_DEPTH || ++values > MAX_VALUES) {
      if (!isTooLarge) {
        problems.add(where, "", "aliases expand to too much", "write the values out");
      }
      isTooLarge = true;
      return null;
    }
    if (!node.getTag().getValue().startsWith(CORE_TAG)) {
      problems.add(where, path, "tag " + node.getTag() + " is not allowed", "remove the tag");
    }
    if (node instanceof ScalarNode scalar) {
      return new Tree.Scalar(where, scalar.getValue(), !scalar.isPlain());
    }
    if (node instanceof SequenceNode list) {
      return convertList(list, where, path, depth);
    }
    return convertMapping((MappingNode) node, where, path, depth);
  }

  private Tree convertList(SequenceNode list, Where where, String path, int depth) {
    List<Tree> items = new ArrayList<>();
    for (Node item : list.getValue()) {
      Tree converted = convert(item, path + "[" + items.size() + "]", depth + 1);
      if (converted == null) {
        break;
      }
      items.add(converted);
    }
    return new Tree.Sequence(where, items);
  }

  private Tree convertMapping(MappingNode mapping, Where where, String path, int depth) {
    Map<String, Where> seen = new HashMap<>();
    List<Tree.Entry> entries = new ArrayList<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Where at = where(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        problems.add(at, path, "a key must be a name, not a list or mapping", "");
        continue;
      }
      String keyPath = Binding.join(path, key.getValue());
      Where first = seen.putIfAbsent(key.getValue(), at);
      if (first != null) {
        String place = first.line() == 0 ? "" : ", first in line " + first.line();
        problems.add(at, keyPath, "duplicate key" + place, "remove one of them");
        continue;
      }
      Tree value = convert(tuple.getValueNode(), keyPath, depth + 1);
      if (value == null) {
        break;
      }
      entries.add(new Tree.Entry(key.getValue(), at, value));
    }
    return new Tree.Mapping(where, entries);
  }
}
