// What all charts share: colours of the style sheet, numbers as text, axes, and the widths of texts.
window.calandoChartKit = (function () {
  "use strict";

  var PAPER_WIDTH = 660;
  var SHAPES = ["circle", "rect", "triangle", "diamond", "roundRect", "arrow", "pin"];
  var ruler = document.createElement("canvas").getContext("2d");

  function colours() {
    var style = getComputedStyle(document.documentElement);
    function v(name) {
      return style.getPropertyValue(name).trim();
    }
    return {
      text: v("--text"),
      quiet: v("--quiet"),
      rule: v("--rule"),
      paper: v("--paper"),
      tones: [0, 1, 2, 3, 4, 5, 6].map(function (i) {
        return v("--tone" + i);
      }),
    };
  }

  function tone(c, i) {
    return c.tones[i % c.tones.length];
  }

  // Colours and symbols begin again with the eighth; the dash tells it from the first.
  function dash(i) {
    return ["solid", "dashed", "dotted"][Math.floor(i / SHAPES.length) % 3];
  }

  function escape(text) {
    return String(text).replace(/[&<>"']/g, function (ch) {
      return "&#" + ch.charCodeAt(0) + ";";
    });
  }

  function number(value) {
    if (value === 0) {
      return "0";
    }
    var places = Math.max(0, Math.min(4, 2 - Math.floor(Math.log10(Math.abs(value)))));
    return value.toFixed(places).replace(/\B(?=(\d{3})+(?!\d)(?=\.|$))/g, value >= 10000 ? "," : "").replace("-", "\u2212");
  }

  // An amount ends at 0, whatever its interval says; a signed value does not.
  function say(p, unit, signed) {
    var text = number(p.mean) + " " + escape(unit);
    if (p.low !== undefined) {
      var below = signed || p.mean < 0;
      text += "<br>95 % interval " + number(below ? p.low : Math.max(0, p.low)) + (below ? " to " : "\u2013") + number(p.high);
    }
    if (p.runs.length > 1) {
      text += "<br>repeats " + p.runs.map(number).join("; ");
    }
    return text;
  }

  function base(c) {
    return {
      animation: false,
      textStyle: { fontFamily: "system-ui, sans-serif", color: c.text },
      tooltip: {
        trigger: "item",
        confine: true,
        backgroundColor: c.paper,
        borderColor: c.rule,
        textStyle: { color: c.text, fontSize: 13 },
      },
    };
  }

  function valueAxis(c, name) {
    return {
      type: "value",
      name: name,
      min: 0,
      nameTextStyle: { color: c.quiet, fontSize: 12 },
      axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: c.rule, width: 1 } },
    };
  }

  function reach(p) {
    return Math.max.apply(null, p.runs.concat([p.mean, p.high === undefined ? 0 : p.high]));
  }

  function line(x1, y1, x2, y2, stroke, width) {
    return {
      type: "line",
      shape: { x1: x1, y1: y1, x2: x2, y2: y2 },
      style: { stroke: stroke, lineWidth: width },
    };
  }

  // The end of a line that goes on: its tip in one direction, by so many pixels.
  function arrow(x, y, dx, dy, fill) {
    return {
      type: "polygon",
      shape: { points: [[x + dx, y + dy], [x - dy * 0.7, y - dx * 0.7], [x + dy * 0.7, y + dx * 0.7]] },
      style: { fill: fill },
    };
  }

  function textWidth(text, size) {
    ruler.font = size + "px system-ui, sans-serif";
    return Math.ceil(ruler.measureText(text).width);
  }

  // What all labels begin with, up to a comma or a space; each has more than that.
  function common(labels, end) {
    var length = labels.length < 2 ? 0 : labels[0].length;
    labels.forEach(function (label) {
      while (label.slice(0, length) !== labels[0].slice(0, length)) {
        length--;
      }
    });
    var last = labels[0].slice(0, length).lastIndexOf(end);
    return last < 0 ? 0 : last + end.length;
  }

  // As much of a text as fits, of its begin the given share, of its end the rest.
  function cut(text, share, fits) {
    for (var n = text.length - 1, name = text; !fits(name) && n > 1; n--) {
      var begin = Math.floor(n * share);
      name = text.slice(0, begin) + "\u2026" + text.slice(text.length - n + begin);
    }
    return name;
  }

  // Labels in so many pixels: without what all begin with, and then without the begin of those that are too wide, since
  // their ends tell them apart; where two would become equal, without their middle or their end.
  function shortened(labels, width, size) {
    function fits(text) {
      return textWidth(text, size) <= width;
    }
    var all = labels.filter(function (label, i) { return labels.indexOf(label) === i; });
    var from = 0;
    [", ", " "].forEach(function (end) {
      if (!all.every(function (label) { return fits(label.slice(from)); })) {
        from = common(all, end);
      }
    });
    var ways = [0, 0.5, 1].map(function (share) {
      return all.map(function (label) { return cut(label.slice(from), share, fits); });
    });
    var names = ways.find(function (way) { return new Set(way).size === all.length; }) || ways[0];
    return function (label) { return names[all.indexOf(label)]; };
  }

  // Steps of 1, 2, 2.5 or 5 times a power of ten, and an end that is a whole number of them.
  function scale(axis, most, steps) {
    if (!(most > 0)) {
      axis.max = 1;
      return axis;
    }
    var power = Math.pow(10, Math.floor(Math.log10(most / steps)));
    var step = [1, 2, 2.5, 5, 10].find(function (factor) {
      return factor * power * steps >= most;
    });
    axis.interval = Number((step * power).toPrecision(6));
    axis.max = Number((Math.ceil(most / axis.interval) * axis.interval).toPrecision(6));
    return axis;
  }

  // ECharts's own logarithmic axis rounds small ends to 0, which has no logarithm, so decades are drawn on a linear one.
  function decade(value, least) {
    return Math.log10(Math.max(least, value));
  }

  function decades(axis, least, most) {
    axis.min = Math.round(Math.log10(least));
    axis.max = Math.max(axis.min + 1, Math.ceil(Math.log10(most) - 1e-9));
    axis.interval = 1;
    axis.axisLabel.formatter = function (v) { return String(Number(Math.pow(10, v).toPrecision(6))); };
    return axis;
  }

  return {
    PAPER_WIDTH: PAPER_WIDTH,
    SHAPES: SHAPES,
    colours: colours,
    tone: tone,
    dash: dash,
    escape: escape,
    number: number,
    say: say,
    base: base,
    valueAxis: valueAxis,
    reach: reach,
    line: line,
    arrow: arrow,
    textWidth: textWidth,
    shortened: shortened,
    scale: scale,
    decade: decade,
    decades: decades,
  };
})();
