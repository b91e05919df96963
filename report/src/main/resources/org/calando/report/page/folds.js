// Folds sections: each has a button in its heading, and those that few read first are folded where there are many. Without
// this script all are open. Find in page opens what it finds.
(function () {
  "use strict";

  var MANY = 8;
  var FOLDED = ["thesis", "latency", "timelines", "account", "details", "provenance", "repeat"];
  var folds = [];

  function fold(section) {
    var heading = section.querySelector("h2");
    var body = document.createElement("div");
    body.id = "b-" + section.id;
    while (heading.nextSibling) {
      body.appendChild(heading.nextSibling);
    }
    section.appendChild(body);
    section.removeAttribute("aria-labelledby");
    section.setAttribute("aria-label", heading.textContent);
    var button = document.createElement("button");
    button.type = "button";
    button.className = "fold";
    button.setAttribute("aria-controls", body.id);
    heading.appendChild(button);
    function set(open) {
      var was = !section.classList.contains("folded");
      section.classList.toggle("folded", !open);
      if (open) {
        body.removeAttribute("hidden");
      } else {
        body.setAttribute("hidden", "until-found");
      }
      button.textContent = open ? "Fold" : "Open";
      button.setAttribute("aria-expanded", String(open));
      button.setAttribute("aria-label", (open ? "Fold: " : "Open: ") + heading.firstChild.textContent);
      if (open && !was) {
        window.calandoCharts.drawIn(body);
      }
    }
    body.addEventListener("beforematch", function () { set(true); });
    button.addEventListener("click", function () { set(section.classList.contains("folded")); });
    folds.push({ section: section, set: set });
    set(true);
  }

  function allButton() {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "all";
    function folded() {
      return folds.some(function (one) { return one.section.classList.contains("folded"); });
    }
    function label() {
      button.textContent = folded() ? "Open all sections" : "Fold all sections";
      button.setAttribute("aria-label", button.textContent);
    }
    button.addEventListener("click", function () {
      var open = folded();
      folds.forEach(function (one) { one.set(open); });
      label();
    });
    document.querySelector("main").addEventListener("click", label);
    label();
    document.querySelector("nav.contents").appendChild(button);
  }

  // A link into a folded section opens it.
  function follow() {
    var target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    folds.forEach(function (one) {
      if (target && one.section.contains(target) && one.section.classList.contains("folded")) {
        one.set(true);
        target.scrollIntoView();
      }
    });
  }

  document.querySelectorAll("main > section[id]").forEach(fold);
  if (folds.length >= MANY) {
    folds.forEach(function (one) { one.set(FOLDED.indexOf(one.section.id) < 0); });
  }
  if (folds.length > 0) {
    allButton();
  }
  document.querySelectorAll("nav.contents a").forEach(function (link) {
    link.addEventListener("click", function () { setTimeout(follow); });
  });
  window.addEventListener("hashchange", follow);
  follow();

  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = folds.filter(function (one) { return one.section.classList.contains("folded"); });
    folded.forEach(function (one) { one.set(true); });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (one) { one.set(false); });
  });
})();
