package org.calando.bench.gear;

import org.calando.store.hdfs.FileBlocks;

/**
 * A replica that is away from home. Immutable.
 *
 * @param index the block's place in its file, from 0
 * @param block as the NameNode knows it
 * @param source the node that it is on, from 1
 * @param target its home
 */
public record CatchUpPair(int index, FileBlocks.BlockReplicas block, int source, int target) {}
