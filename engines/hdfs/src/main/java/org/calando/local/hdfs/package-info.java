/** Real HDFS on the loopback interface: a NameNode and its DataNodes, a process each. */
@NullMarked
package org.calando.local.hdfs;

import org.jspecify.annotations.NullMarked;
