/** Load on stores of files: streams of new files, and reads of blocks at random places. */
@NullMarked
package org.calando.load.file;

import org.jspecify.annotations.NullMarked;
