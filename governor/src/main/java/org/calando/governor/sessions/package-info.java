/** Applications' sessions whose levels the governor decides. */
@NullMarked
package org.calando.governor.sessions;

import org.jspecify.annotations.NullMarked;
