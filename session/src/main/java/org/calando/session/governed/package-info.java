/** Governs the levels of other applications' sessions. */
@NullMarked
package org.calando.session.governed;

import org.jspecify.annotations.NullMarked;
