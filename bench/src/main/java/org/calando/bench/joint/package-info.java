/** What one controller of levels, gear and clocks saves over simulated days, and what it keeps. */
@NullMarked
package org.calando.bench.joint;

import org.jspecify.annotations.NullMarked;
