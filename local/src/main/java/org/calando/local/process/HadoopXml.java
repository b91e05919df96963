package org.calando.local.process;

import java.util.Map;

/** Settings as the XML files that Hadoop and HBase read. Stateless. */
public final class HadoopXml {
  private HadoopXml() {}

  /** The text of a file with the given settings, in the order of the map. */
  public static String of(Map<String, String> settings) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    settings.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }
}
