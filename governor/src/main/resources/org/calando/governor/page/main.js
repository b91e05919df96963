// The page: which cluster is shown, how news come in, and what is said when they do not.
(function () {
  "use strict";

  var kit = window.calandoKit;
  var model = window.calandoModel;
  var actions = window.calandoActions;
  var el = kit.el;

  var STALE_MILLIS = 5000;
  var LINES_MILLIS = 5000;
  var MOST_SAID = 12;
  var MOST_CALLS = 200;
  var AUDIT_MILLIS = 60000;

  var link = { state: "asking", words: "", retry: 0, since: Date.now(), news: 0 };
  var shown = "";
  var chosen = "";
  var focused = "";
  var drawnLines = 0;
  var pending = false;
  var asked = new Set();
  var stream = null;
  var auditAsked = 0;
  var ordered = "";

  function say(sentences) {
    var box = kit.byId("news");
    [].concat(sentences).forEach(function (sentence) { box.appendChild(el("p", {}, sentence)); });
    while (box.childNodes.length > MOST_SAID) {
      box.removeChild(box.firstChild);
    }
  }

  function get(path) {
    var headers = actions.token() ? { Authorization: "Bearer " + actions.token() } : {};
    return fetch(path, { headers: headers, cache: "no-store", credentials: "omit" }).then(function (answer) {
      model.heard(answer.headers.get("Date"));
      if (!answer.ok) {
        throw Object.assign(new Error(path + ": " + answer.status), { status: answer.status });
      }
      return answer.json();
    });
  }

  // What was decided and measured before this page came; news that come meanwhile are not lost, as ids tell them apart.
  function past(name) {
    if (asked.has(name)) {
      return;
    }
    asked.add(name);
    var path = "/api/v1/clusters/" + encodeURIComponent(name);
    get(path + "/decisions?limit=1000")
      .then(function (rows) {
        if (model.past(rows.map(function (row) { return Object.assign({ cluster: name }, row); }))) {
          asked.clear();
          asked.add(name);
        }
        soon();
      })
      .catch(function () { asked.delete(name); });
    get(path + "/history")
      .then(function (rows) {
        model.history(name, rows);
        drawnLines = 0;
        soon();
      })
      .catch(function () { /* then time lines begin with this page */ });
  }

  // Calls are no events: they are asked for anew when something ordered has changed, and now and then for those refused.
  function audit() {
    auditAsked = Date.now();
    get("/api/v1/audit?limit=" + MOST_CALLS)
      .then(function (rows) {
        window.calandoAudit.take(rows);
        soon();
      })
      .catch(function (e) {
        window.calandoAudit.fail(e.status || 0);
        soon();
      });
  }

  function orders() {
    return JSON.stringify(model.clusters().map(function (state) {
      return [state.paused && state.paused.since, state.knobs.map(function (knob) { return knob.held; }), state.plans.map(function (plan) { return plan.undoing; }),
        model.promises(state).map(function (each) { return each.changed; })];
    }));
  }

  // A link shows no token: with one the page asks for the report itself, and saves it.
  function save(of) {
    if (!actions.token()) {
      return;
    }
    of.preventDefault();
    var href = of.currentTarget.getAttribute("href");
    var name = of.currentTarget.getAttribute("download");
    fetch(href, { headers: { Authorization: "Bearer " + actions.token() }, cache: "no-store", credentials: "omit" })
      .then(function (answer) { return answer.ok ? answer.blob() : Promise.reject(new Error("the governor answers " + answer.status)); })
      .then(function (report) {
        var address = URL.createObjectURL(report);
        el("a", { href: address, download: name }).click();
        setTimeout(function () { URL.revokeObjectURL(address); }, 60000);
        say("The report is saved as " + name);
      })
      .catch(function (e) { kit.byId("reports-trouble").textContent = " It cannot be had: " + e.message + "."; });
  }

  function reports(name) {
    function link(id, days, text) {
      var path = "/api/v1/clusters/" + encodeURIComponent(name) + "/report?days=" + days;
      return el("a", { id: id, href: path, download: name + "-" + (days === 1 ? "day" : days + "-days") + ".html", onclick: save }, text);
    }
    kit.draw(kit.byId("reports"), name, function () {
      return ["Report as a file: ", link("report-day", 1, "of today"), " \u00b7 ", link("report-week", 7, "of seven days"), el("span", { id: "reports-trouble", role: "status" })];
    });
  }

  function me() {
    get("/api/v1/me")
      .then(function (found) {
        var who = found.who ? "You are " + found.who + ", " + found.role : found.role ? "You are " + found.role : actions.token() ? "This token has no name" : "No token was entered";
        kit.byId("token-state").textContent = who + (found.may_change ? "; you may change knobs." : found.why_not ? ". To change knobs: " + found.why_not + "." : ".");
        kit.byId("token").textContent = actions.token() ? "Another token" : "Enter a token";
      })
      .catch(function () { /* the line of the connection says why */ });
  }

  function route() {
    var parts = location.hash.replace(/^#\/?/, "").split("/").map(decode);
    var before = shown;
    shown = parts[0] || "";
    chosen = parts[1] === "decision" ? parts[2] || "" : "";
    if (shown !== before) {
      drawnLines = 0;
    }
    focused = "";
    soon();
  }

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch (e) {
      return text;
    }
  }

  function soon() {
    if (!pending) {
      pending = true;
      requestAnimationFrame(function () {
        pending = false;
        draw();
      });
    }
  }

  function health(state) {
    var kept = model.promises(state).map(function (each) { return each.kept; });
    if (!state.works) {
      return ["broken", "does not work"];
    }
    if (kept.indexOf(false) >= 0) {
      return ["broken", "promise broken"];
    }
    if (state.paused) {
      return ["held", "paused"];
    }
    return kept.indexOf(null) >= 0 ? ["unknown", "promise unknown"] : ["kept", kept.length ? "promises kept" : "well"];
  }

  function tabs(all) {
    kit.draw(kit.byId("clusters"), all.map(function (state) { return [state.name, state.engine, state.mode, health(state), state.name === shown]; }), function () {
      return all.map(function (state, i) {
        var well = health(state);
        return el("li", {}, el("a", { href: "#/" + encodeURIComponent(state.name), id: "tab-" + i, "aria-current": state.name === shown ? "page" : null }, [
          el("strong", {}, state.name), " ", kit.mark(well[0], well[1]), el("small", {}, state.engine + ", " + (state.mode === "control" ? "controlled" : "observed")),
        ]));
      });
    });
  }

  function connection() {
    var box = kit.byId("link");
    var now = Date.now();
    var text;
    if (link.state === "live") {
      text = "Live since " + kit.clock(new Date(link.since).toISOString());
    } else if (link.news === 0 && link.state === "asking") {
      text = "Asking the governor";
    } else if (link.state === "refused") {
      text = "No news: " + link.words;
    } else {
      text = (link.news ? "Without news since " + kit.clock(new Date(link.news).toISOString()) : "Without news") + (link.words ? ": " + link.words : "") + ". Asking again.";
    }
    if (box.textContent !== text) {
      box.textContent = text;
      box.className = link.state === "live" || link.news === 0 && link.state === "asking" ? "facts" : "facts bad";
    }
    document.body.classList.toggle("stale", link.state !== "live" && link.news > 0 && now - link.lostAt > STALE_MILLIS);
  }

  function draw() {
    connection();
    var all = model.clusters();
    if (!model.cluster(shown) && all.length && !location.hash) {
      shown = all[0].name;
    }
    tabs(all);
    var state = model.cluster(shown);
    kit.byId("cluster").hidden = !state;
    kit.byId("waiting").hidden = Boolean(state);
    if (!state) {
      var why = link.state === "refused" ? "The governor shows its clusters to who has a token." : all.length || link.state === "live" ? "There is no cluster " + (shown || "yet") + "." : "Asking the governor.";
      kit.draw(kit.byId("waiting"), why, function () { return el("p", { class: "lead" }, why); });
      return;
    }
    kit.byId("title").textContent = state.name;
    document.title = state.name + ": " + health(state)[1] + " \u2013 Calando governor";
    past(state.name);
    var paused = state.paused;
    kit.draw(kit.byId("cluster-actions"), [state.name, paused, state.mode], function () {
      return state.mode === "control" ? [paused ? el("span", {}, [kit.mark("held", "paused"), " since " + kit.clock(paused.since) + kit.order(paused) + "; " + paused.barred + (paused.barred === 1 ? " decision" : " decisions") + " not set. "]) : null, actions.cluster(state)] : null;
    });
    window.calandoAnswer.draw(state, actions.promise);
    window.calandoKnobs.draw(state, { knob: actions.knob, plan: actions.plan });
    reports(state.name);
    window.calandoAudit.draw(state.name);
    window.calandoDecisions.draw(state.name, state.mode === "control", chosen);
    if (Date.now() - drawnLines >= LINES_MILLIS) {
      drawnLines = Date.now();
      window.calandoLines.draw(state.name);
    }
    var target = chosen && kit.byId("decision-" + chosen);
    if (target && focused !== chosen) {
      focused = chosen;
      target.scrollIntoView({ block: "center" });
      target.focus({ preventScroll: true });
    }
  }

  function event(of) {
    link.news = Date.now();
    var data = JSON.parse(of.data);
    if (of.event === "state") {
      say(model.state(data));
      if (ordered !== orders() || Date.now() - auditAsked > AUDIT_MILLIS) {
        ordered = orders();
        audit();
      }
    } else if (of.event === "gone") {
      model.gone(data.cluster);
      say(data.cluster + " is not governed any more");
    } else if (of.event === "gap") {
      if (model.gap(data)) {
        asked.clear();
      }
    } else if (of.event === "decision") {
      if (model.isAnew([data])) {
        asked.clear();
      }
      if (model.decision(data)) {
        say(data.cluster + ": " + data.settings.join(", "));
      }
    }
    soon();
  }

  function changed(state, words, retry) {
    var was = link.state;
    if (state === "live" && was !== "live") {
      link.since = Date.now();
      if (link.words) {
        say("The governor answers again");
      }
      me();
      audit();
      asked.clear();
    }
    if (was === "live" && state !== "live") {
      link.lostAt = Date.now();
      say("Without news: " + words);
    }
    if (state === "refused") {
      kit.byId("token-state").textContent = actions.token() ? "The governor refuses this token." : "Looking needs a token here.";
    }
    link.state = state;
    link.words = state === "live" ? "" : words || link.words;
    link.retry = retry;
    soon();
  }

  function licences() {
    fetch("/page/licences.txt", { credentials: "omit" })
      .then(function (answer) { return answer.ok ? answer.text() : ""; })
      .then(function (text) { kit.byId("licences").textContent = text; })
      .catch(function () { /* it stands in the jar, too */ });
  }

  function theme() {
    document.querySelector("header.top").appendChild(el("button", { type: "button", class: "theme", id: "theme", onclick: function () {
      var root = document.documentElement;
      var dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try {
        localStorage.setItem("calando-theme", root.dataset.theme);
      } catch (e) {
        // The choice then lasts as long as the page.
      }
      redraw();
    } }, "Colours"));
  }

  function redraw() {
    drawnLines = 0;
    soon();
  }

  function begin() {
    theme();
    actions.begin(say);
    ["input", "change"].forEach(function (name) { kit.byId("decision-filter").addEventListener(name, soon); });
    kit.byId("decision-filter").addEventListener("submit", function (of) { of.preventDefault(); });
    ["power-data", "kept-data"].forEach(function (id) { kit.byId(id).addEventListener("toggle", redraw); });
    window.addEventListener("hashchange", route);
    window.addEventListener("resize", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    kit.byId("licences").closest("details").addEventListener("toggle", licences, { once: true });
    setInterval(soon, 1000);
    route();
    stream = window.calandoStream.connect("/api/v1/events", { event: event, link: changed, heard: model.heard, token: actions.token, last: model.last });
    document.addEventListener("calando-ordered", audit);
    document.addEventListener("calando-token", function () {
      asked.clear();
      stream.again();
    });
  }

  begin();
})();
