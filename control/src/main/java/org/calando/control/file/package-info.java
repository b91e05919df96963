/** Files that a kill leaves whole, and folders that one process has at a time. */
@NullMarked
package org.calando.control.file;

import org.jspecify.annotations.NullMarked;
