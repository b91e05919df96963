/**
 * Reads a study's output folder: its runs, their figures and statistics, and a table for terminals.
 */
@NullMarked
package org.calando.report;

import org.jspecify.annotations.NullMarked;
