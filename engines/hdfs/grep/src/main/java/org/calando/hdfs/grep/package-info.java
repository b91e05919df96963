/** The MapReduce grep that local clusters are measured with; a program of its own. */
@NullMarked
package org.calando.hdfs.grep;

import org.jspecify.annotations.NullMarked;
