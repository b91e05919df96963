/** The MapReduce grep of papers on gears, run against HDFS as a process of its own. */
@NullMarked
package org.calando.local.grep;

import org.jspecify.annotations.NullMarked;
