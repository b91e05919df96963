/** Carries out what policies decide: the loop, the executor of plans and its journal. */
@NullMarked
package org.calando.control;

import org.jspecify.annotations.NullMarked;
