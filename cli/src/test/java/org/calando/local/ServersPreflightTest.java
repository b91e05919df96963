package org.calando.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.calando.core.BadRequestException;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.local.process.FreePorts;
import org.calando.local.redis.LocalRedis;
import org.calando.local.redis.LocalRedisConfig;
import org.junit.jupiter.api.Test;

/** What a cluster whose port is taken is refused with. */
class ServersPreflightTest {
  @Test
  void aTakenPortIsToldWithItsHolderAndTheOptionThatChoosesAnother() throws IOException {
    int first = FreePorts.inARow(ServersConfig.ADDRESS, 2).get(0);
    LocalRedisConfig redis =
        LocalRedisConfig.builder().nodes(2).binary("/bin/sh").basePort(first).build();
    LocalHdfsConfig hdfs = LocalHdfsConfig.builder().nodes(1).basePort(first).build();
    LocalHBaseConfig hbase = LocalHBaseConfig.builder().nodes(1).basePort(first).build();
    InetAddress address = InetAddress.getLoopbackAddress();
    try (ServerSocket second = new ServerSocket(first + 1, 1, address)) {
      int taken = second.getLocalPort();
      isRefused(() -> LocalRedis.check(redis), "redis", taken, "--set redis-port=N");
      isRefused(() -> LocalHdfs.check(hdfs), "hdfs", taken, "--set port=N");
      isRefused(() -> LocalHBase.check(hbase), "hbase", taken, "--set port=N");
    }
  }

  private static void isRefused(ThrowingCallable start, String engine, int port, String option) {
    assertThatThrownBy(start)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContainingAll(
            "held by pid " + ProcessHandle.current().pid() + " java: 127.0.0.1:" + port,
            "./calando local stop " + engine,
            option);
  }
}
