/** What studies and commands know of HBase: what files may say of it, its clusters, its checks. */
@NullMarked
package org.calando.engine.hbase;

import org.jspecify.annotations.NullMarked;
