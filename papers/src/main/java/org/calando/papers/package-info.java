/** What papers published, beside what a study of the same shape found. */
@NullMarked
package org.calando.papers;

import org.jspecify.annotations.NullMarked;
