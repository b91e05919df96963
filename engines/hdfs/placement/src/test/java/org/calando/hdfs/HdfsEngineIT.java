package org.calando.hdfs;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.calando.engine.ClusterKit;
import org.calando.engine.Engines;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** On a cluster as studies start it, whose NameNode has the placement. */
class HdfsEngineIT {
  private static final Path KIT =
      Path.of(System.getProperty("basedir", ".")).resolve("../src/test/kit.properties");

  @TestFactory
  Stream<DynamicTest> itsClustersKeepTo() {
    return new ClusterKit(Engines.of("hdfs"), KIT)
        .checks().entrySet().stream()
            .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> each.getValue().run()));
  }
}
