/**
 * The link-delay relay: a process of its own that delays what the nodes of a cluster say to each
 * other.
 */
@NullMarked
package org.calando.local.relay;

import org.jspecify.annotations.NullMarked;
