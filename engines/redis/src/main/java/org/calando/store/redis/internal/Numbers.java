package org.calando.store.redis.internal;

import org.jspecify.annotations.Nullable;

/** Numbers in what servers say. Stateless. */
final class Numbers {
  private Numbers() {}

  static long longOr(@Nullable String text, long otherwise) {
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  static double doubleOr(@Nullable String text, double otherwise) {
    if (text == null) {
      return otherwise;
    }
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
