/** What a calibration found of a real cluster, as a file, and how it is simulated. */
@NullMarked
package org.calando.studyfile.profile;

import org.jspecify.annotations.NullMarked;
