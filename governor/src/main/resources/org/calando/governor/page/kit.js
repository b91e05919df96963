// What all parts of the page share: elements, figures in words, and lists that keep the focus when they are drawn again.
window.calandoKit = (function () {
  "use strict";

  var UNKNOWN = "unknown";
  // A number and its unit stay on one line.
  var NO_BREAK = "\u00a0";
  var PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];

  // Text is always set as text: nothing of a cluster is read as markup.
  function el(name, attributes, children) {
    var made = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      var value = attributes[key];
      if (value === null || value === undefined || value === false) {
        return;
      }
      if (key === "onclick") {
        made.addEventListener("click", value);
      } else {
        made.setAttribute(key, value === true ? "" : String(value));
      }
    });
    add(made, children);
    return made;
  }

  function add(to, children) {
    [children].flat(Infinity).forEach(function (child) {
      if (child !== null && child !== undefined && child !== "") {
        to.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
      }
    });
  }

  function byId(id) {
    return document.getElementById(id);
  }

  // Draws a part again: the focus and what was opened stay where they were.
  function replace(box, children) {
    var focused = document.activeElement && box.contains(document.activeElement) ? document.activeElement.id : "";
    var open = Array.from(box.querySelectorAll("details[open][id]")).map(function (each) { return each.id; });
    box.textContent = "";
    add(box, children);
    open.forEach(function (id) {
      var again = byId(id);
      if (again) {
        again.open = true;
      }
    });
    var again = focused && byId(focused);
    if (again) {
      again.focus({ preventScroll: true });
    }
  }

  // Draws only what has changed: a screen reader is not sent back, and a selection stays.
  function draw(box, of, make) {
    var text = JSON.stringify(of);
    if (box.calandoDrawn !== text) {
      box.calandoDrawn = text;
      replace(box, make());
    }
  }

  function known(value) {
    return typeof value === "number" && isFinite(value);
  }

  function number(value, places) {
    if (!known(value)) {
      return UNKNOWN;
    }
    if (value === 0) {
      return "0";
    }
    var digits = places === undefined ? Math.max(0, Math.min(4, 2 - Math.floor(Math.log10(Math.abs(value))))) : places;
    return value.toFixed(digits).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "").replace("-", "\u2212");
  }

  function amount(value, unit) {
    if (!known(value)) {
      return UNKNOWN;
    }
    var prefix = PREFIXES.find(function (each) { return Math.abs(value) >= each[0]; });
    return prefix ? number(value / prefix[0]) + NO_BREAK + prefix[1] + unit : number(value) + NO_BREAK + unit;
  }

  // An interval of which one end may be unbounded.
  function interval(low, high, say) {
    if (!known(low) && !known(high)) {
      return UNKNOWN;
    }
    if (!known(high)) {
      return say(low) + " or more";
    }
    if (!known(low)) {
      return "at most " + say(high);
    }
    return say(low) === say(high) ? say(low) : say(low) + " to " + say(high);
  }

  function percent(share) {
    return known(share) ? number(share * 100) + NO_BREAK + "%" : UNKNOWN;
  }

  function seconds(value) {
    if (!known(value)) {
      return UNKNOWN;
    }
    if (value < 1) {
      return number(value * 1000) + NO_BREAK + "ms";
    }
    if (value < 120) {
      return number(value) + NO_BREAK + "s";
    }
    if (value < 7200) {
      return Math.round(value / 60) + NO_BREAK + "min";
    }
    return value < 172800 ? number(value / 3600, 1) + NO_BREAK + "h" : number(value / 86400, 1) + NO_BREAK + "d";
  }

  function two(value) {
    return (value < 10 ? "0" : "") + value;
  }

  // The time of day here; with the date where it is another day.
  function clock(iso) {
    var when = new Date(iso === null || iso === undefined ? NaN : iso);
    if (isNaN(when.getTime())) {
      return UNKNOWN;
    }
    var text = two(when.getHours()) + ":" + two(when.getMinutes()) + ":" + two(when.getSeconds());
    return when.toDateString() === new Date().toDateString()
      ? text
      : when.getFullYear() + "-" + two(when.getMonth() + 1) + "-" + two(when.getDate()) + " " + text;
  }

  // An order: until when, by whom and why. One without an end lasts until it is taken back.
  function order(of) {
    return (of.until ? " until " + clock(of.until) : "") + " by " + of.who + ": " + of.reason;
  }

  // What a knob is held at. After its plan was taken back it stays as it is, at no value of its own.
  function heldAt(held) {
    return held.value === null || held.value === undefined ? "as it is" : "at " + held.value;
  }

  // A sentence of the governor's: times in it are of the clock here, as all others.
  function sentence(text) {
    return text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, clock);
  }

  // A value of a document in words: no raw times, and no braces.
  function text(value) {
    if (value === null || value === undefined) {
      return "none";
    }
    if (typeof value === "object") {
      return Object.keys(value).map(function (key) { return label(key) + ": " + text(value[key]); }).join(", ");
    }
    return typeof value === "boolean" ? (value ? "yes" : "no") : sentence(String(value));
  }

  function label(key) {
    return key.replace(/_/g, " ");
  }

  function time(iso) {
    return el("time", { datetime: iso }, clock(iso));
  }

  function scrolled(label, table) {
    return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
  }

  function table(caption, heads, rows) {
    return el("table", {}, [
      el("caption", {}, caption),
      el("thead", {}, el("tr", { class: "columns" }, heads.map(function (head) { return el("th", { scope: "col" }, head); }))),
      el("tbody", {}, rows.map(function (row) {
        return el("tr", {}, row.map(function (cell, i) { return el(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, cell); }));
      })),
    ]);
  }

  // A mark that is read without its colour.
  function mark(kind, text) {
    return el("span", { class: "mark " + kind }, text);
  }

  return {
    UNKNOWN: UNKNOWN, el: el, byId: byId, replace: replace, draw: draw, known: known, number: number, amount: amount,
    interval: interval, percent: percent, seconds: seconds, clock: clock, sentence: sentence, text: text, label: label, order: order, heldAt: heldAt, time: time, scrolled: scrolled, table: table, mark: mark,
  };
})();
