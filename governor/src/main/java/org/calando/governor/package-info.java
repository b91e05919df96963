/** Sets the knobs of a user's own clusters for as long as it is asked to, outside studies. */
@NullMarked
package org.calando.governor;

import org.jspecify.annotations.NullMarked;
