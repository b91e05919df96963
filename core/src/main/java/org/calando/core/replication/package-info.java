/**
 * Roles in a store with one master and replicas that follow it: who says to be what, who may become
 * the master, and how far each replica is behind.
 */
@NullMarked
package org.calando.core.replication;

import org.jspecify.annotations.NullMarked;
