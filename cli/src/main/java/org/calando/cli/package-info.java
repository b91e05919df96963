/** The calando command. */
@NullMarked
package org.calando.cli;

import org.jspecify.annotations.NullMarked;
