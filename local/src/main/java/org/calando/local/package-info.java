/** What the local clusters of all engines share: where an engine's server jars are. */
@NullMarked
package org.calando.local;

import org.jspecify.annotations.NullMarked;
