/** What papers published, beside what a study of the same shape found. */
@NullMarked
package org.calando.study.paper;

import org.jspecify.annotations.NullMarked;
