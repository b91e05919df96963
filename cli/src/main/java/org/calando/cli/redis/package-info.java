/** Commands of Redis and Valkey. */
@NullMarked
package org.calando.cli.redis;

import org.jspecify.annotations.NullMarked;
