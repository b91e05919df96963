/** Estimates of the share of reads that are stale: Harmony's, the exact one per key, and WARS. */
@NullMarked
package org.calando.core.staleness;

import org.jspecify.annotations.NullMarked;
