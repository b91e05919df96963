// Points of two figures, a colour and a symbol for each series; with a diagonal where both are of one kind.
window.calandoPoints = (function () {
  "use strict";

  var kit = window.calandoChartKit;

  function allOf(chart, name) {
    return chart.series.reduce(function (all, s) {
      return all.concat(s.points.map(function (p) { return p[name]; }));
    }, []);
  }

  function axis(chart, c, name, wide) {
    var one = kit.valueAxis(c, chart[name]);
    one.axisLine = { show: true, onZero: false, lineStyle: { color: c.quiet } };
    if (chart.diagonal) {
      var values = allOf(chart, "x").concat(allOf(chart, "y"));
      kit.decades(one, chart.least, Math.max.apply(null, values.concat([chart.least])));
    } else {
      kit.scale(one, Math.max.apply(null, allOf(chart, name)) * 1.05, wide ? 6 : 4);
    }
    return one;
  }

  function points(chart, c, width) {
    var option = kit.base(c);
    var height = width === kit.PAPER_WIDTH ? 300 : width < 500 ? 320 : 400;
    option.grid = { left: 8, right: 24, top: 34, bottom: 34, containLabel: true };
    option.xAxis = axis(chart, c, "x", width > 500);
    option.xAxis.nameLocation = "middle";
    option.xAxis.nameGap = 26;
    option.yAxis = axis(chart, c, "y", true);
    option.yAxis.nameTextStyle.align = "left";
    option.yAxis.nameTextStyle.padding = [0, 0, 4, -30];
    function shown(v) {
      return chart.diagonal ? kit.decade(v, chart.least) : v;
    }
    option.series = chart.series.map(function (s, i) {
      return {
        type: "scatter",
        name: s.label,
        symbol: kit.SHAPES[i % kit.SHAPES.length],
        symbolSize: 8,
        itemStyle: { color: kit.tone(c, i), opacity: 0.75 },
        data: s.points.map(function (p) { return { value: [shown(p.x), shown(p.y)], point: p }; }),
      };
    });
    if (chart.diagonal) {
      option.series.push({
        type: "line",
        silent: true,
        symbol: "none",
        data: [[option.xAxis.min, option.xAxis.min], [option.xAxis.max, option.xAxis.max]],
        lineStyle: { color: c.quiet, type: "dashed", width: 1.2 },
        tooltip: { show: false },
      });
    }
    option.tooltip.formatter = function (item) {
      var p = item.data.point;
      return p
        ? "<b>" + kit.escape(p.label) + "</b><br>" + kit.escape(item.seriesName) + "<br>" + kit.escape(chart.x) + ": " + kit.number(p.x) + "<br>" + kit.escape(chart.y) + ": " + kit.number(p.y)
        : "";
    };
    return { option: option, height: height };
  }

  return points;
})();
