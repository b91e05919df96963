package org.calando.knob;

/**
 * Where a study's file says a value of an axis.
 *
 * @param part path of the matrix's part
 * @param item of {@code control} that it stands in; empty if it is of the axis' own key
 * @param path of the value
 * @param value what is said, which is right by itself
 */
public record Place<V>(String part, String item, String path, V value) {
  /** Whether runs may have this and another of the same part. */
  public boolean isBeside(Place<?> other) {
    return item.isEmpty() || other.item.isEmpty() || item.equals(other.item);
  }
}
