package org.calando.clock;

import java.io.ObjectInputFilter;

/**
 * What a process that asks others over JMX may deserialize: classes of the platform alone, of
 * bounded size. Who is asked may run as somebody who must not become who asks. Stateless.
 */
public final class PlatformClasses {
  private static final String FILTER =
      "maxdepth=32;maxrefs=100000;maxarray=100000;maxbytes=10000000;"
          + "java.base/*;java.rmi/*;java.management/*;java.management.rmi/*;!*";

  private PlatformClasses() {}

  /** Allows no others in this process from now on, unless it has a filter already. */
  public static synchronized void only() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter(FILTER));
    }
  }
}
