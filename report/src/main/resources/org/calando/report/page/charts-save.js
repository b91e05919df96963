// Saves a chart as an SVG file that stands alone: title, legend, chart, caption, and where its joules come from.
(function () {
  "use strict";

  var kit = window.calandoChartKit;
  var MARGIN = 16;
  var LINE = 17;
  var SIZE = 12;

  function attribute(name, value) {
    return " " + name + '="' + kit.escape(value) + '"';
  }

  function text(x, y, words, fill, size, weight) {
    return (
      "<text" + attribute("x", x) + attribute("y", y) + attribute("fill", fill) + attribute("font-size", size) +
      attribute("font-weight", weight) + attribute("font-family", "system-ui, sans-serif") + ">" + kit.escape(words) + "</text>"
    );
  }

  function wrapped(words, width) {
    var lines = [];
    words.split(/\s+/).filter(Boolean).forEach(function (word) {
      var longer = lines.length ? lines[lines.length - 1] + " " + word : word;
      if (lines.length && kit.textWidth(longer, SIZE) <= width) {
        lines[lines.length - 1] = longer;
      } else {
        lines.push(word);
      }
    });
    return lines;
  }

  // A paper to write on from the top down.
  function sheet(width, c) {
    var parts = [];
    var y = MARGIN;
    return {
      heading: function (words) {
        y += LINE;
        parts.push(text(MARGIN, y, words, c.text, 15, 600));
        y += 8;
      },
      paragraph: function (words) {
        wrapped(words, width - 2 * MARGIN).forEach(function (line) {
          y += LINE;
          parts.push(text(MARGIN, y, line, c.quiet, SIZE, 400));
        });
        y += 4;
      },
      legend: function (items) {
        var x = MARGIN;
        y += items.length ? LINE : 0;
        items.forEach(function (item) {
          var own = kit.textWidth(item.words, SIZE) + 36;
          if (x > MARGIN && x + own > width - MARGIN) {
            x = MARGIN;
            y += LINE;
          }
          parts.push("<rect" + attribute("x", x) + attribute("y", y - 10) + ' width="11" height="11"' + attribute("fill", item.fill) + "/>");
          parts.push(text(x + 17, y, item.words, c.text, SIZE, 400));
          x += own;
        });
        y += items.length ? 8 : 0;
      },
      drawing: function (svg, height) {
        y += 6;
        parts.push(svg.replace("<svg ", "<svg" + attribute("x", MARGIN) + attribute("y", y) + " "));
        y += height + 4;
      },
      close: function (title, namespaces) {
        var height = y + MARGIN;
        return (
          "<svg " + namespaces + attribute("width", width) +
          attribute("height", height) + attribute("viewBox", "0 0 " + width + " " + height) + "><title>" + kit.escape(title) +
          '</title><rect width="100%" height="100%"' + attribute("fill", c.paper) + "/>" + parts.join("") + "</svg>"
        );
      },
    };
  }

  function words(root, selector) {
    var found = root.querySelector(selector);
    return found ? found.textContent.trim() : "";
  }

  // Files of several studies lie in one folder of downloads.
  function studyName() {
    return words(document, "h1").replace(/[^\w.-]+/g, "-");
  }

  function file(figure) {
    var box = figure.querySelector(".chart");
    var drawn = window.calandoCharts.drawn(box.id);
    var title = words(figure, "h3");
    var select = figure.querySelector(".picker select");
    var page = sheet(Math.max(drawn.getWidth(), 288) + 2 * MARGIN, kit.colours());
    page.heading(title);
    if (select) {
      page.paragraph(select.options[select.selectedIndex].text);
    }
    page.legend(
      Array.from(figure.querySelectorAll(".legend li")).map(function (li) {
        return { words: li.textContent.trim(), fill: getComputedStyle(li.querySelector(".swatch")).backgroundColor };
      })
    );
    var svg = drawn.renderToSVGString();
    page.drawing(svg, drawn.getHeight());
    page.paragraph(words(figure, "figcaption"));
    page.paragraph(words(figure.closest("section"), "p.note"));
    page.paragraph("Study \u201c" + words(document, "h1") + "\u201d, " + words(document, ".facts") + ". " + words(document, ".origin").replace("on this page", "here"));
    return page.close(title, svg.match(/xmlns(:\w+)?="[^"]*"/g).join(" "));
  }

  document.querySelectorAll("figure").forEach(function (figure) {
    var box = figure.querySelector(".chart");
    var button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = "Save as SVG";
    button.setAttribute("aria-label", "Save as SVG: " + words(figure, "h3"));
    button.addEventListener("click", function () {
      window.calandoSave(studyName() + "-" + box.id + ".svg", file(figure), "image/svg+xml;charset=utf-8");
    });
    figure.querySelector("details").insertAdjacentElement("beforebegin", button);
  });
})();
