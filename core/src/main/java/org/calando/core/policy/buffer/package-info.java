/**
 * Policies that choose how far a client defers its writes, from the freshness and the bound on
 * writes at risk that were promised: pure, with explicit state. After Garcia-Recuero 2014.
 */
@NullMarked
package org.calando.core.policy.buffer;

import org.jspecify.annotations.NullMarked;
