package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.engine.Finding;
import org.calando.engine.SwitchDoctor;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwitchDoctorTest {
  @TempDir Path folder;

  @Test
  void eachSwitchIsReadAndNothingIsSwitched() throws IOException {
    Path order = folder.resolve("ordered");
    try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String node =
          "  - {name: %s, address: 127.0.0.1, port: %d, switch: {command: {status: [echo, %s],"
              + " on-when: on, off-when: off, on: [touch, \""
              + order
              + "\"], off: [touch, \""
              + order
              + "\"]}}}\n";
      Path file =
          Files.writeString(
              folder.resolve("mine.yaml"),
              "nodes:\n"
                  + node.formatted("d1", port.getLocalPort(), "on")
                  + node.formatted("d2", other.getLocalPort(), "perhaps")
                  + "  - {name: d3, address: 127.0.0.1, port: 9}\n");
      List<Finding> findings = new SwitchDoctor(StudyFile.readInventory(file)).examine();
      assertThat(findings)
          .extracting(Finding::subject)
          .containsExactly("switch of d1", "switch of d2");
      assertThat(findings.get(0).ok()).as(findings.get(0).text()).isTrue();
      assertThat(findings.get(0).text()).endsWith(": on");
      assertThat(findings.get(1).ok()).as(findings.get(1).text()).isFalse();
      assertThat(order).doesNotExist();
    }
  }
}
