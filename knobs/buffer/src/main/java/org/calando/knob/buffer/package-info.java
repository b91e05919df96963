/** Write buffers: what deferring writes saved, and what it cost. */
@NullMarked
package org.calando.knob.buffer;

import org.jspecify.annotations.NullMarked;
