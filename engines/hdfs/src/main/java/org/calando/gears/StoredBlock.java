package org.calando.gears;

import java.util.NavigableSet;

/**
 * A block as the name server knows it now. Immutable.
 *
 * @param path its file
 * @param index its place in the file, from 0
 * @param id its identity in the store
 * @param bytes its size
 * @param nodes which members hold a replica that can be read, by number; those that are off are not
 *     among them; 0 stands for nodes that the gear file does not name
 * @param ours whether the file lies in the folder that is placed by gears
 * @param open whether it is the last block of a file that is being written: nobody else may move it
 * @param copies that its file asks for
 */
public record StoredBlock(
    String path,
    int index,
    long id,
    long bytes,
    NavigableSet<Integer> nodes,
    boolean ours,
    boolean open,
    int copies) {}
