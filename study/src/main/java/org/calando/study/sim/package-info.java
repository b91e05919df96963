/** Simulated clusters as studies describe them. */
@NullMarked
package org.calando.study.sim;

import org.jspecify.annotations.NullMarked;
