/** What a cluster's clients are promised: what measures it, whether it is kept, what is spent. */
@NullMarked
package org.calando.governor.promise;

import org.jspecify.annotations.NullMarked;
