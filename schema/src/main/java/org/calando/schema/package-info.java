/** A typed schema for YAML files: one definition binds, documents and reports every error. */
@NullMarked
package org.calando.schema;

import org.jspecify.annotations.NullMarked;
