// A run second by second: a panel for each quantity, a line for each node. Gaps stay gaps.
window.calandoTimeLines = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var seconds = window.calandoSeconds;
  var PANEL = 128;

  function gapAreas(run, c) {
    var steps = [].concat.apply([], run.gaps).sort(function (a, b) { return a - b; });
    var areas = [];
    steps.forEach(function (step) {
      var from = run.first + (step - 0.5) * run.step;
      var last = areas[areas.length - 1];
      if (last && last[1].xAxis >= from) {
        last[1].xAxis = Math.max(last[1].xAxis, from + run.step);
      } else {
        areas.push([{ xAxis: from }, { xAxis: from + run.step }]);
      }
    });
    return { silent: true, itemStyle: { color: c.quiet, opacity: 0.22 }, data: areas };
  }

  function panelsOf(run) {
    var panels = run.quantities.map(function (q) {
      return { title: q.title, unit: q.unit, lines: q.lines, names: run.nodes, gaps: q.title === "Power" };
    });
    if (run.operations.some(function (v) { return v !== null; })) {
      panels.push({ title: "Throughput", unit: "ops/s", lines: [run.operations], names: ["all operations"] });
    }
    return panels;
  }

  function timelines(chart, c, width, chosen) {
    var run = seconds.runs(chart)[chosen];
    var panels = panelsOf(run);
    var top = 34;
    var option = seconds.option(kit.base(c), c);
    option.legend = { type: "scroll", top: 0, left: 0, data: run.nodes, textStyle: { color: c.text }, pageTextStyle: { color: c.text }, pageIconColor: c.text };
    panels.forEach(function (panel, i) {
      var y = top + i * PANEL;
      option.title.push(seconds.title(panel.title + ", " + panel.unit, y, c));
      option.grid.push({ left: 52, right: 12, top: y + 22, height: PANEL - 46 });
      option.xAxis.push(seconds.timeAxis(run, run.operations.length, i, c));
      option.yAxis.push(seconds.valueAxis(i, c));
      panel.lines.forEach(function (line, n) {
        var ink = panel.names.length === 1 ? c.text : kit.tone(c, n);
        option.series.push({
          type: "line",
          name: panel.names[n],
          xAxisIndex: i,
          yAxisIndex: i,
          connectNulls: false,
          showSymbol: true,
          data: seconds.points(run, line),
          lineStyle: { width: 1.5, color: ink, type: kit.dash(n) },
          itemStyle: { color: ink },
          markArea: panel.gaps && n === 0 ? gapAreas(run, c) : undefined,
          markLine: n === 0 ? seconds.edges(run, c, i === 0) : undefined,
        });
      });
    });
    option.tooltip.formatter = function (items) {
      var seen = items.map(function (item) {
        var panel = panels[item.axisIndex];
        var value = item.data.value[1];
        var said = value === "-" ? (panel.gaps ? "gap" : "\u2013") : kit.number(value) + " " + kit.escape(panel.unit.split(",")[0]);
        return item.marker + kit.escape(panel.title + " " + item.seriesName) + ": " + said;
      });
      return items.length ? "second " + items[0].data.value[0] + "<br>" + seen.join("<br>") : "";
    };
    return { option: option, height: top + panels.length * PANEL };
  }

  // The table behind: a row a second, a column for each node and quantity.
  timelines.fill = function (chart, chosen) {
    var run = seconds.runs(chart)[chosen];
    var columns = [];
    panelsOf(run).forEach(function (panel) {
      panel.lines.forEach(function (line, n) {
        columns.push({
          title: panel.title + " " + panel.names[n],
          unit: panel.unit,
          csv: (panel.title + "_" + panel.names[n]).toLowerCase().replace(/\W+/g, "_"),
          values: line,
          gaps: panel.gaps ? run.gaps[n] : [],
        });
      });
    });
    seconds.fill(chart, run, run.operations.length, columns);
  };

  timelines.choices = seconds.choices;

  return timelines;
})();
