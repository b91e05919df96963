package org.calando.schema;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The values of one mapping while it is bound, for checks that compare several of them.
 *
 * <p>Not thread safe.
 */
public final class Values {
  private final Tree.Mapping mapping;
  private final Binding at;
  private final Map<String, Object> values = new HashMap<>();

  Values(Tree.Mapping mapping, Binding at) {
    this.mapping = mapping;
    this.at = at;
  }

  void put(Key<?> key, Object value) {
    values.put(key.name(), value);
  }

  /** The value of a key that is mandatory or has a default. */
  public <T> T get(Key<T> key) {
    return find(key).orElseThrow(() -> new IllegalStateException("no value for " + key.name()));
  }

  /** The value or default of a key; empty where there is none or it was wrong. */
  @SuppressWarnings("unchecked") // put() is only called with what the key's own type bound.
  public <T> Optional<T> find(Key<T> key) {
    return Optional.ofNullable((T) values.get(key.name()));
  }

  /**
   * The value at a path below this mapping, if it is right by itself; for checks that should work
   * also where something beside the value is wrong.
   *
   * @param path from this mapping: {@code store.local.rf}
   */
  public <T> Optional<T> peek(String path, Type<T> type) {
    Optional<Tree> tree = TreePath.parse(path).flatMap(mapping::find);
    Binding quiet = new Binding(new Problems(), path, at.directory());
    Bound<T> bound = tree.isEmpty() ? null : type.bind(tree.get(), quiet);
    return bound == null ? Optional.empty() : Optional.of(bound.value());
  }

  /** The folder that paths in the file are relative to. */
  public Path directory() {
    return at.directory();
  }

  /** The file that this stands in. */
  public Path file() {
    // Sources of files are named relative to the file that names them.
    Path name = Path.of(mapping.where().source()).getFileName();
    return name == null ? at.directory() : at.directory().resolve(name);
  }

  /** Whether the file gives a value at a path below this mapping, be it right or wrong. */
  public boolean has(String path) {
    return TreePath.parse(path).flatMap(mapping::find).isPresent();
  }

  /**
   * Whether the file gives a key below this mapping another value than its default; a value that is
   * wrong by itself is none.
   *
   * @param path of the key's mapping, from this one
   */
  public <T> boolean changes(String path, Key<T> key) {
    Optional<T> value = peek(Binding.join(path, key.name()), key.type());
    return value.isPresent() && !value.equals(key.defaultValue());
  }

  /** The number of items of the list at a path; 0 where there is none. */
  public int items(String path) {
    Optional<Tree> tree = TreePath.parse(path).flatMap(mapping::find);
    return tree.isPresent() && tree.get() instanceof Tree.Sequence list ? list.items().size() : 0;
  }

  /** Whether the file gives the key, be its value right or wrong. */
  public boolean given(Key<?> key) {
    return mapping.find(key.name()).isPresent();
  }

  /** Whether the file gives the key a list. */
  public boolean isList(Key<?> key) {
    return mapping
        .find(key.name())
        .map(entry -> entry.value() instanceof Tree.Sequence)
        .orElse(false);
  }

  /** Reports what is wrong with a key, at the key where it was given. */
  public void error(Key<?> key, String what, String remedy) {
    Where where = mapping.find(key.name()).map(Tree.Entry::where).orElse(mapping.where());
    at.key(key.name()).error(where, what, remedy);
  }

  /**
   * Reports what is wrong with a value below this mapping.
   *
   * @param path from this mapping: {@code matrix.consistency[1]}
   */
  public void errorAt(String path, String what, String remedy) {
    Where where = TreePath.parse(path).map(mapping::locate).orElse(mapping.where());
    String full = path.startsWith("[") ? at.path() + path : Binding.join(at.path(), path);
    at.problems().add(where, full, what, remedy);
  }

  /** Reports what is wrong with the mapping as a whole. */
  public void errorHere(String what, String remedy) {
    at.error(mapping.where(), what, remedy);
  }

  /** Reports unless exactly one of the keys is given. */
  public void requireExactlyOne(Key<?>... keys) {
    requireAtMostOne(keys);
    if (Arrays.stream(keys).noneMatch(this::given)) {
      at.error(mapping.where(), names(keys) + " is missing", "give exactly one of them");
    }
  }

  /** Reports each key that is given beside one of those named before it. */
  public void requireAtMostOne(Key<?>... keys) {
    List<Key<?>> present = Arrays.stream(keys).<Key<?>>map(key -> key).filter(this::given).toList();
    for (Key<?> surplus : present.subList(Math.min(1, present.size()), present.size())) {
      error(surplus, "given beside " + present.get(0).name(), "give only one of " + names(keys));
    }
  }

  /** Reports each of the keys that is not given. */
  public void require(String remedy, Key<?>... keys) {
    for (Key<?> key : keys) {
      if (!given(key)) {
        error(key, "is missing", remedy);
      }
    }
  }

  /** Reports each of the keys that is given. */
  public void forbid(String why, Key<?>... keys) {
    for (Key<?> key : keys) {
      if (given(key)) {
        error(key, why, "remove it");
      }
    }
  }

  private static String names(Key<?>... keys) {
    return Arrays.stream(keys).map(Key::name).collect(Collectors.joining(" or "));
  }
}
