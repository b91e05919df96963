/**
 * Policies that choose the gear of a replicated store, which groups of its nodes are on, from a
 * timetable, its load, or a forecast of that: pure, with explicit state. And what gears and shifts
 * between them cost.
 */
@NullMarked
package org.calando.core.policy.gear;

import org.jspecify.annotations.NullMarked;
