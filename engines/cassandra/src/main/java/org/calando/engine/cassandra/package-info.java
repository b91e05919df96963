/**
 * What studies and commands know of Cassandra: what files may say of it, its clusters, its checks.
 */
@NullMarked
package org.calando.engine.cassandra;

import org.jspecify.annotations.NullMarked;
