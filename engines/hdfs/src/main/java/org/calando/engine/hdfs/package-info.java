/**
 * What studies and commands know of HDFS with gears: what files may say of it, its clusters, its
 * checks.
 */
@NullMarked
package org.calando.engine.hdfs;

import org.jspecify.annotations.NullMarked;
