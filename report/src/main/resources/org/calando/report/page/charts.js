// Draws the charts of the block "charts-data" with ECharts, and again when the page changes.
window.calandoCharts = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var KINDS = {
    bars: window.calandoBars,
    columns: window.calandoColumns,
    tradeoff: window.calandoTradeOff,
    latency: window.calandoLatency,
    timelines: window.calandoTimeLines,
    decisions: window.calandoDecisions,
    points: window.calandoPoints,
    claims: window.calandoClaims,
  };
  var charts = JSON.parse(document.getElementById("charts-data").textContent);
  var drawn = {};
  var chosen = {};
  var paper = 0;

  function drawOne(chart) {
    var box = document.getElementById(chart.id);
    var wide = paper || box.clientWidth || 320;
    var plan = KINDS[chart.kind](chart, kit.colours(), wide, chosen[chart.id] || 0);
    if (drawn[chart.id]) {
      drawn[chart.id].dispose();
    }
    box.style.height = plan.height + "px";
    var one = echarts.init(box, null, { renderer: "svg", width: wide, height: plan.height });
    one.setOption(plan.option);
    drawn[chart.id] = one;
  }

  function draw() {
    charts.forEach(drawOne);
  }

  // Of a folded section nothing had a width to be drawn in.
  function drawIn(element) {
    charts.filter(function (chart) { return element.querySelector("#" + chart.id); }).forEach(drawOne);
  }

  function labelsOf(chart) {
    return KINDS[chart.kind].choices
      ? KINDS[chart.kind].choices(chart)
      : chart.choices.map(function (choice) { return choice.label; });
  }

  function fill(chart) {
    if (KINDS[chart.kind].fill) {
      KINDS[chart.kind].fill(chart, chosen[chart.id] || 0);
    }
  }

  // A choice of what a chart shows, above the chart; its table is filled when somebody asks for it.
  function picker(chart) {
    var labels = labelsOf(chart);
    var box = document.getElementById(chart.id);
    var words = box.getAttribute("aria-label");
    var label = document.createElement("label");
    label.className = "picker";
    label.textContent = chart.picker + " ";
    var select = label.appendChild(document.createElement("select"));
    labels.forEach(function (text, i) {
      select.appendChild(new Option(text, String(i)));
    });
    var details = box.parentElement.querySelector("details");
    select.addEventListener("change", function () {
      chosen[chart.id] = Number(select.value);
      box.setAttribute("aria-label", words + " Shown: " + labels[chosen[chart.id]] + ".");
      drawOne(chart);
      if (details.open) {
        fill(chart);
      }
    });
    details.addEventListener("toggle", function () {
      if (details.open) {
        fill(chart);
      }
    });
    details.addEventListener("calando-fill", function () { fill(chart); });
    box.parentElement.insertBefore(label, box);
  }

  function redrawOnResize() {
    var waiting = 0;
    var last = window.innerWidth;
    window.addEventListener("resize", function () {
      if (window.innerWidth === last) {
        return;
      }
      last = window.innerWidth;
      clearTimeout(waiting);
      waiting = setTimeout(draw, 120);
    });
  }

  if (charts.length > 0) {
    charts.filter(function (chart) { return chart.picker; }).forEach(picker);
    draw();
    redrawOnResize();
    // Paper is light and narrow whatever the screen is.
    window.addEventListener("beforeprint", function () {
      document.documentElement.classList.add("paper");
      paper = kit.PAPER_WIDTH;
      draw();
    });
    window.addEventListener("afterprint", function () {
      document.documentElement.classList.remove("paper");
      paper = 0;
      draw();
    });
  }
  return { draw: draw, drawIn: drawIn, drawn: function (id) { return drawn[id]; } };
})();
