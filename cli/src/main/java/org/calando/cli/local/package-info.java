/** Commands of local clusters. */
@NullMarked
package org.calando.cli.local;

import org.jspecify.annotations.NullMarked;
