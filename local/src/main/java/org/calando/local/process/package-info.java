/**
 * Processes of local clusters: supervised, tied to their owner's life, found again after a crash.
 */
@NullMarked
package org.calando.local.process;

import org.jspecify.annotations.NullMarked;
