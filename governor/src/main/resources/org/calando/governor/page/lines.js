// Time lines of a cluster: power with and without Calando, and promises as bands. What is unknown is a gap.
window.calandoLines = (function () {
  "use strict";

  var kit = window.calandoKit;
  var charts = window.calandoChartKit;
  var model = window.calandoModel;
  var el = kit.el;

  var MOST_ROWS = 300;
  var GAP_MILLIS = 180000;
  var drawn = {};

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function chart(id, height) {
    var box = kit.byId(id);
    var made = drawn[id];
    var width = box.clientWidth;
    if (!made || made.width !== width || made.height !== height) {
      if (made) {
        made.chart.dispose();
      }
      box.style.height = height + "px";
      made = { chart: window.echarts.init(box, null, { renderer: "svg", width: width, height: height }), width: width, height: height };
      drawn[id] = made;
    }
    return made.chart;
  }

  // A point without value stands where nothing was heard, so that no line bridges it.
  function points(samples, value) {
    var all = [];
    samples.forEach(function (each, i) {
      if (i > 0 && each.at - samples[i - 1].at > GAP_MILLIS) {
        all.push([samples[i - 1].at + 1, null]);
      }
      var v = value(each);
      all.push([each.at, kit.known(v) ? v : null]);
    });
    return all;
  }

  function without(end) {
    return function (each) { return kit.known(each.power) && kit.known(each[end]) ? each.power + each[end] : null; };
  }

  function timeAxis(c, samples) {
    return {
      type: "time", min: samples.length ? samples[0].at : Date.now() - 60000, max: samples.length ? samples[samples.length - 1].at : Date.now(),
      axisLabel: { color: c.quiet, fontSize: 12, hideOverlap: true }, axisLine: { lineStyle: { color: c.rule } }, splitLine: { show: false },
    };
  }

  function tooltip(c, say) {
    return { trigger: "axis", confine: true, renderMode: "richText", backgroundColor: c.paper, borderColor: c.rule, textStyle: { color: c.text, fontSize: 12 }, formatter: say };
  }

  function power(samples) {
    var c = charts.colours();
    var series = [{ name: "now", value: function (each) { return each.power; }, ink: charts.tone(c, 0), dash: "solid" }];
    if (samples.some(function (each) { return kit.known(each.low) || kit.known(each.high); })) {
      var one = samples.every(function (each) { return each.low === each.high; });
      series.push({ name: "without Calando" + (one ? "" : ", at least"), value: without("low"), ink: charts.tone(c, 1), dash: "dashed" });
      if (!one) {
        series.push({ name: "without Calando, at most", value: without("high"), ink: charts.tone(c, 1), dash: "dotted" });
      }
    }
    kit.draw(kit.byId("power-legend"), series.map(function (each) { return each.name; }), function () {
      return series.map(function (each, i) { return el("li", {}, [el("span", { class: "swatch tone" + (i ? 1 : 0), "aria-hidden": "true" }), each.name + (each.dash === "solid" ? "" : ", " + each.dash)]); });
    });
    chart("power-chart", 220).setOption({
      animation: false, textStyle: { fontFamily: "system-ui, sans-serif", color: c.text },
      grid: { left: 76, right: 12, top: 26, bottom: 28 },
      xAxis: timeAxis(c, samples),
      yAxis: Object.assign(charts.valueAxis(c, "W"), { min: 0 }),
      tooltip: tooltip(c, function (items) {
        return items.length ? kit.clock(new Date(items[0].value[0]).toISOString()) + "\n" + items.map(function (item) {
          return item.seriesName + ": " + kit.amount(item.value[1], "W");
        }).join("\n") : "";
      }),
      series: series.map(function (each) {
        return { type: "line", name: each.name, showSymbol: samples.length < 3, connectNulls: false, data: points(samples, each.value), lineStyle: { width: 1.6, color: each.ink, type: each.dash }, itemStyle: { color: each.ink } };
      }),
    }, true);
  }

  function names(samples) {
    var all = [];
    samples.forEach(function (each) { Object.keys(each.kept).forEach(function (name) { if (all.indexOf(name) < 0) { all.push(name); } }); });
    return all;
  }

  // Bands of equal state; each ends where the next sample is.
  function bands(samples, name) {
    var all = [];
    samples.forEach(function (each, i) {
      var next = samples[i + 1];
      var to = next && next.at - each.at <= GAP_MILLIS ? next.at : each.at + 5000;
      var word = model.keptWord(each.kept[name]);
      var last = all[all.length - 1];
      if (last && last.word === word && last.to === each.at) {
        last.to = to;
      } else {
        all.push({ from: each.at, to: to, word: word });
      }
    });
    return all;
  }

  function kept(samples) {
    var c = charts.colours();
    var inks = { kept: charts.tone(c, 2), broken: colour("--bad"), unknown: c.rule };
    var all = names(samples);
    var data = [];
    all.forEach(function (name, row) {
      bands(samples, name).forEach(function (band) { data.push({ value: [row, band.from, band.to, band.word] }); });
    });
    chart("kept-chart", 40 + 30 * Math.max(1, all.length)).setOption({
      animation: false, textStyle: { fontFamily: "system-ui, sans-serif", color: c.text },
      grid: { left: 76, right: 12, top: 6, bottom: 28 },
      xAxis: timeAxis(c, samples),
      yAxis: { type: "category", data: all, inverse: true, axisLabel: { color: c.text, fontSize: 12 }, axisLine: { show: false }, axisTick: { show: false } },
      tooltip: Object.assign(tooltip(c, function (item) {
        return all[item.value[0]] + " " + item.value[3] + "\n" + kit.clock(new Date(item.value[1]).toISOString()) + " to " + kit.clock(new Date(item.value[2]).toISOString());
      }), { trigger: "item" }),
      series: [{
        type: "custom", data: data, encode: { x: [1, 2], y: 0 },
        renderItem: function (params, api) {
          var from = api.coord([api.value(1), api.value(0)]);
          var to = api.coord([api.value(2), api.value(0)]);
          var word = api.value(3);
          // Height tells them apart without colour: broken is tall, unknown is flat.
          var height = word === "broken" ? 22 : word === "kept" ? 12 : 4;
          return { type: "rect", shape: { x: from[0], y: from[1] - height / 2, width: Math.max(1, to[0] - from[0]), height: height }, style: { fill: inks[word] } };
        },
      }],
    }, true);
  }

  function thinned(samples) {
    var step = Math.ceil(samples.length / MOST_ROWS);
    return samples.filter(function (each, i) { return (samples.length - 1 - i) % step === 0; }).reverse();
  }

  function fill(id, samples, heads, row) {
    var box = kit.byId(id);
    kit.replace(box, [
      el("caption", {}, box.dataset.caption || (box.dataset.caption = box.querySelector("caption").textContent)),
      el("thead", {}, el("tr", { class: "columns" }, heads.map(function (head) { return el("th", { scope: "col" }, head); }))),
      el("tbody", {}, thinned(samples).map(function (each) {
        return el("tr", {}, row(each).map(function (cell, i) { return el(i ? "td" : "th", i ? {} : { scope: "row" }, cell); }));
      })),
    ]);
  }

  function tables(samples) {
    if (kit.byId("power-data").open) {
      fill("power-table", samples, ["Time", "Now", "Without Calando"], function (each) {
        return [kit.clock(new Date(each.at).toISOString()), kit.amount(each.power, "W"), kit.interval(without("low")(each), without("high")(each), function (v) { return kit.amount(v, "W"); })];
      });
    }
    if (kit.byId("kept-data").open) {
      var all = names(samples);
      fill("kept-table", samples, ["Time"].concat(all), function (each) {
        return [kit.clock(new Date(each.at).toISOString())].concat(all.map(function (name) { return model.keptWord(each.kept[name]); }));
      });
    }
  }

  function draw(name) {
    var samples = model.samples(name);
    var first = samples.length ? kit.clock(new Date(samples[0].at).toISOString()) : "";
    kit.byId("lines-note").textContent = samples.length ? "Since " + first + ". Gaps are unknown." : "Nothing is known yet.";
    power(samples);
    kept(samples);
    tables(samples);
  }

  return { draw: draw };
})();
