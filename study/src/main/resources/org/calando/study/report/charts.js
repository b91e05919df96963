// Draws the charts of the block "charts-data" with ECharts, in the colours of the style sheet.
window.calandoCharts = (function () {
  "use strict";

  var PAPER_WIDTH = 660;
  var SHAPES = ["circle", "rect", "triangle", "diamond", "roundRect", "arrow", "pin"];
  var charts = JSON.parse(document.getElementById("charts-data").textContent);
  var drawn = [];

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
    return value.toFixed(places).replace(/\B(?=(\d{3})+(?!\d)(?=\.|$))/g, value >= 10000 ? "," : "");
  }

  function say(p, unit) {
    var text = number(p.mean) + " " + escape(unit);
    if (p.low !== undefined) {
      text += "<br>95 % interval " + number(Math.max(0, p.low)) + "\u2013" + number(p.high);
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

  function rowsOf(chart) {
    var rows = [];
    chart.groups.forEach(function (group) {
      rows.push({ heading: group.label });
      group.rows.forEach(function (row) {
        rows.push({ point: row, load: group.label });
      });
    });
    return rows;
  }

  function drawHeading(row, at, c) {
    return {
      type: "text",
      style: {
        text: row.heading,
        x: at[0],
        y: at[1] + 3,
        fill: c.quiet,
        font: "600 12px system-ui, sans-serif",
        textVerticalAlign: "middle",
      },
      silent: true,
    };
  }

  function drawBar(row, api, i, c) {
    var p = row.point;
    var ink = tone(c, p.tone);
    var zero = api.coord([0, i]);
    var mean = api.coord([p.mean, i]);
    var y = mean[1];
    var children = [
      {
        type: "rect",
        shape: { x: zero[0], y: y - 7, width: Math.max(mean[0] - zero[0], 0), height: 14 },
        style: { fill: ink, opacity: 0.22 },
      },
      line(mean[0], y - 8, mean[0], y + 8, ink, 2.5),
    ];
    var end = mean[0];
    if (p.low !== undefined) {
      var low = api.coord([Math.max(0, p.low), i])[0];
      var high = api.coord([p.high, i])[0];
      children.push(line(low, y, high, y, ink, 1.5));
      children.push(line(low, y - 4, low, y + 4, ink, 1.5), line(high, y - 4, high, y + 4, ink, 1.5));
      end = Math.max(end, high);
    }
    p.runs.forEach(function (value) {
      var x = api.coord([value, i])[0];
      end = Math.max(end, x);
      children.push({
        type: "circle",
        shape: { cx: x, cy: y, r: 2.6 },
        style: { fill: c.paper, stroke: ink, lineWidth: 1.3 },
      });
    });
    children.push({
      type: "text",
      style: {
        text: number(p.mean),
        x: end + 8,
        y: y,
        fill: c.text,
        font: "12px system-ui, sans-serif",
        textVerticalAlign: "middle",
      },
    });
    return { type: "group", children: children };
  }

  var ruler = document.createElement("canvas").getContext("2d");

  function textWidth(text, size) {
    ruler.font = size + "px system-ui, sans-serif";
    return Math.ceil(ruler.measureText(text).width);
  }

  function labelWidth(rows, width) {
    var longest = Math.max.apply(
      null,
      rows.map(function (row) {
        return row.point ? textWidth(row.point.label, 13) : 0;
      })
    );
    return Math.min(longest + 4, width < 500 ? 100 : 240);
  }

  function bars(chart, c, width) {
    var rows = rowsOf(chart);
    var most = Math.max.apply(
      null,
      rows.map(function (row) {
        return row.point ? reach(row.point) : 0;
      })
    );
    var option = base(c);
    var labels = labelWidth(rows, width);
    option.grid = { left: labels + 10, right: 26, top: 4, bottom: 52 };
    option.xAxis = valueAxis(c, chart.unit);
    option.xAxis.nameLocation = "middle";
    option.xAxis.nameGap = 26;
    scale(option.xAxis, most * (width < 500 ? 1.22 : 1.1), width < 500 ? 4 : 7);
    option.yAxis = {
      type: "category",
      inverse: true,
      data: rows.map(function (row, i) {
        return String(i);
      }),
      axisLine: { lineStyle: { color: c.quiet } },
      axisTick: { show: false },
      axisLabel: {
        interval: 0,
        color: c.text,
        fontSize: 13,
        width: labels,
        overflow: "truncate",
        formatter: function (i) {
          return rows[i].point ? rows[i].point.label : "";
        },
      },
    };
    option.tooltip.formatter = function (item) {
      var row = rows[item.dataIndex];
      return row.point
        ? "<b>" + escape(row.point.label) + "</b>, " + escape(row.load.toLowerCase()) + "<br>" + say(row.point, chart.unit)
        : "";
    };
    option.series = [
      {
        type: "custom",
        clip: false,
        data: rows.map(function (row, i) {
          return [row.point ? row.point.mean : 0, i];
        }),
        renderItem: function (params, api) {
          var row = rows[params.dataIndex];
          return row.point
            ? drawBar(row, api, params.dataIndex, c)
            : drawHeading(row, [api.coord([0, params.dataIndex])[0] + 6, api.coord([0, params.dataIndex])[1]], c);
        },
      },
    ];
    return { option: option, height: rows.length * 26 + 56 };
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

  // Where labels go: left of the point if there is no room at its right, and down as far as it takes not to cover
  // another. Boxes are in pixels, top ones first.
  function places(points, xMax, yMax, width, height) {
    var placed = [];
    var labels = [];
    points
      .map(function (p, i) {
        var x = (p.x.mean / xMax) * (width - 90);
        var own = textWidth(p.label, 12) + 8;
        var flip = x + own + 16 > width - 60 && x > own;
        return {
          i: i,
          flip: flip,
          left: flip ? x - own - 20 : x,
          top: (1 - p.y.mean / yMax) * (height - 90),
          width: own,
        };
      })
      .sort(function (a, b) {
        return a.top - b.top;
      })
      .forEach(function (box) {
        var start = box.top;
        placed.forEach(function (other) {
          var across = box.left < other.left + other.width && other.left < box.left + box.width;
          if (across && box.top < other.top + 15) {
            box.top = other.top + 15;
          }
        });
        labels[box.i] = {
          position: [box.flip ? -4 : 16, box.top - start - 8],
          align: box.flip ? "right" : "left",
        };
        placed.push(box);
      });
    return labels;
  }

  function whiskers(points, c) {
    return {
      type: "custom",
      silent: true,
      z: 1,
      data: points.map(function (p) {
        return [p.x.mean, p.y.mean];
      }),
      renderItem: function (params, api) {
        var p = points[params.dataIndex];
        var ink = tone(c, p.tone);
        var children = [];
        function between(a, b) {
          children.push(line(a[0], a[1], b[0], b[1], ink, 1.2));
        }
        if (p.x.low !== undefined) {
          between(api.coord([Math.max(0, p.x.low), p.y.mean]), api.coord([p.x.high, p.y.mean]));
        }
        if (p.y.low !== undefined) {
          between(api.coord([p.x.mean, Math.max(0, p.y.low)]), api.coord([p.x.mean, p.y.high]));
        }
        if (p.x.runs.length === p.y.runs.length && p.x.runs.length > 1) {
          p.x.runs.forEach(function (x, i) {
            var at = api.coord([x, p.y.runs[i]]);
            children.push({
              type: "circle",
              shape: { cx: at[0], cy: at[1], r: 2 },
              style: { fill: ink, opacity: 0.55 },
            });
          });
        }
        return { type: "group", children: children };
      },
    };
  }

  function tradeoff(chart, c, width) {
    var points = chart.points;
    function most(axis) {
      return Math.max.apply(
        null,
        points.map(function (p) {
          return reach(p[axis]);
        })
      );
    }
    var option = base(c);
    option.grid = { left: 8, right: width < 500 ? 16 : 40, top: 34, bottom: 34, containLabel: true };
    option.xAxis = valueAxis(c, chart.x);
    option.xAxis.nameLocation = "middle";
    option.xAxis.nameGap = 26;
    scale(option.xAxis, most("x") * 1.15, width < 500 ? 4 : 5);
    option.xAxis.axisLine = { show: true, lineStyle: { color: c.quiet } };
    option.yAxis = valueAxis(c, chart.y);
    option.yAxis.nameTextStyle.align = "left";
    option.yAxis.nameTextStyle.padding = [0, 0, 4, -30];
    scale(option.yAxis, most("y") * 1.04, 6);
    option.yAxis.axisLine = { show: true, lineStyle: { color: c.quiet } };
    var height = width === PAPER_WIDTH ? 260 : width < 500 ? 320 : 380;
    var labels = places(points, option.xAxis.max, option.yAxis.max, width, height);
    option.tooltip.formatter = function (item) {
      var p = points[item.dataIndex];
      return "<b>" + escape(p.label) + "</b><br>" + say(p.x, chart.x) + "<br>" + say(p.y, chart.y);
    };
    option.series = [
      whiskers(points, c),
      {
        type: "scatter",
        z: 2,
        symbolSize: 12,
        data: points.map(function (p, i) {
          var ink = tone(c, p.tone);
          return {
            value: [p.x.mean, p.y.mean],
            symbol: SHAPES[p.tone % SHAPES.length],
            itemStyle: { color: chart.open ? c.paper : ink, borderColor: ink, borderWidth: 2 },
            label: labels[i],
          };
        }),
        label: {
          show: true,
          color: c.text,
          fontSize: 12,
          formatter: function (item) {
            return points[item.dataIndex].label;
          },
        },
        labelLayout: { hideOverlap: points.length > 12 },
      },
    ];
    return { option: option, height: height };
  }

  function draw(width) {
    var c = colours();
    drawn.forEach(function (one) {
      one.dispose();
    });
    drawn = charts.map(function (chart) {
      var box = document.getElementById(chart.id);
      var wide = width || box.clientWidth || 320;
      var plan = (chart.kind === "bars" ? bars : tradeoff)(chart, c, wide);
      box.style.height = plan.height + "px";
      var one = echarts.init(box, null, { renderer: "svg", width: wide, height: plan.height });
      one.setOption(plan.option);
      return one;
    });
  }

  function redrawOnResize() {
    var waiting = 0;
    var last = window.innerWidth;
    window.addEventListener("resize", function () {
      if (window.innerWidth === last) {
        return;
      }
      last = window.innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(function () { draw(); }, 120);
    });
  }

  if (charts.length > 0) {
    draw();
    redrawOnResize();
    // Paper is light and narrow whatever the screen is.
    window.addEventListener("beforeprint", function () {
      document.documentElement.classList.add("paper");
      draw(PAPER_WIDTH);
    });
    window.addEventListener("afterprint", function () {
      document.documentElement.classList.remove("paper");
      draw();
    });
  }
  return { draw: function () { draw(); } };
})();
