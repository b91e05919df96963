/** Workloads in YCSB's terms, their key choosers, and the staleness oracle. */
@NullMarked
package org.calando.core.workload;

import org.jspecify.annotations.NullMarked;
