// Published ratios beside ours, on a logarithmic scale: a row for each claim, its words above its marks.
window.calandoClaims = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var ROW = 44;

  function wordsFit(text, width) {
    if (kit.textWidth(text, 12) <= width) {
      return text;
    }
    while (text.length > 4 && kit.textWidth(text + "\u2026", 12) > width) {
      text = text.slice(0, -1);
    }
    return text.trim() + "\u2026";
  }

  function claims(chart, c, width) {
    var rows = chart.rows;
    var values = [1];
    rows.forEach(function (row) {
      [row.published, row.ours, row.low, row.high].forEach(function (v) {
        if (v > 0) {
          values.push(v);
        }
      });
    });
    var low = Math.min.apply(null, values) / 1.15;
    var high = Math.max.apply(null, values) * 1.15;
    var option = kit.base(c);
    option.grid = { left: 12, right: 20, top: 6, bottom: 44 };
    option.xAxis = {
      type: "log",
      logBase: 2,
      min: Math.pow(2, Math.floor(Math.log2(low) * 2) / 2),
      max: Math.pow(2, Math.ceil(Math.log2(high) * 2) / 2),
      name: "ratio",
      nameLocation: "middle",
      nameGap: 26,
      nameTextStyle: { color: c.quiet },
      axisLabel: { color: c.quiet, showMinLabel: false, showMaxLabel: false, formatter: function (v) { return String(v); } },
      splitLine: { lineStyle: { color: c.rule } },
    };
    option.yAxis = { type: "category", inverse: true, data: rows.map(function (r, i) { return String(i); }), axisLabel: { show: false }, axisTick: { show: false }, axisLine: { show: false } };
    option.tooltip.formatter = function (item) {
      var row = rows[item.dataIndex];
      return (
        "<b>" + kit.escape(row.label) + "</b><br>published " + kit.number(row.published) +
        (row.ours === undefined ? "" : "<br>ours " + kit.number(row.ours)) +
        (row.low === undefined ? "" : " (" + kit.number(row.low) + "\u2013" + kit.number(row.high) + ")") +
        "<br>" + kit.escape(row.verdict)
      );
    };
    option.series = [
      {
        type: "custom",
        clip: false,
        data: rows.map(function (row, i) { return [row.published, i]; }),
        markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: c.quiet, type: "solid", width: 1 }, data: [{ xAxis: 1 }] },
        renderItem: function (params, api) {
          var i = params.dataIndex;
          var row = rows[i];
          var at = api.coord([row.published, i]);
          var y = at[1] + 9;
          var ink = kit.tone(c, 0);
          var children = [
            {
              type: "text",
              style: { text: wordsFit(row.label + " \u2013 " + row.verdict, width - 34), x: 14, y: at[1] - 9, fill: c.text, font: "12px system-ui, sans-serif", textVerticalAlign: "middle" },
            },
            { type: "rect", shape: { x: at[0] - 5, y: y - 5, width: 10, height: 10 }, style: { fill: c.paper, stroke: c.text, lineWidth: 1.8 } },
          ];
          if (row.low !== undefined) {
            var from = api.coord([row.low, i])[0];
            var to = api.coord([row.high, i])[0];
            children.push(kit.line(from, y, to, y, ink, 2), kit.line(from, y - 4, from, y + 4, ink, 2), kit.line(to, y - 4, to, y + 4, ink, 2));
          }
          if (row.ours !== undefined) {
            children.push({ type: "circle", shape: { cx: api.coord([row.ours, i])[0], cy: y, r: 4.5 }, style: { fill: ink } });
          }
          return { type: "group", children: children };
        },
      },
    ];
    return { option: option, height: rows.length * ROW + 50 };
  }

  return claims;
})();
