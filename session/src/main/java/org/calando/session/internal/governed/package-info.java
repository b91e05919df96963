/** Sessions whose levels a governor decides, and what the two exchange. */
@NullMarked
package org.calando.session.internal.governed;

import org.jspecify.annotations.NullMarked;
