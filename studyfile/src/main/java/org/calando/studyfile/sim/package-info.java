/** What a study file may say of simulated clusters, and what it means. */
@NullMarked
package org.calando.studyfile.sim;

import org.jspecify.annotations.NullMarked;
