/** What a study varies and a governor controls: axes of a matrix, and the knobs behind them. */
@NullMarked
package org.calando.knob;

import org.jspecify.annotations.NullMarked;
