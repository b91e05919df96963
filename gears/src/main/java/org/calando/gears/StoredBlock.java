package org.calando.gears;

import java.util.SortedSet;

/**
 * A block as the name server knows it now. Immutable.
 *
 * @param path its file
 * @param index its place in the file, from 0
 * @param id its identity in the store
 * @param bytes its size
 * @param nodes which members hold a replica that can be read, by number; those that are off are not
 *     among them
 * @param ours whether the file lies in the folder that is placed by gears
 * @param open whether the file is being written: its last block moves by itself
 */
public record StoredBlock(
    String path, int index, long id, long bytes, SortedSet<Integer> nodes, boolean ours, boolean open) {}
