/**
 * Looks from outside at what an adaptive session promises: writers and readers as processes of
 * their own on the plain driver, with books of their own that are joined and judged afterwards.
 */
@NullMarked
package org.calando.promise;

import org.jspecify.annotations.NullMarked;
