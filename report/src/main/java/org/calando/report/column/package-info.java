/** The columns of results.csv: what they are called, and what fills them. */
@NullMarked
package org.calando.report.column;

import org.jspecify.annotations.NullMarked;
