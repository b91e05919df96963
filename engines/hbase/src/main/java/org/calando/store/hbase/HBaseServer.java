package org.calando.store.hbase;

/**
 * Where a server of HBase takes calls, as it calls itself. Immutable.
 *
 * @param host name or address; clients reach it by this and nothing else
 * @param port port of its calls
 */
public record HBaseServer(String host, int port) {
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
