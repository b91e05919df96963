package org.calando.schema;

/**
 * A value and how it is written canonically.
 *
 * @param value the bound value
 * @param plain the same in maps, lists, texts, numbers and booleans; bound again it gives an equal
 *     value
 */
public record Bound<T>(T value, Object plain) {}
