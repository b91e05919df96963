package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.calando.core.store.Session;
import org.calando.core.store.TableSpec;
import org.junit.jupiter.api.Test;

class RecordsTest {
  private final Records records =
      new Records("calando:usertable:", new TableSpec("usertable", 10, "field"));

  @Test
  void aKeyIsThePrefixAndTheIdInDigits() {
    for (long id : new long[] {0, 9, 10, 1234567890123L, Long.MAX_VALUE}) {
      assertThat(new String(records.key(id), StandardCharsets.US_ASCII))
          .isEqualTo("calando:usertable:" + id);
    }
  }

  @Test
  void aPlainValueBeginsWithItsVersion() {
    byte[] value = Records.versioned(77, new byte[200], 50, 100);
    assertThat(value).hasSize(108);
    assertThat(ByteBuffer.wrap(value).getLong()).isEqualTo(77);
    VersionOutput output = new VersionOutput(VersionOutput.Form.PREFIX);
    output.set(ByteBuffer.wrap(value));
    assertThat(output.version()).isEqualTo(77);
  }

  @Test
  void theVersionOfAWholeRecordIsFoundByItsName() {
    VersionOutput output = new VersionOutput(VersionOutput.Form.NAMED);
    for (String text : new String[] {"field0", "v", "v"}) {
      output.set(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }
    output.set(ByteBuffer.allocate(8).putLong(0, 42));
    assertThat(output.found()).isTrue();
    assertThat(output.version()).isEqualTo(42);
  }

  @Test
  void aRecordThatIsNotThereIsNotFound() {
    VersionOutput whole = new VersionOutput(VersionOutput.Form.NAMED);
    whole.multi(0);
    assertThat(whole.found()).isFalse();
    VersionOutput field = new VersionOutput(VersionOutput.Form.FIRST);
    field.set((ByteBuffer) null);
    field.set((ByteBuffer) null);
    assertThat(field.found()).isFalse();
    assertThat(field.version()).isEqualTo(Session.NO_VERSION);
  }
}
