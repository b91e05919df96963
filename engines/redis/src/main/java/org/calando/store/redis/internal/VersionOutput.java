package org.calando.store.redis.internal;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import org.calando.core.store.Session;

/*
 *   GET key            value                    the version is its first 8 bytes
 *   HMGET key v f1     [version, value]         the version is the first element
 *   HGETALL key        [f0, value, v, version]  the version is the element behind "v"
 *
 * Values are counted and not copied: they are of no use here.
 */
/** Takes the version out of a reply. Of one request; not thread safe. */
final class VersionOutput extends CommandOutput<byte[], byte[], Long> {
  /** The field of a record that holds its version; a field of data has a number behind its name. */
  static final String VERSION_FIELD = "v";

  /** Where the version is. */
  enum Form {
    PREFIX,
    FIRST,
    NAMED
  }

  private final Form form;
  private int elements;
  private boolean versionComes;
  private boolean found;
  private long version = Session.NO_VERSION;

  VersionOutput(Form form) {
    super(ByteArrayCodec.INSTANCE, Session.NO_VERSION);
    this.form = form;
  }

  @Override
  public void set(ByteBuffer bytes) {
    // Lettuce hands over null for "no such thing".
    int index = elements++;
    boolean isVersion =
        switch (form) {
          case PREFIX, FIRST -> index == 0;
          case NAMED -> index % 2 == 1 && versionComes;
        };
    if (bytes == null) {
      return;
    }
    found = true;
    if (isVersion && bytes.remaining() >= Long.BYTES) {
      version = bytes.getLong(bytes.position());
    }
    versionComes =
        form == Form.NAMED
            && index % 2 == 0
            && bytes.remaining() == 1
            && bytes.get(bytes.position()) == 'v';
  }

  @Override
  public void set(long integer) {
    // Requests of this form are answered by strings.
  }

  @Override
  public void multi(int count) {
    // the elements come one by one
  }

  /** Whether there is a record. */
  boolean found() {
    return found;
  }

  /** The record's version; {@link Session#NO_VERSION} if it has none, as one that is not ours. */
  long version() {
    return version;
  }
}
