/** A knob of processes that agents' tests set. */
@NullMarked
package org.calando.agent.toy;

import org.jspecify.annotations.NullMarked;
