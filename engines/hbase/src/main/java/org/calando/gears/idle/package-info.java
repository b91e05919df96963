/**
 * Idle servers: the regions of an HBase's server are moved to others, so that it sleeps together
 * with its DataNode.
 */
@NullMarked
package org.calando.gears.idle;

import org.jspecify.annotations.NullMarked;
