package org.calando.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path to a value: names and indices, as in {@code matrix.consistency[1].read}.
 *
 * <p>Immutable and thread safe.
 *
 * @param steps from the root
 */
record TreePath(List<Step> steps) {
  private static final Pattern SEGMENT = Pattern.compile("([^.\\[\\]\\s]+)((?:\\[\\d{1,6}])*)");
  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  TreePath {
    steps = List.copyOf(steps);
  }

  /** One step down: into a mapping by name or into a list by index. */
  sealed interface Step {
    Optional<Tree.Entry> in(Tree tree);
  }

  record Name(String name) implements Step {
    @Override
    public Optional<Tree.Entry> in(Tree tree) {
      return tree instanceof Tree.Mapping mapping ? mapping.find(name) : Optional.empty();
    }
  }

  record Index(int index) implements Step {
    @Override
    public Optional<Tree.Entry> in(Tree tree) {
      if (!(tree instanceof Tree.Sequence list) || index >= list.items().size()) {
        return Optional.empty();
      }
      Tree item = list.items().get(index);
      return Optional.of(new Tree.Entry("[" + index + "]", item.where(), item));
    }
  }

  /** Reads a path; empty where the text is none. */
  static Optional<TreePath> parse(String text) {
    List<Step> steps = new ArrayList<>();
    for (String segment : text.split("\\.", -1)) {
      Matcher matcher = SEGMENT.matcher(segment);
      if (!matcher.matches()) {
        return Optional.empty();
      }
      steps.add(new Name(matcher.group(1)));
      Matcher index = INDEX.matcher(matcher.group(2));
      while (index.find()) {
        steps.add(new Index(Integer.parseInt(index.group(1))));
      }
    }
    return Optional.of(new TreePath(steps));
  }
}
