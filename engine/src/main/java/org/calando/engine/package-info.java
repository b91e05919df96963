/**
 * Clusters as studies and commands use them: started on this machine, or the user's own; how each
 * kind is reached, checked and changed.
 */
@NullMarked
package org.calando.engine;

import org.jspecify.annotations.NullMarked;
