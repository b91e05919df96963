package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class SessionRequestTest {
  private static final SessionRequest PLAIN = SessionRequest.of(3);

  @Test
  void everyStoreSupportsAPlainSession() {
    assertThat(PLAIN.slots()).isEqualTo(3);
    assertThatCode(() -> PLAIN.requireReadsFromAny("X")).doesNotThrowAnyException();
    assertThatCode(() -> PLAIN.requireStrongWrites("X")).doesNotThrowAnyException();
    assertThatThrownBy(() -> SessionRequest.of(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatAStoreDoesNotSupportIsRefusedByItsName() {
    SessionRequest replica = PLAIN.readFrom(ReadFrom.REPLICA);
    assertThatCode(() -> replica.requireStrongWrites("X")).doesNotThrowAnyException();
    assertThatThrownBy(() -> replica.requireReadsFromAny("X"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("X does not support")
        .hasMessageContaining("REPLICA");
    SessionRequest deferred = PLAIN.writes(WriteBuffering.deferred(1 << 20));
    assertThatCode(() -> deferred.requireReadsFromAny("X")).doesNotThrowAnyException();
    assertThatThrownBy(() -> deferred.requireStrongWrites("X"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("X does not support deferred writes");
  }

  @Test
  void eachChangeKeepsTheOthers() {
    List<FailedWrite> failed = new ArrayList<>();
    WriteBuffering buffering = WriteBuffering.deferred(1 << 20);
    SessionRequest request =
        PLAIN.failedWrites(failed::add).writes(buffering).readFrom(ReadFrom.MASTER);
    FailedWrite write = new FailedWrite(7, 3, true, "no answer");
    request.failedWrites().accept(write);
    assertThat(failed).containsExactly(write);
    assertThat(request.slots()).isEqualTo(3);
    assertThat(request.writes()).isEqualTo(buffering);
    assertThat(request.readFrom()).isEqualTo(ReadFrom.MASTER);
  }
}
