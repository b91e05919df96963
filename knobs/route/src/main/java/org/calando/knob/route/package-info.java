/** Which nodes of a store with one master answer reads. */
@NullMarked
package org.calando.knob.route;

import org.jspecify.annotations.NullMarked;
