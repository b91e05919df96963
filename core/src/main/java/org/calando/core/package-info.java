/** The vocabulary that every module shares: no I/O, no engine, and no clock but core.time's. */
@NullMarked
package org.calando.core;

import org.jspecify.annotations.NullMarked;
