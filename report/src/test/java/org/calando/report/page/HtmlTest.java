package org.calando.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HtmlTest {
  @Test
  void textAndAttributesAreEscaped() {
    String page = new Html().element("p", "<b>&\"'\u0000", "title", "\"><script>").toString();
    assertThat(page)
        .isEqualTo("<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&quot;&#39;\uFFFD</p>");
  }

  @Test
  void jsonCannotEndItsElement() {
    String page = new Html().json("d", "[\"</script><!--\"]").toString();
    assertThat(page).contains("\\u003c/script\\u003e\\u003c!--");
  }

  @Test
  void elementsMustCloseInOrder() {
    Html html = new Html().open("p").open("b");
    assertThatThrownBy(() -> html.close("p")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(html::toString).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new Html().verbatim("script", "x</SCRIPT>"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
