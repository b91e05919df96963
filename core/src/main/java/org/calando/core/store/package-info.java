/** What Calando needs of a replicated store, as capabilities that an adapter offers. */
@NullMarked
package org.calando.core.store;

import org.jspecify.annotations.NullMarked;
