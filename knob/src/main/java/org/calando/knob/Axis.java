package org.calando.knob;

import java.util.List;
import java.util.function.Function;
import org.calando.schema.Key;
import org.calando.schema.Type;
import org.calando.schema.Types;

/**
 * One thing that a study's matrix varies: how a file writes it, and how results, progress lines and
 * names of runs call it. Two of one name are the same axis. Immutable and thread safe.
 *
 * @param <V> what it is set to; immutable, with a value's equality
 */
public final class Axis<V> {
  private static final int MOST_VALUES = 1000;
  private static final String APART = "leave one of them to a study of its own";

  private final Key<List<V>> key;
  private final Type<V> item;
  private final Function<V, String> label;
  private final Function<V, String> words;
  private final Function<V, String> idPart;
  private final boolean always;
  private final String apart;

  private Axis(
      Key<List<V>> key,
      Type<V> item,
      Function<V, String> label,
      Function<V, String> words,
      Function<V, String> idPart,
      boolean always,
      String apart) {
    this.key = key;
    this.item = item;
    this.label = label;
    this.words = words;
    this.idPart = idPart;
    this.always = always;
    this.apart = apart;
  }

  /**
   * An axis that words and runs' ids name by its label where a study has several values of it.
   *
   * @param key in the matrix, of a list of {@code item}s
   * @param label what results call a value; different for different values
   */
  public static <V> Axis<V> of(Key<List<V>> key, Type<V> item, Function<V, String> label) {
    return new Axis<>(key, item, label, label, label, false, APART);
  }

  /**
   * The same with a key of a list in which no value occurs twice.
   *
   * @param doc what the key means, in a sentence or two
   * @param example a list in YAML
   */
  public static <V> Axis<V> of(
      String name, Type<V> item, Function<V, String> label, String doc, String example) {
    Type<List<V>> list = Types.distinctList(item, 1, MOST_VALUES);
    return of(Key.of(name, list, doc).example(example), item, label);
  }

  /** The same, with a value called otherwise in words and in runs' ids. */
  public Axis<V> called(Function<V, String> inWords, Function<V, String> inIds) {
    return new Axis<>(key, item, label, inWords, inIds, always, apart);
  }

  /** The same, which words and ids name also where a study has one value only, after the others. */
  public Axis<V> named() {
    return new Axis<>(key, item, label, words, idPart, true, apart);
  }

  /** The same, with another way to tell two values apart that have one label. */
  public Axis<V> apart(String remedy) {
    return new Axis<>(key, item, label, words, idPart, always, remedy);
  }

  /** The key in files: {@code gear}. */
  public String name() {
    return key.name();
  }

  /** The key in files. */
  public Key<List<V>> key() {
    return key;
  }

  /** What one value may be. */
  public Type<V> item() {
    return item;
  }

  /** What results call a value. */
  public String label(V value) {
    return label.apply(value);
  }

  /** What progress lines call a value; empty if there is nothing to say. */
  public String words(V value) {
    return words.apply(value);
  }

  /** What the id of a run calls a value, before it is made fit for a folder's name. */
  public String idPart(V value) {
    return idPart.apply(value);
  }

  /** Whether words and ids name the value also where a study has no other. */
  public boolean isNamed() {
    return always;
  }

  /** What to do where two values have one label. */
  public String apart() {
    return apart;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Axis<?> axis && axis.name().equals(name());
  }

  @Override
  public int hashCode() {
    return name().hashCode();
  }

  @Override
  public String toString() {
    return name();
  }
}
