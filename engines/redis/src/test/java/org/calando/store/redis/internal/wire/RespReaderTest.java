package org.calando.store.redis.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespReaderTest {
  private static final String ROLE =
      "*3\r\n$6\r\nmaster\r\n:3129659\r\n*1\r\n*3\r\n$9\r\n127.0.0.1\r\n$4\r\n9001\r\n$7\r\n3129242\r\n";

  @Test
  void aNestedReplyIsRead() throws IOException {
    assertThat(RespReader.read(bytes(ROLE)))
        .isEqualTo(List.of("master", 3_129_659L, List.of(List.of("127.0.0.1", "9001", "3129242"))));
  }

  @Test
  void aReplyInPiecesWaitsForItsEnd() throws IOException {
    for (int length = 0; length < ROLE.length(); length++) {
      ByteBuffer piece = bytes(ROLE.substring(0, length));
      assertThat(RespReader.read(piece)).as("%d bytes", length).isNull();
      assertThat(piece.position()).isZero();
    }
  }

  @Test
  void whatComesBehindAReplyIsLeft() throws IOException {
    ByteBuffer two = bytes("+OK\r\n:12\r\n");
    assertThat(RespReader.read(two)).isEqualTo("OK");
    assertThat(RespReader.read(two)).isEqualTo(12L);
    assertThat(RespReader.read(two)).isNull();
  }

  @Test
  void aReplyInTheMiddleOfABufferIsRead() throws IOException {
    ByteBuffer all = bytes("xxx+OK\r\n");
    all.position(3);
    assertThat(RespReader.read(all.slice())).isEqualTo("OK");
  }

  @Test
  void errorsAndNothingAreKinds() throws IOException {
    assertThat(RespReader.read(bytes("-NOAUTH who are you\r\n")))
        .isEqualTo(new RespReader.Refusal("NOAUTH who are you"));
    assertThat(RespReader.read(bytes("$-1\r\n"))).isSameAs(RespReader.NIL);
    assertThat(RespReader.read(bytes("*-1\r\n"))).isSameAs(RespReader.NIL);
  }

  @Test
  void numbersAreReadUpToTheGreatest() throws IOException {
    for (long number :
        new long[] {0, 7, -7, 999_999_999_999_999_999L, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertThat(RespReader.read(bytes(":" + number + "\r\n"))).isEqualTo(number);
    }
    for (String none : List.of("", "-", "9223372036854775808", "1-", "1 ")) {
      assertThatThrownBy(() -> RespReader.read(bytes(":" + none + "\r\n")))
          .as("'%s'", none)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherProtocolIsRefused() {
    assertThatThrownBy(() -> RespReader.read(bytes("HTTP/1.1 400\r\n")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> RespReader.read(bytes(":12a\r\n"))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> RespReader.read(bytes("*999999999\r\n")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> RespReader.read(bytes("*1\r\n".repeat(20))))
        .isInstanceOf(IOException.class);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
