/** Helpers for reading YCSB's properties. */
@NullMarked
package org.calando.core.workload.internal.ycsb;

import org.jspecify.annotations.NullMarked;
