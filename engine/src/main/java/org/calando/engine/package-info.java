/**
 * What an engine is, as studies and commands ask for it: what files may say of it, what it
 * supports, and its clusters, started on this machine or the user's own. Knows no engine.
 */
@NullMarked
package org.calando.engine;

import org.jspecify.annotations.NullMarked;
