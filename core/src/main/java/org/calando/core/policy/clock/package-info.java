/**
 * Policies that set the clocks of a replicated store's cores from the roles of its nodes: pure,
 * with explicit state. After Lee and Lee 2021 (Concerto); docs/papers/concerto.md tells what is
 * theirs.
 */
@NullMarked
package org.calando.core.policy.clock;

import org.jspecify.annotations.NullMarked;
