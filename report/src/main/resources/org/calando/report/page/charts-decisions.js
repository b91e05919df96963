// A policy at work: load, stale reads measured and predicted, and the level, with what was done to the cluster.
window.calandoDecisions = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var seconds = window.calandoSeconds;
  var PANEL = 172;
  var LEAST = 0.01;

  function shown(panel, value) {
    return panel.log && value !== null ? kit.decade(value, LEAST) : value;
  }

  function valueAxis(panel, i, c) {
    var axis = seconds.valueAxis(i, c);
    if (panel.log) {
      kit.decades(axis, LEAST, 100);
    } else if (panel.most) {
      kit.scale(axis, panel.most, 4);
    }
    if (panel.whole) {
      axis.minInterval = 1;
      axis.interval = 1;
    }
    return axis;
  }

  // Events are numbered in the chart: their texts are long, and the list below has them.
  function marks(run, panel, i, c) {
    var marks = seconds.edges(run, c, i === 0 && run.events.length === 0);
    marks.data = marks.data.concat(
      run.events.map(function (event, n) {
        return {
          xAxis: event.second,
          lineStyle: { color: c.text, type: "solid", width: 1 },
          label: {
            show: i === 0,
            formatter: String(n + 1),
            color: c.paper,
            backgroundColor: c.text,
            borderRadius: 8,
            padding: [2, 6],
            lineHeight: 12,
            fontSize: 11,
            distance: 3,
          },
        };
      })
    );
    if (panel.tolerated !== undefined) {
      marks.data.push({ yAxis: shown(panel, panel.tolerated), lineStyle: { color: c.text, type: "dashed", width: 1.2 }, label: { show: false } });
    }
    return marks;
  }

  function series(run, panel, i, line, n, c) {
    var ink = line.tone < 0 ? c.text : kit.tone(c, line.tone);
    return {
      type: "line",
      name: line.name,
      xAxisIndex: i,
      yAxisIndex: i,
      connectNulls: false,
      showSymbol: true,
      step: panel.stairs ? "end" : false,
      clip: true,
      data: seconds.points(run, line.values.map(function (v) { return shown(panel, v); })),
      lineStyle: { width: line.strong ? 2.2 : 1.3, color: ink, type: line.strong ? "solid" : "dotted" },
      itemStyle: { color: ink },
      markLine: n === 0 ? marks(run, panel, i, c) : undefined,
    };
  }

  function names(run, width, c, top) {
    if (!run.events.length) {
      return { items: [], height: 0 };
    }
    var items = run.events.map(function (event, n) {
      return {
        type: "text",
        left: 0,
        top: top + n * 18,
        silent: true,
        style: { text: n + 1 + "  " + String(event.second) + " s: " + event.text, fill: c.text, font: "12px system-ui, sans-serif", width: width - 4, overflow: "truncate" },
      };
    });
    return { items: items, height: run.events.length * 18 + 10 };
  }

  // Models stand in two panels.
  function owner(panel) {
    return panel.lines.length > 2 ? panel.title + ", " : "";
  }

  function decisions(chart, c, width, chosen) {
    var run = seconds.runs(chart)[chosen];
    var panels = run.panels;
    var option = seconds.option(kit.base(c), c);
    var told = names(run, width, c, 2);
    var top = told.height;
    option.graphic = told.items;
    option.legend = [];
    panels.forEach(function (panel, i) {
      var y = top + i * PANEL;
      option.title.push(seconds.title(panel.unit ? panel.title + ", " + panel.unit : panel.title, y, c));
      if (panel.lines.length > 1) {
        option.legend.push({
          type: "scroll",
          top: y + 16,
          left: 0,
          width: width - 8,
          padding: [4, 0],
          itemWidth: width < 500 ? 16 : 22,
          itemGap: width < 500 ? 6 : 10,
          itemHeight: 8,
          itemStyle: { opacity: 0 },
          data: panel.lines.map(function (line) { return line.name; }),
          textStyle: { color: c.text, fontSize: 11 },
          pageTextStyle: { color: c.text },
          pageIconColor: c.text,
        });
      }
      var head = panel.lines.length > 1 ? 56 : 36;
      option.grid.push({ left: 52, right: 12, top: y + head, height: PANEL - head - 30 });
      option.xAxis.push(seconds.timeAxis(run, run.steps, i, c));
      option.yAxis.push(valueAxis(panel, i, c));
      panel.lines.forEach(function (line, n) {
        option.series.push(series(run, panel, i, line, n, c));
      });
    });
    option.tooltip.formatter = function (items) {
      var seen = items.map(function (item) {
        var panel = panels[item.axisIndex];
        var line = panel.lines.find(function (l) { return l.name === item.seriesName; });
        var value = line.values[item.dataIndex];
        var unit = panel.unit === "%" ? " %" : panel.unit ? " " + panel.unit : "";
        return item.marker + kit.escape(owner(panel) + item.seriesName) + ": " + (value === null ? "\u2013" : kit.number(value) + kit.escape(unit));
      });
      return items.length ? "second " + items[0].data.value[0] + "<br>" + seen.join("<br>") : "";
    };
    return { option: option, height: top + panels.length * PANEL };
  }

  // The table behind: a row a second, a column for each line.
  decisions.fill = function (chart, chosen) {
    var run = seconds.runs(chart)[chosen];
    var columns = [];
    run.panels.forEach(function (panel) {
      panel.lines.forEach(function (line) {
        columns.push({
          title: panel.title + ": " + line.name,
          unit: panel.unit,
          csv: (panel.title + "_" + line.name).toLowerCase().replace(/\W+/g, "_"),
          values: line.values,
        });
      });
    });
    seconds.fill(chart, run, run.steps, columns);
  };

  decisions.choices = seconds.choices;

  return decisions;
})();
