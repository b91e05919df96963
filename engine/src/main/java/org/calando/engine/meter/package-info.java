/** What a cluster's nodes use, and which meters can read them. */
@NullMarked
package org.calando.engine.meter;

import org.jspecify.annotations.NullMarked;
