# Sourced by the benchmarks' scripts, in the project's folder.

BENCH_CLASS_PATH='bench/target/classes:bench/target/lib/*'
# Those of the calando command.
JAVA_OPTIONS='-Xms128m -Xmx1g -XX:+UseSerialGC -Xshare:auto -XX:-UsePerfData'

build_bench() {
  mvn -q -B -Pbench -pl bench -am -Dmaven.test.skip=true package
}

build_bench_with_node() {
  build_bench
  [ -d engines/cassandra/server/target/lib ] || mvn -q -B -f engines/cassandra/server/pom.xml package
}

build_promise() {
  mvn -q -B -Pbench -pl it/promise -am -Dmaven.test.skip=true package
  [ -d engines/cassandra/server/target/lib ] || mvn -q -B -f engines/cassandra/server/pom.xml package
}

build_bench_with_hdfs() {
  build_bench
  mvn -q -B -pl engines/hdfs/server,engines/hdfs/grep,engines/hdfs/placement -am -Dmaven.test.skip=true package
}

build_bench_with_hbase() {
  build_bench_with_hdfs
  [ -d engines/hbase/server/target/lib ] || mvn -q -B -f engines/hbase/server/pom.xml package
}
