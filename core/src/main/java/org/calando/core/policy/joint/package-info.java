/**
 * One controller of read levels, gear and clocks, which keeps a promise of several parts with the
 * fewest watts: closed forms that predict stale reads, latencies and power of each setting, pure,
 * with explicit state.
 */
@NullMarked
package org.calando.core.policy.joint;

import org.jspecify.annotations.NullMarked;
