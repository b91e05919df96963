// Runs before the page is drawn, so that a chosen theme does not flash.
(function () {
  var root = document.documentElement;
  root.classList.add("js");
  try {
    var chosen = localStorage.getItem("calando-theme");
    if (chosen === "light" || chosen === "dark") {
      root.dataset.theme = chosen;
    }
  } catch (e) {
    // A page opened from a file may have no storage.
  }
})();
