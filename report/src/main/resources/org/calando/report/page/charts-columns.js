// Panels of grouped columns: a column with a tick at the mean, a line for the interval, a dot for each repeat.
window.calandoColumns = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var PANEL_HEIGHT = 232;

  function allBars(panel) {
    return panel.groups.reduce(function (all, group) {
      return all.concat(group.bars);
    }, []);
  }

  function lowest(panel) {
    return Math.min.apply(null, [0].concat(allBars(panel).map(function (p) { return p.mean; })));
  }

  function words(bar, signed) {
    return signed ? bar.mean.toFixed(2).replace("-", "\u2212") : kit.number(bar.mean);
  }

  // A number over some columns and not over others looks like a mistake.
  function fits(panel, step, signed) {
    return allBars(panel).every(function (bar) {
      return kit.textWidth(words(bar, signed), 10) + 2 <= step;
    });
  }

  function ends(panel) {
    var bars = allBars(panel);
    var signed = lowest(panel) < 0;
    return {
      signed: signed,
      most: Math.max.apply(null, bars.map(kit.reach).concat([0])),
      least: signed
        ? Math.min.apply(null, bars.map(function (p) {
            return Math.min.apply(null, p.runs.concat([p.mean, p.low === undefined ? 0 : p.low]));
          }))
        : 0,
    };
  }

  function order(panel) {
    return allBars(panel)
      .map(function (bar) { return bar.tone; })
      .filter(function (tone, i, all) { return all.indexOf(tone) === i; })
      .sort(function (a, b) { return a - b; });
  }

  function drawColumn(item, api, c, places, signed) {
    var p = item.bar;
    var ink = kit.tone(c, p.tone);
    var band = api.size([1, 0])[0];
    var step = Math.min(46, (band * 0.86) / places.length);
    var width = Math.max(3, step * 0.78);
    var zero = api.coord([item.group, 0]);
    var x = zero[0] + (places.indexOf(p.tone) - (places.length - 1) / 2) * step;
    function y(value) {
      return api.coord([item.group, signed ? value : Math.max(0, value)])[1];
    }
    var top = y(p.mean);
    var children = [
      {
        type: "rect",
        shape: { x: x - width / 2, y: Math.min(top, zero[1]), width: width, height: Math.abs(zero[1] - top) },
        style: { fill: ink, opacity: 0.28 },
      },
      kit.line(x - width / 2, top, x + width / 2, top, ink, 2.5),
    ];
    if (p.low !== undefined) {
      var cap = Math.min(4, width / 3);
      children.push(kit.line(x, y(p.low), x, y(p.high), ink, 1.5));
      var cut = !signed && p.low < 0;
      children.push(cut ? kit.arrow(x, y(p.low), 0, 7, ink) : kit.line(x - cap, y(p.low), x + cap, y(p.low), ink, 1.5));
      children.push(kit.line(x - cap, y(p.high), x + cap, y(p.high), ink, 1.5));
    }
    p.runs.forEach(function (value) {
      children.push({
        type: "circle",
        shape: { cx: x, cy: y(value), r: Math.min(2.4, width / 4) },
        style: { fill: c.paper, stroke: ink, lineWidth: 1.1 },
      });
    });
    if (item.alike.every(function (panel) { return fits(panel, step, signed); })) {
      // At the column's foot: at its head it would stand at the end of the interval, and look like its figure.
      var below = p.mean < 0;
      children.push({
        type: "text",
        style: {
          text: words(p, signed),
          x: x,
          y: zero[1] + (below ? 3 : -3),
          fill: c.text,
          stroke: c.paper,
          lineWidth: 2.5,
          font: "10px system-ui, sans-serif",
          textAlign: "center",
          textVerticalAlign: below ? "top" : "bottom",
        },
      });
    }
    return { type: "group", children: children };
  }

  // So many labels are left out between two that stand, where the chart's groups are steps of time.
  function leftOut(chart, panel, width) {
    var widest = Math.max.apply(null, panel.groups.map(function (g) { return kit.textWidth(g.label, 11); }).concat([0]));
    return chart.inTime ? Math.ceil((widest + 8) * panel.groups.length / Math.max(1, width)) - 1 : 0;
  }

  function panelOption(option, chart, panel, i, c, box) {
    var range = ends(panel);
    var most = chart.shared ? Math.max.apply(null, chart.panels.map(function (p) { return ends(p).most; })) : range.most;
    option.title.push({
      text: panel.title,
      subtext: panel.unit,
      left: box.x,
      top: box.y + 2,
      padding: 0,
      itemGap: 2,
      textStyle: { color: c.text, fontSize: 13, lineHeight: 18, fontWeight: 600, width: box.width, overflow: "truncate" },
      subtextStyle: { color: c.quiet, fontSize: 11, lineHeight: 15, width: box.width, overflow: "truncate" },
    });
    option.grid.push({ left: box.x, top: box.y + 50, width: box.width, height: box.height - 68, containLabel: true });
    option.xAxis.push({
      type: "category",
      gridIndex: i,
      data: panel.groups.map(function (g) { return g.label; }),
      axisTick: { show: false },
      axisLine: { onZero: true, lineStyle: { color: c.quiet } },
      axisLabel: { color: c.text, fontSize: 11, interval: leftOut(chart, panel, box.width - 50), width: Math.max(40, (box.width - 50) / panel.groups.length - 4), overflow: "break", margin: 8 },
      position: "bottom",
    });
    if (range.signed) {
      option.xAxis[i].axisLine.onZero = false;
    }
    var axis = kit.valueAxis(c, "");
    axis.gridIndex = i;
    axis.axisLabel.fontSize = 11;
    if (range.signed) {
      kit.scale(axis, (range.most - range.least) * 1.25, 6);
      axis.min = Math.floor((range.least * 1.2) / axis.interval) * axis.interval;
      axis.max = Math.ceil((range.most * 1.2) / axis.interval) * axis.interval;
      axis.axisLabel.formatter = function (v) { return String(Number(v.toPrecision(6))).replace("-", "\u2212"); };
    } else {
      kit.scale(axis, most * 1.1, 5);
    }
    option.yAxis.push(axis);
    var items = [];
    panel.groups.forEach(function (group, g) {
      group.bars.forEach(function (bar) {
        items.push({ value: [g, bar.mean], group: g, bar: bar, groupLabel: group.label, panel: panel, alike: chart.shared ? chart.panels : [panel] });
      });
    });
    var places = order(panel);
    option.series.push({
      type: "custom",
      clip: false,
      xAxisIndex: i,
      yAxisIndex: i,
      data: items,
      markLine: range.signed
        ? { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: c.text, type: "solid", width: 1 }, data: [{ yAxis: 0 }] }
        : undefined,
      renderItem: function (params, api) {
        return drawColumn(items[params.dataIndex], api, c, places, range.signed);
      },
    });
  }

  function columns(chart, c, width) {
    var most = chart.across || 3;
    var across = Math.min(chart.panels.length, most, width >= 880 ? 3 : width >= 540 ? 2 : 1);
    if (!chart.across && chart.panels.length === 4 && across === 3) {
      across = width >= 1000 ? 4 : 2;
    }
    var height = across === 1 && width < 500 ? PANEL_HEIGHT - 10 : PANEL_HEIGHT;
    var gap = 22;
    var each = (width - gap * (across - 1)) / across;
    var option = kit.base(c);
    option.title = [];
    option.grid = [];
    option.xAxis = [];
    option.yAxis = [];
    option.series = [];
    chart.panels.forEach(function (panel, i) {
      panelOption(option, chart, panel, i, c, {
        x: Math.floor((i % across) * (each + gap)),
        y: Math.floor(i / across) * height,
        width: Math.floor(each) - 2,
        height: height,
      });
    });
    option.tooltip.formatter = function (item) {
      var d = item.data;
      return d && d.bar
        ? "<b>" + kit.escape(d.groupLabel) + "</b> \u00B7 " + kit.escape(d.bar.label) + "<br>" + kit.say(d.bar, d.panel.unit, ends(d.panel).signed)
        : "";
    };
    return { option: option, height: Math.ceil(chart.panels.length / across) * height };
  }

  return columns;
})();
