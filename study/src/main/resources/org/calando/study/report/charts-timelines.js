// A run second by second: a panel for each quantity, a line for each node. Gaps stay gaps.
window.calandoTimeLines = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var PANEL = 128;
  var cache = {};

  function runs(chart) {
    if (!cache[chart.source]) {
      cache[chart.source] = JSON.parse(document.getElementById(chart.source).textContent);
    }
    return cache[chart.source];
  }

  function points(run, line) {
    return line.map(function (value, i) {
      var alone = value !== null && (i === 0 || line[i - 1] === null) && (i === line.length - 1 || line[i + 1] === null);
      return { value: [run.first + i * run.step, value === null ? "-" : value], symbol: alone ? "circle" : "none", symbolSize: 4 };
    });
  }

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

  function edges(run, c, named) {
    return {
      silent: true,
      symbol: "none",
      label: {
        show: named,
        color: c.quiet,
        fontSize: 11,
        distance: 2,
        formatter: function (mark) { return mark.data.xAxis === 0 ? "measured from here" : "to here"; },
      },
      lineStyle: { color: c.quiet, type: "dashed", width: 1 },
      data: [
        { xAxis: 0, label: { align: "left" } },
        { xAxis: run.measured - 1, label: { align: "right" } },
      ],
    };
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
    var run = runs(chart)[chosen];
    var panels = panelsOf(run);
    var top = 34;
    var option = kit.base(c);
    option.legend = { type: "scroll", top: 0, left: 0, data: run.nodes, textStyle: { color: c.text }, pageTextStyle: { color: c.text }, pageIconColor: c.text };
    option.title = [];
    option.grid = [];
    option.xAxis = [];
    option.yAxis = [];
    option.series = [];
    option.tooltip.trigger = "axis";
    option.axisPointer = { link: [{ xAxisIndex: "all" }], lineStyle: { color: c.quiet } };
    panels.forEach(function (panel, i) {
      var y = top + i * PANEL;
      option.title.push({
        text: panel.title + ", " + panel.unit,
        left: 0,
        top: y,
        padding: 0,
        textStyle: { color: c.text, fontSize: 12, fontWeight: 600 },
      });
      option.grid.push({ left: 52, right: 12, top: y + 22, height: PANEL - 46 });
      option.xAxis.push({
        type: "value",
        gridIndex: i,
        min: run.first,
        max: run.first + (run.operations.length - 1) * run.step,
        axisLabel: { show: true, color: c.quiet, fontSize: 11, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: "{value} s" },
        axisLine: { onZero: false, lineStyle: { color: c.quiet } },
        splitLine: { show: false },
      });
      option.yAxis.push({
        type: "value",
        gridIndex: i,
        min: 0,
        splitNumber: 3,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: { color: c.quiet, fontSize: 11, hideOverlap: true },
        splitLine: { lineStyle: { color: c.rule } },
      });
      panel.lines.forEach(function (line, n) {
        var ink = panel.names.length === 1 ? c.text : kit.tone(c, n);
        option.series.push({
          type: "line",
          name: panel.names[n],
          xAxisIndex: i,
          yAxisIndex: i,
          connectNulls: false,
          showSymbol: true,
          data: points(run, line),
          lineStyle: { width: 1.5, color: ink, type: kit.dash(n) },
          itemStyle: { color: ink },
          markArea: panel.gaps && n === 0 ? gapAreas(run, c) : undefined,
          markLine: n === 0 ? edges(run, c, i === 0) : undefined,
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
    var run = runs(chart)[chosen];
    var table = document.getElementById(chart.rows);
    if (table.dataset.run === run.id) {
      return;
    }
    table.dataset.run = run.id;
    var heads = [["Second", "", "second"]];
    var lines = [];
    panelsOf(run).forEach(function (panel) {
      panel.lines.forEach(function (line, n) {
        heads.push([panel.title + " " + panel.names[n], panel.unit, (panel.title + "_" + panel.names[n]).toLowerCase().replace(/\W+/g, "_")]);
        lines.push({ values: line, gaps: panel.gaps ? run.gaps[n] : [] });
      });
    });
    var row = table.querySelector("thead tr.columns");
    row.textContent = "";
    heads.forEach(function (head) {
      var th = document.createElement("th");
      th.scope = "col";
      th.className = "n";
      th.dataset.csv = head[2];
      th.textContent = head[0] + " ";
      th.appendChild(document.createElement("small")).textContent = head[1];
      row.appendChild(th);
    });
    Array.from(table.tBodies).forEach(function (old) { old.remove(); });
    var body = table.createTBody();
    run.operations.forEach(function (ignored, i) {
      var tr = body.insertRow();
      var th = document.createElement("th");
      th.scope = "row";
      th.className = "n";
      th.textContent = String(run.first + i * run.step);
      tr.appendChild(th);
      lines.forEach(function (line) {
        var td = tr.insertCell();
        td.className = "n";
        var value = line.values[i];
        var gap = line.gaps.indexOf(i) >= 0;
        td.textContent = value === null || value === undefined ? (gap ? "gap" : "\u2013") : String(value);
        td.dataset.csv = value === null || value === undefined ? (gap ? "gap" : "") : String(value);
      });
    });
  };

  timelines.choices = function (chart) {
    return runs(chart).map(function (run) { return run.label; });
  };

  return timelines;
})();
