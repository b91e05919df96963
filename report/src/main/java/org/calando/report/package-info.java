/** Reads a study's output folder and shows it: a self-contained page and a table for terminals. */
@NullMarked
package org.calando.report;

import org.jspecify.annotations.NullMarked;
