/**
 * Power distribution units whose outlets are read by SNMP.
 *
 * <p>What a unit must show is written in {@link org.calando.power.snmp.PduMib}; {@link
 * org.calando.power.snmp.SnmpSource} reads the outlets of one machine. Everything else is internal.
 */
@NullMarked
package org.calando.power.snmp;

import org.jspecify.annotations.NullMarked;
