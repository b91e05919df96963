/** Commands that carry studies out, report and compare them, and decide again. */
@NullMarked
package org.calando.cli.study;

import org.jspecify.annotations.NullMarked;
