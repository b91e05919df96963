package org.calando.store.redis.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import org.calando.core.store.Session;

/** The answer to a write, of which only the errors matter. Of one request; not thread safe. */
final class Acknowledgement extends CommandOutput<byte[], byte[], Long> {
  Acknowledgement() {
    super(ByteArrayCodec.INSTANCE, Session.NO_VERSION);
  }

  @Override
  public void set(ByteBuffer status) {
    // "OK"
  }

  @Override
  public void set(long fieldsAdded) {
    // how many fields are new
  }
}
