/** Servers whose cores seem slow, on machines whose clocks cannot be set. For tests only. */
@NullMarked
package org.calando.slowcores;

import org.jspecify.annotations.NullMarked;
