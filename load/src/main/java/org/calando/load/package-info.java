/** Load generation: closed and open loop on an injected clock and scheduler, and the recorder. */
@NullMarked
package org.calando.load;

import org.jspecify.annotations.NullMarked;
