/** The vocabulary that every module shares: no I/O, no clock, no engine. */
@NullMarked
package org.calando.core;

import org.jspecify.annotations.NullMarked;
