/** How the load generator works inside; not API. */
@NullMarked
package org.calando.load.internal;

import org.jspecify.annotations.NullMarked;
