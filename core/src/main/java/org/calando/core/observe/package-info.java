/**
 * How what policies decide from is observed, whatever the store: canaries and the rates of
 * counters. Pure: time, requests and random numbers come from who uses it.
 */
@NullMarked
package org.calando.core.observe;

import org.jspecify.annotations.NullMarked;
