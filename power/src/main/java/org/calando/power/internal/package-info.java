/** Not API: readers of this machine's files. */
@NullMarked
package org.calando.power.internal;

import org.jspecify.annotations.NullMarked;
