package org.calando.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts values of the command line ({@code matrix.threads=[5, 20]}) into a parsed file, as if they
 * had been written there.
 */
public final class Overrides {
  private Overrides() {}

  /**
   * Applies arguments in order.
   *
   * @param tree the file
   * @param arguments each {@code path=value}; the value is YAML, an empty one removes the key
   * @param problems told which arguments are wrong
   * @return the file with the values in place
   */
  public static Tree apply(Tree tree, List<String> arguments, Problems problems) {
    Tree result = tree;
    for (String argument : arguments) {
      result = applyOne(result, argument, problems);
    }
    return result;
  }

  private static Tree applyOne(Tree tree, String argument, Problems problems) {
    Change change = new Change(Where.argument("--set " + argument), problems);
    int equals = argument.indexOf('=');
    Optional<TreePath> path =
        equals < 0 ? Optional.empty() : TreePath.parse(argument.substring(0, equals).strip());
    if (path.isEmpty()) {
      change.refuse("", "is not path=value", "write for example --set workload.records=1000");
      return tree;
    }
    Optional<Tree> value =
        YamlTree.parseArgument(argument.substring(equals + 1), change.where().source(), problems);
    return value.isEmpty() ? tree : change.put(tree, path.get().steps(), 0, value.get());
  }

  private record Change(Where where, Problems problems) {
    void refuse(String path, String what, String remedy) {
      problems.add(where, path, what, remedy);
    }

    Tree put(@Nullable Tree at, List<TreePath.Step> steps, int depth, Tree value) {
      if (depth == steps.size()) {
        return value;
      }
      TreePath.Step step = steps.get(depth);
      if (step instanceof TreePath.Name name) {
        boolean absent = at == null || (at instanceof Tree.Scalar scalar && scalar.isNull());
        Tree base = absent || at == null ? new Tree.Mapping(where, List.of()) : at;
        if (base instanceof Tree.Mapping mapping) {
          return putName(mapping, name.name(), steps, depth, value);
        }
        refuse(text(steps, depth), "is " + base.shape() + ", not a mapping", "");
        return base;
      }
      int index = ((TreePath.Index) step).index();
      if (at instanceof Tree.Sequence list && index < list.items().size()) {
        List<Tree> items = new ArrayList<>(list.items());
        items.set(index, put(items.get(index), steps, depth + 1, value));
        return new Tree.Sequence(list.where(), items);
      }
      String found =
          at instanceof Tree.Sequence list
              ? "has only " + list.items().size() + " items"
              : "is not a list";
      refuse(text(steps, depth), found, "set the whole list");
      return at == null ? new Tree.Mapping(where, List.of()) : at;
    }

    private Tree putName(
        Tree.Mapping mapping, String name, List<TreePath.Step> steps, int depth, Tree value) {
      List<Tree.Entry> entries = new ArrayList<>(mapping.entries());
      Optional<Tree.Entry> old = mapping.find(name);
      int position = old.map(entries::indexOf).orElse(entries.size());
      old.ifPresent(entries::remove);
      boolean last = depth == steps.size() - 1;
      if (!(last && value instanceof Tree.Scalar scalar && scalar.isNull())) {
        Tree below = old.map(Tree.Entry::value).orElse(null);
        Where at = last ? where : old.map(Tree.Entry::where).orElse(where);
        entries.add(position, new Tree.Entry(name, at, put(below, steps, depth + 1, value)));
      }
      return new Tree.Mapping(mapping.where(), entries);
    }

    private static String text(List<TreePath.Step> steps, int depth) {
      StringBuilder path = new StringBuilder();
      for (TreePath.Step step : steps.subList(0, depth)) {
        if (step instanceof TreePath.Name name) {
          path.append(path.isEmpty() ? "" : ".").append(name.name());
        } else if (step instanceof TreePath.Index index) {
          path.append('[').append(index.index()).append(']');
        }
      }
      return path.toString();
    }
  }
}
