/** What a cluster's nodes use, and which meters can read them. */
@NullMarked
package org.calando.metering;

import org.jspecify.annotations.NullMarked;
