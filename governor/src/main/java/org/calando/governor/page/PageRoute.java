package org.calando.governor.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.http.server.Answer;
import org.calando.report.page.Resources;

/*
 *   /              page.html, which holds nothing of a cluster: it needs no token, and asks /api/v1/ with the one that it is shown
 *   /page/page.css the style of reports, then the page's own
 *   /page/page.js  what draws reports' charts, then the page's own scripts
 *   /page/echarts.js, theme.js, licences.txt   as reports have them
 *
 * Scripts and styles are files of their own, so that the policy of the page admits no inline ones.
 */
/** The governor's page and its files. Stateless. */
public final class PageRoute {
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final List<String> STYLES =
      List.of("report.css", "tables.css", "figures.css", "media.css");
  private static final List<String> SCRIPTS =
      List.of(
          "kit.js",
          "stream.js",
          "model.js",
          "answer.js",
          "knobs.js",
          "lines.js",
          "decisions.js",
          "audit.js",
          "actions.js",
          "main.js");

  private static final Map<String, Answer> FILES =
      Map.of(
          "/",
          file("text/html; charset=utf-8", own("page.html")),
          "/page/page.css",
          file(
              "text/css; charset=utf-8",
              STYLES.stream().map(Resources::text).collect(Collectors.joining("\n"))
                  + own("page.css")),
          "/page/page.js",
          file(
              SCRIPT,
              Resources.text("charts-kit.js")
                  + SCRIPTS.stream().map(PageRoute::own).collect(Collectors.joining("\n"))),
          "/page/theme.js",
          file(SCRIPT, Resources.text("theme.js")),
          "/page/echarts.js",
          file(SCRIPT, Resources.echarts()),
          "/page/licences.txt",
          file("text/plain; charset=utf-8", Resources.text("echarts-notice.txt")));

  private PageRoute() {}

  /** Paths of the page and its files; who asks for them needs no token. */
  public static Set<String> paths() {
    return FILES.keySet();
  }

  /** The page, or a file of it; empty for other paths. */
  public static Optional<Answer> answer(String path) {
    return Optional.ofNullable(FILES.get(path));
  }

  private static Answer file(String type, String text) {
    return new Answer(200, type, text, Map.of("Content-Security-Policy", POLICY), Optional.empty());
  }

  private static String own(String name) {
    try (InputStream in = PageRoute.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("not on the class path: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
