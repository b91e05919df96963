/** Layouts as what studies vary: the axis and its checks, the figures and tables of Li 2013. */
@NullMarked
package org.calando.knob.tokens;

import org.jspecify.annotations.NullMarked;
