/** Node power profiles and the account of joules. */
@NullMarked
package org.calando.core.energy;

import org.jspecify.annotations.NullMarked;
