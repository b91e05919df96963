package org.calando.core.policy;

/**
 * Names a signal and the type of its values. Immutable and thread safe.
 *
 * @param name as in journals, such as {@code reads}
 * @param type of its values: a record of numbers, texts, enums, optionals, lists and such records,
 *     so that a journal can write and read it
 */
public record SignalId<T>(String name, Class<T> type) {}
