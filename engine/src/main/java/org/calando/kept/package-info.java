/** Clusters on this machine that outlive the command that starts them, of any engine. */
@NullMarked
package org.calando.kept;

import org.jspecify.annotations.NullMarked;
