/** Power and energy that a Prometheus server knows, from whatever exporter it collects them. */
@NullMarked
package org.calando.power.prometheus;

import org.jspecify.annotations.NullMarked;
