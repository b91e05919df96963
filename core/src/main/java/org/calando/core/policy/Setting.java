package org.calando.core.policy;

/**
 * What a knob is to be set to. Immutable and thread safe.
 *
 * @param knob which knob
 * @param target what it acts on, in the knob's own terms: a table, a node, a role
 * @param value what to set
 */
public record Setting<V>(KnobId<V> knob, String target, V value) {}
