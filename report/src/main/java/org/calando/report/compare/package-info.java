/** Two studies side by side. */
@NullMarked
package org.calando.report.compare;

import org.jspecify.annotations.NullMarked;
