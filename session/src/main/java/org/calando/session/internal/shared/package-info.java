/** What instances share: one measures for all, the others follow what it publishes. */
@NullMarked
package org.calando.session.internal.shared;

import org.jspecify.annotations.NullMarked;
