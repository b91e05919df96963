/** What a study file may say of read levels, their policies and how tables are observed. */
@NullMarked
package org.calando.studyfile.level;

import org.jspecify.annotations.NullMarked;
