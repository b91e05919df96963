package org.calando.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports the CPU time of the whole process per operation, which a busy machine disturbs less than
 * elapsed time.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long beforeNanos;

  @Override
  public String getDescription() {
    return "CPU time of the process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    beforeNanos = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    long spentNanos = system.getProcessCpuTime() - beforeNanos;
    double perOperation = (double) spentNanos / result.getMetadata().getAllOps();
    return List.of(new ScalarResult("cpu", perOperation, "ns/op", AggregationPolicy.AVG));
  }
}
