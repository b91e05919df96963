/** What sessions that a governor governs cost, and what they do when it is killed. */
@NullMarked
package org.calando.bench.governed;

import org.jspecify.annotations.NullMarked;
