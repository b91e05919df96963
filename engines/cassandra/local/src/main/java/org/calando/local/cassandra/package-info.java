/** Real Apache Cassandra clusters of one to nine nodes on the loopback interface. */
@NullMarked
package org.calando.local.cassandra;

import org.jspecify.annotations.NullMarked;
