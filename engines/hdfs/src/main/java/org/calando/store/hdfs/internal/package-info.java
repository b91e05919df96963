/** How the HDFS adapter does it; not for use from outside. */
@NullMarked
package org.calando.store.hdfs.internal;

import org.jspecify.annotations.NullMarked;
