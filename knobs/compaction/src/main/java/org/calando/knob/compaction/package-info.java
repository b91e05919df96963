/** The throughput that nodes let their compactions have. */
@NullMarked
package org.calando.knob.compaction;

import org.jspecify.annotations.NullMarked;
