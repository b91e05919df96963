/**
 * The clocks of masters and replicas: what policies that set them saved and cost, and the figures
 * of Concerto (Lee and Lee 2021).
 */
@NullMarked
package org.calando.knob.frequency;

import org.jspecify.annotations.NullMarked;
