// Draws the charts of the block "charts-data" with ECharts, and again when the page changes.
window.calandoCharts = (function () {
  "use strict";

  var kit = window.calandoChartKit;
  var charts = JSON.parse(document.getElementById("charts-data").textContent);
  var drawn = [];

  function draw(width) {
    var c = kit.colours();
    drawn.forEach(function (one) {
      one.dispose();
    });
    drawn = charts.map(function (chart) {
      var box = document.getElementById(chart.id);
      var wide = width || box.clientWidth || 320;
      var plan = (chart.kind === "bars" ? window.calandoBars : window.calandoTradeOff)(chart, c, wide);
      box.style.height = plan.height + "px";
      var one = echarts.init(box, null, { renderer: "svg", width: wide, height: plan.height });
      one.setOption(plan.option);
      return one;
    });
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
      waiting = setTimeout(function () { draw(); }, 120);
    });
  }

  if (charts.length > 0) {
    draw();
    redrawOnResize();
    // Paper is light and narrow whatever the screen is.
    window.addEventListener("beforeprint", function () {
      document.documentElement.classList.add("paper");
      draw(kit.PAPER_WIDTH);
    });
    window.addEventListener("afterprint", function () {
      document.documentElement.classList.remove("paper");
      draw();
    });
  }
  return { draw: function () { draw(); } };
})();
