/** The study file: what it may say, what it means, and what is wrong with it. */
@NullMarked
package org.calando.studyfile;

import org.jspecify.annotations.NullMarked;
