/**
 * HDFS as Calando uses it: nodes, blocks and their replicas, moves of single replicas, maintenance,
 * and files of its own.
 */
@NullMarked
package org.calando.store.hdfs;

import org.jspecify.annotations.NullMarked;
