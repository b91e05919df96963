/** Benchmarks of the request path. */
@NullMarked
package org.calando.bench;

import org.jspecify.annotations.NullMarked;
