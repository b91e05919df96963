/** A study as a self-contained page: its sections, and tables and charts to write them with. */
@NullMarked
package org.calando.report.page;

import org.jspecify.annotations.NullMarked;
