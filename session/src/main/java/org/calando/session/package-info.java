/**
 * Cassandra's driver session for applications that say how many stale reads they tolerate, and its
 * parts: the monitor of the tables' rates and the canary of the writes' propagation.
 */
@NullMarked
package org.calando.session;

import org.jspecify.annotations.NullMarked;
