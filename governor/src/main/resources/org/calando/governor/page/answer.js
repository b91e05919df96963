// The answer in short, its figures, and the promises.
window.calandoAnswer = (function () {
  "use strict";

  var kit = window.calandoKit;
  var model = window.calandoModel;
  var el = kit.el;

  var LEAST_BAR = 3;
  var MEANING = {
    stale: "Reads that are stale, of all reads",
    fresh: "Time until others can read a write, for 99 % of the writes",
    "read-p99": "Time that 99 % of the reads take at most",
    copies: "Live replicas of the data that has the fewest",
    survive: "Nodes that may fail at once while all data stays readable",
  };

  function say(unit) {
    return unit === "share" ? kit.percent : unit === "seconds" ? kit.seconds : function (value) { return kit.number(value); };
  }

  function lead(state) {
    var all = model.promises(state);
    function count(kept) {
      return all.filter(function (each) { return each.kept === kept; }).length;
    }
    var words = [];
    if (all.length === 0) {
      words.push("Nothing is promised for " + state.name + ".");
    } else if (count(true) === all.length) {
      words.push(all.length === 1 ? "The promise is kept." : "All " + all.length + " promises are kept.");
    } else {
      words.push([[count(true), "kept"], [count(false), "broken"], [count(null), "unknown"]]
        .filter(function (each) { return each[0] > 0; })
        .map(function (each) { return each[0] + " " + each[1]; })
        .join(", ") + " of " + all.length + (all.length === 1 ? " promise." : " promises."));
    }
    words.push(state.mode === "control" ? "Its knobs are controlled" + (state.paused ? ", and paused." : ".") : "It is observed; nothing is set.");
    var without = withoutUs(state);
    if (kit.known(state.figures.power_w)) {
      words.push("It draws " + kit.amount(state.figures.power_w, "W") + (without === kit.UNKNOWN ? "." : ", and would draw " + without + " without Calando (" + state.figures.saving.provenance + ")."));
    } else {
      words.push("What it draws is unknown.");
    }
    return words.join(" ");
  }

  function withoutUs(state) {
    var saving = state.figures.saving;
    var watts = state.figures.power_w;
    if (!saving || !kit.known(watts)) {
      return kit.UNKNOWN;
    }
    return kit.interval(
      kit.known(saving.power_low_w) ? watts + saving.power_low_w : null,
      kit.known(saving.power_high_w) ? watts + saving.power_high_w : null,
      function (value) { return kit.amount(value, "W"); });
  }

  function tile(title, value, note) {
    return el("div", { class: value === kit.UNKNOWN ? "tile none" : "tile" }, [el("dt", {}, title), el("dd", {}, [el("strong", {}, value), el("small", {}, note)])]);
  }

  function tiles(state) {
    var figures = state.figures;
    var saving = figures.saving;
    var today = saving ? saving.today : null;
    var meter = figures.meter ? figures.meter.provenance + (figures.meter.id === "model" ? "" : ", " + figures.meter.id) : figures.no_meter || "no meter";
    var observed = state.mode !== "control";
    var why = saving ? "" : observed ? "it is observed; nothing is set" : "no model says what its knobs save";
    var since = today ? "since " + kit.clock(today.since) + (today.unknown_s >= 1 ? "; " + kit.seconds(today.unknown_s) + " unknown" : "") : why;
    // What sets nothing saves nothing: that is known, though no account is kept of it.
    function saved(low, high, words) {
      return today ? kit.interval(today[low], today[high], words) : observed ? "nothing" : kit.UNKNOWN;
    }
    return [
      tile("Power now", kit.amount(figures.power_w, "W"), meter),
      tile("Without Calando", observed && kit.known(figures.power_w) ? "the same" : withoutUs(state), saving ? saving.provenance + " by the nodes\u2019 profiles" : why),
      tile("Saved today", saved("joules_low", "joules_high", function (v) { return kit.amount(v, "J"); }), since),
      tile("Money saved today", saved("cost_low", "cost_high", function (v) { return kit.number(v) + " " + (today.currency || ""); }), observed ? why : today && today.currency ? "" : "the file gives no power.price"),
      tile("CO\u2082e saved today", saved("co2e_low_g", "co2e_high_g", function (v) { return kit.amount(v, "g"); }), observed ? why : today && kit.known(today.co2e_low_g) ? "" : "the file gives no power.carbon"),
      tile("Energy of 1000 requests", kit.amount(figures.last_joules_per_kop, "J"), "in the last period"),
    ];
  }

  function badge(kept) {
    return kit.mark(model.keptWord(kept), model.keptWord(kept));
  }

  // A scale from 0 to twice the limit: where the figure lies, and where the limit.
  function scale(each) {
    var span = Math.max(each.limit * 2, kit.known(each.low) ? each.low : 0, kit.known(each.high) ? Math.min(each.high, each.limit * 4) : 0) || 1;
    return bar(each.low, kit.known(each.high) || !kit.known(each.low) ? each.high : span, span, each.limit);
  }

  function bar(low, high, span, limit) {
    var box = el("div", { class: "bar", "aria-hidden": "true" });
    if (kit.known(low) || kit.known(high)) {
      var from = Math.max(0, Math.min(1, (kit.known(low) ? low : 0) / span));
      var to = Math.max(from, Math.min(1, high / span));
      var part = el("span", { class: "part" });
      // A figure that is known exactly is seen beside the mark of the limit, too.
      var width = Math.max(LEAST_BAR, (to - from) * 100);
      part.style.left = Math.max(0, Math.min(100 - width, (from + to) * 50 - width / 2)) + "%";
      part.style.width = width + "%";
      box.appendChild(part);
    } else {
      box.classList.add("none");
    }
    var mark = el("span", { class: "limit" });
    mark.style.left = Math.min(100, (limit / span) * 100) + "%";
    box.appendChild(mark);
    return box;
  }

  function budget(each) {
    var low = each.budget_spent_low;
    var high = each.budget_spent_high;
    if (each.promise !== "stale") {
      return null;
    }
    var left = kit.known(low) || kit.known(high)
      ? kit.interval(kit.known(high) ? 1 - high : null, kit.known(low) ? 1 - low : null, function (v) { return v < 0 ? "overspent by " + kit.percent(-v) : kit.percent(v); })
      : kit.UNKNOWN;
    return [
      el("p", { class: "figure" }, ["Budget left: ", el("strong", {}, left), ", over " + kit.seconds(each.window_s)]),
      bar(low, kit.known(high) || !kit.known(low) ? high : 2, 2, 1),
    ];
  }

  function promise(state, each, act) {
    var words = say(each.unit);
    var best = each.promise === "copies" || each.promise === "survive" ? "at least " : "at most ";
    var changed = each.changed
      ? el("p", { class: "note" }, ["The file says " + words(each.file_limit) + "; changed at " + kit.clock(each.changed.since) + kit.order(each.changed)])
      : null;
    return el("article", { class: "card " + model.keptWord(each.kept), "aria-label": "Promise " + each.promise }, [
      el("h3", {}, [each.promise, " ", badge(each.kept)]),
      el("p", { class: "note" }, MEANING[each.promise] || ""),
      el("p", { class: "figure" }, [el("strong", {}, kit.interval(each.low, each.high, words)), "; promised " + best + words(each.limit)]),
      scale(each),
      budget(each),
      el("p", { class: "note" }, [each.source + (each.provenance ? " (" + each.provenance + ")" : "") + "; unknown for " + kit.percent(each.unknown_share) + " of the last " + kit.seconds(each.window_s)]),
      changed,
      act && each.can_change ? el("p", { class: "actions" }, act(state, each)) : null,
    ]);
  }

  function levels(state) {
    var reads = state.promises ? state.promises.reads_at : [];
    if (!reads.length) {
      return null;
    }
    return el("details", { id: "levels" }, [
      el("summary", {}, "Stale reads at other levels"),
      kit.scrolled("Stale reads at other levels", kit.table("Stale reads at other levels", ["Level", "Stale", "Promise"], reads.map(function (each) {
        return [each.level, kit.interval(each.stale_low, each.stale_high, kit.percent), model.keptWord(each.kept)];
      }))),
    ]);
  }

  function draw(state, act) {
    kit.draw(kit.byId("lead"), lead(state), function () { return [lead(state)]; });
    var wrong = model.amiss(state);
    kit.draw(kit.byId("problems"), wrong, function () {
      return wrong.length ? el("ul", { class: "failures" }, wrong.map(function (each) { return el("li", {}, el("span", {}, each)); })) : null;
    });
    kit.draw(kit.byId("tiles"), [state.figures, state.mode], function () { return tiles(state); });
    var all = model.promises(state);
    kit.draw(kit.byId("promise-list"), [state.promises, state.name], function () {
      return all.length
        ? [el("div", { class: "cards" }, all.map(function (each) { return promise(state, each, act); })), levels(state)]
        : el("p", { class: "note" }, "The file promises nothing for this cluster.");
    });
  }

  return { draw: draw, say: say };
})();
