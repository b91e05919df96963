/**
 * Where the blocks of files lie in a store whose nodes are switched on by gears: RABBIT, PARAID,
 * the homes of new blocks, and what to move when nodes were off while blocks were written.
 */
@NullMarked
package org.calando.core.layout.gear;

import org.jspecify.annotations.NullMarked;
