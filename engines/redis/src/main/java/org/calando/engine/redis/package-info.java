/**
 * What studies and commands know of Redis or Valkey: what files may say of it, its clusters, its
 * checks.
 */
@NullMarked
package org.calando.engine.redis;

import org.jspecify.annotations.NullMarked;
