package org.calando.store.cassandra.internal;

import java.math.BigInteger;
import org.calando.store.cassandra.RingNode;

/** A node and the token that a plan has it at. */
public record Place(RingNode node, BigInteger token) {}
