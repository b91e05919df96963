/**
 * Gears of a cluster whose blocks are placed by RABBIT or PARAID: durable plans that switch groups
 * of nodes off and on without a block becoming unreadable or the layout being destroyed (Le et al.
 * 2011), and the catch-up that brings home what was written while nodes were off.
 */
@NullMarked
package org.calando.gears;

import org.jspecify.annotations.NullMarked;
