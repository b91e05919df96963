package org.calando.store.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class HdfsAccessTest {
  @Test
  void defaultsAreHadoopsOwn() {
    HdfsAccess access = HdfsAccess.of("hdfs://name.example:8020").build();
    assertThat(access.http()).isEqualTo("name.example:9870");
    assertThat(access.user()).isEqualTo(System.getProperty("user.name"));
    assertThat(access.hostsFile()).isEmpty();
  }

  @Test
  void allThatIsWrongIsTold() {
    assertThatThrownBy(
            () ->
                HdfsAccess.of("hdfs://nameservice")
                    .http("http://x")
                    .user(" ")
                    .answerWithin(Duration.ZERO)
                    .build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not the URI of one NameNode")
        .hasMessageContaining("no HOST:PORT")
        .hasMessageContaining("no user")
        .hasMessageContaining("not positive");
    assertThatThrownBy(() -> HdfsAccess.of("hdfs://a b").build())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not a URI");
  }
}
