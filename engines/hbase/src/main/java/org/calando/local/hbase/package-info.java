/** Real HBase on the loopback interface: ZooKeeper, a master and region servers on a real HDFS. */
@NullMarked
package org.calando.local.hbase;

import org.jspecify.annotations.NullMarked;
