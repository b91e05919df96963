// Bars with a tick at the mean, its number beside the tick and above the line of the interval, and a dot for each repeat.
window.calandoBars = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var ROW = 36;
  var TICK = 19;

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
    var ink = kit.tone(c, p.tone);
    var zero = api.coord([0, i]);
    var mean = api.coord([p.mean, i]);
    var y = mean[1];
    var children = [
      {
        type: "rect",
        shape: { x: zero[0], y: y - 7, width: Math.max(mean[0] - zero[0], 0), height: 14 },
        style: { fill: ink, opacity: 0.22 },
      },
      kit.line(mean[0], y - TICK, mean[0], y + 8, ink, 2.5),
    ];
    if (p.low !== undefined) {
      var low = api.coord([Math.max(0, p.low), i])[0];
      var high = api.coord([p.high, i])[0];
      children.push(kit.line(low, y, high, y, ink, 1.5), kit.line(high, y - 4, high, y + 4, ink, 1.5));
      // An interval that goes on below 0 is cut there, and an arrow tells so: a cap would say that it ends.
      children.push(p.low < 0 ? kit.arrow(low, y, -9, 0, ink) : kit.line(low, y - 4, low, y + 4, ink, 1.5));
    }
    p.runs.forEach(function (value) {
      var x = api.coord([value, i])[0];
      children.push({
        type: "circle",
        shape: { cx: x, cy: y, r: 2.6 },
        style: { fill: c.paper, stroke: ink, lineWidth: 1.3 },
      });
    });
    children.push({
      type: "text",
      style: {
        text: kit.number(p.mean),
        x: mean[0] + 5,
        y: y - TICK - 1,
        fill: c.text,
        font: "12px system-ui, sans-serif",
        textVerticalAlign: "top",
      },
    });
    return { type: "group", children: children };
  }

  function labelWidth(rows, width) {
    var longest = Math.max.apply(
      null,
      rows.map(function (row) {
        return row.point ? kit.textWidth(row.point.label, 13) : 0;
      })
    );
    return Math.min(longest + 4, width < 500 ? 100 : 240);
  }

  function bars(chart, c, width) {
    var rows = rowsOf(chart);
    var most = Math.max.apply(
      null,
      rows.map(function (row) {
        return row.point ? kit.reach(row.point) : 0;
      })
    );
    var option = kit.base(c);
    var labels = labelWidth(rows, width);
    var name = kit.shortened(
      rows.filter(function (row) { return row.point; }).map(function (row) { return row.point.label; }),
      labels,
      13
    );
    option.grid = { left: labels + 16, right: 26, top: 4, bottom: 52 };
    option.xAxis = kit.valueAxis(c, chart.unit);
    option.xAxis.nameLocation = "middle";
    option.xAxis.nameGap = 26;
    kit.scale(option.xAxis, most * (width < 500 ? 1.22 : 1.1), width < 500 ? 4 : 7);
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
        margin: 13,
        color: c.text,
        fontSize: 13,
        width: labels,
        overflow: "truncate",
        formatter: function (i) {
          return rows[i].point ? name(rows[i].point.label) : "";
        },
      },
    };
    option.tooltip.formatter = function (item) {
      var row = rows[item.dataIndex];
      return row.point
        ? "<b>" + kit.escape(row.point.label) + "</b> \u00B7 " + kit.escape(row.load) + "<br>" + kit.say(row.point, chart.unit)
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
            : drawHeading(row, [width < 500 ? 2 : api.coord([0, params.dataIndex])[0] + 6, api.coord([0, params.dataIndex])[1]], c);
        },
      },
    ];
    return { option: option, height: rows.length * ROW + 56 };
  }

  return bars;
})();
