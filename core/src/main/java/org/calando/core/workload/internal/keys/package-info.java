/** Random streams, and how keys and lengths are drawn from them. */
@NullMarked
package org.calando.core.workload.internal.keys;

import org.jspecify.annotations.NullMarked;
