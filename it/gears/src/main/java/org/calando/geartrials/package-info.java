/** Real HDFS clusters with gears under load and failures, watched from outside the tool. */
@NullMarked
package org.calando.geartrials;

import org.jspecify.annotations.NullMarked;
