/** Power from management controllers that speak IPMI, read through Debian's {@code ipmitool}. */
@NullMarked
package org.calando.power.ipmi;

import org.jspecify.annotations.NullMarked;
