/** Studies: a matrix of runs on one cluster, measured, recorded and resumable. */
@NullMarked
package org.calando.study;

import org.jspecify.annotations.NullMarked;
