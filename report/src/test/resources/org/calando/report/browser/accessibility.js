// What stands against using a page by keyboard, by ear, or with weak eyes: rules of WCAG 2.2 that a script can look at.
(function () {
  "use strict";

  var found = [];

  function words(element) {
    return element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") + " '" + element.textContent.trim().slice(0, 40) + "'";
  }

  function all(selector) {
    return Array.from(document.querySelectorAll(selector)).filter(function (each) { return each.checkVisibility({ visibilityProperty: true }); });
  }

  // 4.1.2: who or what it is. Text of labels, of references, or of its own.
  function name(element) {
    var by = (element.getAttribute("aria-labelledby") || "").split(/\s+/).map(function (id) { return document.getElementById(id); });
    var labels = element.labels ? Array.from(element.labels) : [];
    return [element.getAttribute("aria-label")]
      .concat(by.concat(labels).map(function (each) { return each ? each.textContent : ""; }))
      .concat(["INPUT", "SELECT", "TEXTAREA"].indexOf(element.tagName) < 0 ? element.textContent : "")
      .join("").trim();
  }

  all("a[href], button, input, select, textarea, summary, [tabindex='0'], [role=img], [role=region], dialog, progress").forEach(function (each) {
    if (name(each) === "") {
      found.push("has no name: " + words(each));
    }
  });
  all("section, nav").forEach(function (each) {
    if (name({ getAttribute: each.getAttribute.bind(each), tagName: "INPUT" }) === "") {
      found.push("is no landmark by name: " + words(each));
    }
  });
  all("table").forEach(function (each) {
    if (!each.caption) {
      found.push("has no caption: " + words(each));
    }
    if (each.querySelector("th:not([scope])")) {
      found.push("has headings without scope: " + words(each));
    }
  });
  var seen = new Set();
  document.querySelectorAll("[id]").forEach(function (each) {
    if (seen.has(each.id)) {
      found.push("is the id of two: " + each.id);
    }
    seen.add(each.id);
  });
  ["aria-labelledby", "aria-describedby", "for"].forEach(function (attribute) {
    document.querySelectorAll("[" + attribute + "]").forEach(function (each) {
      each.getAttribute(attribute).split(/\s+/).forEach(function (id) {
        if (!document.getElementById(id)) {
          found.push(attribute + " names nothing: " + words(each));
        }
      });
    });
  });
  document.querySelectorAll("[tabindex]").forEach(function (each) {
    if (each.tabIndex > 0) {
      found.push("changes the order of the focus: " + words(each));
    }
  });

  // 1.3.1: the order of headings.
  var open = document.querySelector("dialog[open]");
  var level = 0;
  all("h1, h2, h3, h4, h5, h6").filter(function (each) { return !each.closest("dialog"); }).forEach(function (each) {
    var its = Number(each.tagName[1]);
    if (its > level + 1) {
      found.push("skips a level of headings: " + words(each));
    }
    level = its;
  });
  if (all("h1").length !== 1 || all("main").length !== 1 || !document.documentElement.lang || !document.title) {
    found.push("is no page with one h1, one main, a language and a title");
  }

  // 1.4.3: contrast of text.
  function channels(colour) {
    var parts = (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
  }

  function light(rgb) {
    var v = rgb.map(function (x) {
      x /= 255;
      return x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
  }

  function behind(element) {
    for (var each = element; each; each = each.parentElement) {
      var colour = channels(getComputedStyle(each).backgroundColor);
      if (colour.alpha > 0.99) {
        return colour.rgb;
      }
    }
    return channels(getComputedStyle(document.body).backgroundColor).rgb;
  }

  function clipped(element) {
    return element.closest(".unseen, .skip, caption, noscript, [disabled], [aria-hidden=true], option");
  }

  var walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  var texts = 0;
  while (walker.nextNode()) {
    var element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || /^(SCRIPT|STYLE)$/.test(element.tagName) || !element.checkVisibility() || clipped(element) || (open && !open.contains(element))) {
      continue;
    }
    texts++;
    var style = getComputedStyle(element);
    var ink = light(channels(element instanceof SVGElement ? style.fill : style.color).rgb);
    var paper = light(behind(element));
    var contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    var large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? 3 : 4.5)) {
      found.push("has a contrast of " + contrast.toFixed(2) + ": " + words(element));
    }
  }
  if (texts < 20 && !open) {
    found.push("has hardly any text");
  }

  // 2.5.8: targets that a finger hits; links in text are excepted.
  all("button, input, select, summary").forEach(function (each) {
    var box = each.getBoundingClientRect();
    if (box.height < 24 || box.width < 24) {
      found.push("is " + box.width.toFixed(0) + " by " + box.height.toFixed(0) + " px: " + words(each));
    }
  });

  // 1.4.10: no scrolling in two directions.
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push("scrolls sideways");
  }
  all("body *").forEach(function (each) {
    if (!each.closest(".scroll, pre, svg, .skip, .unseen, dialog, caption") && each.getBoundingClientRect().right > innerWidth + 1) {
      found.push("is wider than the window: " + words(each));
    }
  });
  return found;
})();
