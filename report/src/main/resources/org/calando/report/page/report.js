// Theme button and CSV downloads: the page is whole without them.
(function () {
  "use strict";

  var root = document.documentElement;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  }

  function themeButton() {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "theme";
    function label() {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", "Show the page in " + (isDark() ? "light" : "dark") + " colours");
    }
    button.addEventListener("click", function () {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("calando-theme", root.dataset.theme);
      } catch (e) {
        // The choice then lasts as long as the page.
      }
      label();
      window.calandoCharts.draw();
    });
    dark.addEventListener("change", function () {
      label();
      window.calandoCharts.draw();
    });
    label();
    document.querySelector("header.top").appendChild(button);
  }

  function quote(value) {
    return /[",\r\n]/.test(value) ? '"' + value.replace(/"/g, '""') + '"' : value;
  }

  function values(cell, names) {
    var text = cell.hasAttribute("data-csv") ? cell.getAttribute("data-csv") : cell.textContent;
    if (names === 1) {
      return [text];
    }
    var parts = text.split("|");
    while (parts.length < names) {
      parts.push("");
    }
    return parts;
  }

  function csv(table) {
    var heads = Array.from(table.querySelectorAll("thead tr.columns th"));
    var names = heads.map(function (th) {
      return th.dataset.csv.split("|");
    });
    var sections = table.querySelector("tr.section") !== null;
    var lines = [(sections ? [table.dataset.sections] : []).concat(names.flat())];
    var section = "";
    table.querySelectorAll("tbody tr").forEach(function (tr) {
      if (tr.dataset.section) {
        section = tr.dataset.section;
        return;
      }
      var line = sections ? [section] : [];
      Array.from(tr.children).forEach(function (cell, i) {
        line = line.concat(values(cell, names[i].length));
      });
      lines.push(line);
    });
    return lines
      .map(function (line) {
        return line.map(quote).join(",");
      })
      .join("\r\n") + "\r\n";
  }

  window.calandoSave = function (name, text, type) {
    var url = URL.createObjectURL(new Blob([text], { type: type }));
    var link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(function () {
      URL.revokeObjectURL(url);
    }, 1000);
  };

  function downloadButton(table) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "download";
    button.textContent = "Download CSV";
    button.setAttribute("aria-label", "Download as CSV: " + table.caption.textContent);
    button.addEventListener("click", function () {
      var details = table.closest("details");
      if (details) {
        details.dispatchEvent(new Event("calando-fill"));
      }
      window.calandoSave(table.id + ".csv", csv(table), "text/csv;charset=utf-8");
    });
    table.parentElement.insertAdjacentElement("afterend", button);
  }

  // A table that is wider than its box says so, and shadows show at which side there is more of it.
  function scrollHint(box) {
    var hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = "The table is wider than the page: scroll it sideways \u2192";
    box.insertAdjacentElement("beforebegin", hint);
    function look() {
      var hidden = box.scrollWidth - box.clientWidth;
      hint.hidden = hidden < 2;
      box.classList.toggle("more-right", hidden - box.scrollLeft > 2);
      box.classList.toggle("more-left", box.scrollLeft > 2);
    }
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
    new ResizeObserver(look).observe(box.firstElementChild);
    look();
  }

  // On paper nothing can be opened, so everything is open. Seconds would fill pages and stay closed, and so do licences.
  function onPaper(details) {
    return !details.querySelector("#data-timelines, #data-decisions, #data-clocks") && !details.closest("footer");
  }

  var opened = [];
  window.addEventListener("beforeprint", function () {
    opened = Array.from(document.querySelectorAll("details:not([open])")).filter(onPaper);
    opened.forEach(function (details) {
      details.open = true;
    });
  });
  window.addEventListener("afterprint", function () {
    opened.forEach(function (details) {
      details.open = false;
    });
  });

  themeButton();
  document.querySelectorAll("table").forEach(downloadButton);
  document.querySelectorAll(".scroll").forEach(scrollHint);
})();
