// Curves of latency by percentile for the load that is picked, a panel for each kind of operation.
window.calandoLatency = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var NAMES = { 0: "0", 1: "90", 2: "99", 3: "99.9", 4: "99.99", 5: "99.999" };

  // Nines: 1 is 90 %, 2 is 99 %.
  function nines(percentile) {
    return -Math.log10(1 - percentile / 100);
  }

  function measures(lines) {
    return lines
      .map(function (line) { return line.measure; })
      .filter(function (m, i, all) { return all.indexOf(m) === i; });
  }

  function latency(chart, c, width, chosen) {
    var lines = chart.choices[chosen].lines;
    var panels = measures(lines);
    var across = width >= 640 ? Math.min(2, panels.length) : 1;
    var gap = 30;
    var each = (width - gap * (across - 1)) / across;
    var height = 300;
    var values = [];
    lines.forEach(function (line) {
      line.points.forEach(function (p) { values.push(p[1]); });
    });
    var most = 2;
    lines.forEach(function (line) {
      line.points.forEach(function (p) { most = Math.max(most, Math.ceil(nines(p[0]) - 1e-9)); });
    });
    var option = kit.base(c);
    option.title = [];
    option.grid = [];
    option.xAxis = [];
    option.yAxis = [];
    option.series = [];
    panels.forEach(function (measure, i) {
      var x = Math.floor((i % across) * (each + gap));
      var y = Math.floor(i / across) * height;
      option.title.push({
        text: measure.charAt(0).toUpperCase() + measure.slice(1) + ", ms",
        left: x,
        top: y + 2,
        padding: 0,
        textStyle: { color: c.text, fontSize: 13, lineHeight: 18, fontWeight: 600 },
      });
      option.grid.push({ left: x, top: y + 32, width: Math.floor(each) - 24, height: height - 72, containLabel: true });
      var xAxis = kit.valueAxis(c, "percentile");
      xAxis.gridIndex = i;
      xAxis.nameLocation = "middle";
      xAxis.nameGap = 26;
      xAxis.interval = 1;
      xAxis.max = most;
      xAxis.axisLabel.formatter = function (v) { return NAMES[v] || ""; };
      option.xAxis.push(xAxis);
      option.yAxis.push({
        type: "log",
        gridIndex: i,
        min: Math.pow(10, Math.floor(Math.log10(Math.min.apply(null, values) || 0.01))),
        max: Math.pow(10, Math.ceil(Math.log10(Math.max.apply(null, values) || 1))),
        axisLabel: { color: c.quiet, fontSize: 12, formatter: function (v) { return String(v); } },
        splitLine: { lineStyle: { color: c.rule } },
        axisLine: { show: false },
      });
      lines
        .filter(function (line) { return line.measure === measure; })
        .forEach(function (line) {
          option.series.push({
            type: "line",
            name: line.label,
            xAxisIndex: i,
            yAxisIndex: i,
            symbol: kit.SHAPES[line.tone % kit.SHAPES.length],
            symbolSize: 6,
            lineStyle: { width: 1.8, color: kit.tone(c, line.tone), type: kit.dash(line.tone) },
            itemStyle: { color: kit.tone(c, line.tone) },
            data: line.points.map(function (p) { return { value: [nines(p[0]), p[1]], percentile: p[0] }; }),
          });
        });
    });
    option.tooltip.formatter = function (item) {
      return "<b>" + kit.escape(item.seriesName) + "</b><br>p" + item.data.percentile + ": " + kit.number(item.data.value[1]) + " ms";
    };
    return { option: option, height: Math.ceil(panels.length / across) * height };
  }

  return latency;
})();
