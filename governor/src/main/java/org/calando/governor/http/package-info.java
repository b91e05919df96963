/** Where the state of a governor is asked for: metrics, health, JSON. */
@NullMarked
package org.calando.governor.http;

import org.jspecify.annotations.NullMarked;
