// Points of joules against stale reads or freshness, with both intervals and each repeat. With a least figure the
// horizontal axis has decades from that one on. A point may have a shorter label than its name, where a legend tells the rest.
// A front is a line of steps between points that nothing is to the lower left of; a limit is an upright line.
window.calandoTradeOff = (function () {
  "use strict";

  var kit = window.calandoChartKit;

  function text(p) {
    return p.short === undefined ? p.label : p.short;
  }

  // Where labels go: left of the point if there is no room at its right, and down as far as it takes not to cover
  // another. Boxes are in pixels, top ones first.
  function places(points, across, yMax, width, height) {
    var placed = [];
    var labels = [];
    var floor = height - 90;
    points
      .map(function (p, i) {
        var x = across(p.x.mean) * (width - 90);
        var own = kit.textWidth(text(p), 12) + 8;
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
          // What would lie under the axis is left to the tooltip and the table.
          show: box.top <= floor,
          position: [box.flip ? -4 : 16, box.top - start - 8],
          align: box.flip ? "right" : "left",
        };
        placed.push(box);
      });
    return labels;
  }

  function whiskers(points, c, shown) {
    return {
      type: "custom",
      silent: true,
      z: 1,
      data: points.map(function (p) {
        return [shown(p.x.mean), p.y.mean];
      }),
      renderItem: function (params, api) {
        var p = points[params.dataIndex];
        var ink = kit.tone(c, p.tone);
        var children = [];
        function between(a, b) {
          children.push(kit.line(a[0], a[1], b[0], b[1], ink, 1.2));
        }
        if (p.x.low !== undefined) {
          between(api.coord([shown(Math.max(0, p.x.low)), p.y.mean]), api.coord([shown(p.x.high), p.y.mean]));
        }
        if (p.y.low !== undefined) {
          between(api.coord([shown(p.x.mean), Math.max(0, p.y.low)]), api.coord([shown(p.x.mean), p.y.high]));
        }
        if (p.x.runs.length === p.y.runs.length && p.x.runs.length > 1) {
          p.x.runs.forEach(function (x, i) {
            var at = api.coord([shown(x), p.y.runs[i]]);
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

  function steps(front, shown, c) {
    return {
      type: "line",
      step: "end",
      silent: true,
      symbol: "none",
      z: 0,
      data: front.map(function (p) {
        return [shown(p[0]), p[1]];
      }),
      lineStyle: { color: c.quiet, width: 1.2 },
      tooltip: { show: false },
    };
  }

  function upright(at, top, c) {
    return {
      type: "line",
      silent: true,
      symbol: "none",
      z: 0,
      data: [[at, 0], [at, top]],
      lineStyle: { color: c.quiet, width: 1.2, type: "dashed" },
      tooltip: { show: false },
    };
  }

  function tradeoff(chart, c, width) {
    var points = chart.points;
    function most(axis) {
      var limit = axis === "x" && chart.limit ? [chart.limit] : [];
      return Math.max.apply(
        null,
        points
          .map(function (p) {
            return kit.reach(p[axis]);
          })
          .concat(limit)
      );
    }
    function shown(v) {
      return chart.least ? kit.decade(v, chart.least) : v;
    }
    var option = kit.base(c);
    option.grid = { left: 8, right: width < 500 ? (chart.least ? 26 : 16) : 40, top: 34, bottom: 34, containLabel: true };
    option.xAxis = kit.valueAxis(c, chart.x);
    option.xAxis.nameLocation = "middle";
    option.xAxis.nameGap = 26;
    if (chart.least) {
      kit.decades(option.xAxis, chart.least, most("x"));
    } else {
      kit.scale(option.xAxis, most("x") * 1.15, width < 500 ? 4 : 5);
    }
    function across(v) {
      return (shown(v) - option.xAxis.min) / (option.xAxis.max - option.xAxis.min);
    }
    option.xAxis.axisLine = { show: true, onZero: false, lineStyle: { color: c.quiet } };
    option.yAxis = kit.valueAxis(c, chart.y);
    option.yAxis.nameTextStyle.align = "left";
    option.yAxis.nameTextStyle.padding = [0, 0, 4, -30];
    kit.scale(option.yAxis, most("y") * 1.04, 6);
    option.yAxis.axisLine = { show: true, onZero: false, lineStyle: { color: c.quiet } };
    var height = width === kit.PAPER_WIDTH ? 260 : width < 500 ? 320 : 380;
    var labels = places(points, across, option.yAxis.max, width, height);
    option.tooltip.formatter = function (item) {
      var p = item.seriesType === "line" ? undefined : points[item.dataIndex];
      return !p ? "" : "<b>" + kit.escape(p.label) + "</b><br>" + kit.say(p.x, chart.x) + "<br>" + kit.say(p.y, chart.y);
    };
    option.series = [
      whiskers(points, c, shown),
      {
        type: "scatter",
        z: 2,
        symbolSize: 12,
        data: points.map(function (p, i) {
          var ink = kit.tone(c, p.tone);
          return {
            value: [shown(p.x.mean), p.y.mean],
            symbol: kit.SHAPES[p.tone % kit.SHAPES.length],
            itemStyle: { color: chart.open ? c.paper : ink, borderColor: ink, borderWidth: 2 },
            label: labels[i],
          };
        }),
        label: {
          show: true,
          color: c.text,
          fontSize: 12,
          formatter: function (item) {
            return text(points[item.dataIndex]);
          },
        },
        labelLayout: { hideOverlap: points.length > 12 },
      },
    ];
    if (chart.front) {
      option.series.push(steps(chart.front, shown, c));
    }
    if (chart.limit) {
      option.series.push(upright(shown(chart.limit), option.yAxis.max, c));
    }
    return { option: option, height: height };
  }

  return tradeoff;
})();
