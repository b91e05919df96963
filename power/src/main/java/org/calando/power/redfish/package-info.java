/** Power and energy from management controllers and power distribution units that speak Redfish. */
@NullMarked
package org.calando.power.redfish;

import org.jspecify.annotations.NullMarked;
