/** Calando's adaptive session as a database of YCSB. */
@NullMarked
package org.calando.ycsb;

import org.jspecify.annotations.NullMarked;
