/** Commands that lay clusters out, and move live ones into a layout. */
@NullMarked
package org.calando.cli.layout;

import org.jspecify.annotations.NullMarked;
