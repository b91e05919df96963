// What charts of a run over time share: the runs themselves, panels on one axis, and the table behind.
window.calandoSeconds = (function () {
  "use strict";

  var cache = {};

  function runs(chart) {
    if (!cache[chart.source]) {
      cache[chart.source] = JSON.parse(document.getElementById(chart.source).textContent);
    }
    return cache[chart.source];
  }

  function choices(chart) {
    return runs(chart).map(function (run) { return run.label; });
  }

  // A value without neighbours would be no line, so it is a dot.
  function points(run, line) {
    return line.map(function (value, i) {
      var alone = value !== null && (i === 0 || line[i - 1] === null) && (i === line.length - 1 || line[i + 1] === null);
      return { value: [run.first + i * run.step, value === null ? "-" : value], symbol: alone ? "circle" : "none", symbolSize: 4 };
    });
  }

  // Where the measured window begins and ends.
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

  function option(base, c) {
    base.title = [];
    base.grid = [];
    base.xAxis = [];
    base.yAxis = [];
    base.series = [];
    base.tooltip.trigger = "axis";
    base.axisPointer = { link: [{ xAxisIndex: "all" }], lineStyle: { color: c.quiet } };
    return base;
  }

  function title(text, y, c) {
    return { text: text, left: 0, top: y, padding: 0, textStyle: { color: c.text, fontSize: 12, fontWeight: 600 } };
  }

  function timeAxis(run, steps, i, c) {
    return {
      type: "value",
      gridIndex: i,
      min: run.first,
      max: run.first + (steps - 1) * run.step,
      axisLabel: { show: true, color: c.quiet, fontSize: 11, hideOverlap: true, showMinLabel: false, showMaxLabel: false, formatter: "{value} s" },
      axisLine: { onZero: false, lineStyle: { color: c.quiet } },
      splitLine: { show: false },
    };
  }

  function valueAxis(i, c) {
    return {
      type: "value",
      gridIndex: i,
      min: 0,
      splitNumber: 3,
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: c.quiet, fontSize: 11, hideOverlap: true },
      splitLine: { lineStyle: { color: c.rule } },
    };
  }

  function heading(row, head) {
    var th = document.createElement("th");
    th.scope = "col";
    th.className = "n";
    th.dataset.csv = head.csv;
    th.textContent = head.title + " ";
    th.appendChild(document.createElement("small")).textContent = head.unit;
    row.appendChild(th);
  }

  // A row a second, a column for each line: {title, unit, csv, values, gaps}.
  function fill(chart, run, steps, columns) {
    var table = document.getElementById(chart.rows);
    if (table.dataset.run === run.id) {
      return;
    }
    table.dataset.run = run.id;
    var row = table.querySelector("thead tr.columns");
    row.textContent = "";
    heading(row, { title: "Second", unit: "", csv: "second" });
    columns.forEach(function (column) { heading(row, column); });
    Array.from(table.tBodies).forEach(function (old) { old.remove(); });
    var body = table.createTBody();
    for (var i = 0; i < steps; i++) {
      var tr = body.insertRow();
      var th = document.createElement("th");
      th.scope = "row";
      th.className = "n";
      th.textContent = String(run.first + i * run.step);
      tr.appendChild(th);
      columns.forEach(function (column) {
        var td = tr.insertCell();
        td.className = "n";
        var value = column.values[i];
        var known = value !== null && value !== undefined;
        var gap = !known && column.gaps && column.gaps.indexOf(i) >= 0;
        td.textContent = known ? String(value) : gap ? "gap" : "\u2013";
        td.dataset.csv = known ? String(value) : gap ? "gap" : "";
      });
    }
  }

  return {
    runs: runs,
    choices: choices,
    points: points,
    edges: edges,
    option: option,
    title: title,
    timeAxis: timeAxis,
    valueAxis: valueAxis,
    fill: fill,
  };
})();
