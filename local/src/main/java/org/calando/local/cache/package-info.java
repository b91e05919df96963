/** What the kernel keeps of files in memory, and how to have it forget. */
@NullMarked
package org.calando.local.cache;

import org.jspecify.annotations.NullMarked;
