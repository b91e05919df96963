package org.calando.study.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.calando.core.FailedWorkException;
import org.calando.core.store.FailedWrite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailedWriteLogTest {
  @TempDir Path folder;

  @Test
  void eachFailedWriteIsNamed() throws Exception {
    try (FailedWriteLog log = new FailedWriteLog(folder)) {
      log.failed(new FailedWrite(7, 3, true, "no answer, by the end"));
      log.failed(new FailedWrite(8, 4, false, "refused"));
    }
    assertThat(Files.readAllLines(folder.resolve(FailedWriteLog.FILE)))
        .containsExactly(
            FailedWriteLog.COLUMNS, "7,3,1,\"no answer, by the end\"", "8,4,0,refused");
  }

  @Test
  void thereIsNoFileWhereNoneFailed() {
    new FailedWriteLog(folder).close();
    assertThat(folder.resolve(FailedWriteLog.FILE)).doesNotExist();
  }

  @Test
  void aFileThatCannotBeWrittenIsTold() {
    FailedWriteLog log = new FailedWriteLog(folder.resolve("not-there"));
    log.failed(new FailedWrite(7, 3, true, "no answer"));
    assertThatThrownBy(log::close).isInstanceOf(FailedWorkException.class);
  }
}
