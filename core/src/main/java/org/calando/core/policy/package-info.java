/** Policies that set a store's knobs from what is observed: pure, with explicit state. */
@NullMarked
package org.calando.core.policy;

import org.jspecify.annotations.NullMarked;
