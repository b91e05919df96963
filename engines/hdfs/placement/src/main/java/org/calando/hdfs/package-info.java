/** Runs inside a NameNode: places blocks by the layout and the gear that a file names. */
@NullMarked
package org.calando.hdfs;

import org.jspecify.annotations.NullMarked;
