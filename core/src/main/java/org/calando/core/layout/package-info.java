/** Where data lies: token layouts of warm and cool nodes, and what each node then holds. */
@NullMarked
package org.calando.core.layout;

import org.jspecify.annotations.NullMarked;
