package org.calando.concerto.trials;

import java.io.IOException;

/** The server's answer is an error. */
final class RespError extends IOException {
  private static final long serialVersionUID = 1;

  RespError(String message) {
    super(message);
  }
}
