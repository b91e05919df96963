// Knobs, plans under way, and the nodes as a map.
window.calandoKnobs = (function () {
  "use strict";

  var kit = window.calandoKit;
  var el = kit.el;

  var STATES = { on: "on", off: "off by order", silent: "does not answer", unknown: "not known" };
  // By what a knob is, as the file may name further ones.
  var MEANWHILE = {
    gear: "All data stays readable at each step. A step that fails leaves the plan open; it is resumed, or undone.",
  };

  function reasons(knob) {
    return knob.reasons.length ? el("ul", { class: "reasons" }, knob.reasons.map(function (each) { return el("li", {}, each); })) : el("p", { class: "note" }, "nothing is decided yet");
  }

  function standing(knob) {
    var said = [];
    if (knob.held) {
      said.push(kit.mark("held", "held"), " " + kit.heldAt(knob.held) + kit.order(knob.held) + (knob.held.problem ? " (" + knob.held.problem + ")" : ""));
    } else if (knob.barred) {
      said.push(kit.mark("held", knob.barred), " what is decided is not set");
    }
    if (knob.paused) {
      said.push(said.length ? "; " : "", kit.mark("broken", "paused"), " until " + kit.clock(knob.paused.until) + ": " + knob.paused.reason);
    }
    return said.length ? el("p", { class: "standing" }, said) : null;
  }

  function value(knob) {
    var text = knob.in_force !== undefined && knob.in_force !== null ? knob.in_force : knob.value;
    return text === null || text === undefined ? kit.UNKNOWN : text;
  }

  function card(state, knob, considered, act) {
    var now = value(knob);
    var other = !considered && knob.value !== null && knob.value !== now ? "; decided: " + knob.value : "";
    return el("article", { class: "card", "aria-label": "Knob " + knob.knob + (knob.target ? " of " + knob.target : "") }, [
      el("h3", {}, [knob.knob, " ", considered ? kit.mark("plain", "considered only") : null]),
      el("p", { class: "figure" }, [considered ? "would be " : "", el("strong", {}, now), other, " since ", kit.time(knob.since)]),
      considered ? el("p", { class: "figure" }, knob.saves_w === null || knob.saves_w === undefined ? "what that saves is unknown" : (knob.saves_w < 0 ? "takes " + kit.amount(-knob.saves_w, "W") + " more" : "saves " + kit.amount(knob.saves_w, "W")) + " (modelled)") : null,
      standing(knob),
      el("h4", {}, "Why, and what would change it"),
      reasons(knob),
      el("p", { class: "note" }, [knob.choice + "; " + knob.decisions + (knob.decisions === 1 ? " decision" : " decisions") + (knob.target ? "; of " + knob.target : "")]),
      act && (knob.can_hold || knob.held) ? el("p", { class: "actions" }, act(state, knob)) : null,
    ]);
  }

  function list(state, act) {
    var cards = state.knobs.map(function (knob) { return card(state, knob, false, act); });
    var considered = state.considered ? state.considered.knobs.map(function (knob) { return card(state, knob, true, null); }) : [];
    return cards.length + considered.length
      ? el("div", { class: "cards" }, cards.concat(considered))
      : el("p", { class: "note" }, state.mode === "control" ? "No knob is in force: see the problems above." : "The file controls no knob of this cluster, and considers none.");
  }

  function plans(state, act) {
    return (state.plans || []).map(function (plan) {
      var doing = plan.undoing ? "being undone" : plan.under_way ? "under way" : "open, not under way";
      return el("article", { class: "card", "aria-label": "Plan of " + plan.knob }, [
        el("h3", {}, [plan.knob + " ", kit.mark(plan.under_way || plan.undoing ? "held" : "broken", doing)]),
        el("p", { class: "figure" }, kit.sentence(plan.what)),
        plan.lines && plan.lines.length ? el("ul", { class: "reasons" }, plan.lines.map(function (line) { return el("li", {}, line); })) : null,
        el("p", { class: "note" }, "Meanwhile: " + (MEANWHILE[plan.knob] || "each step can be taken back.")),
        act ? el("p", { class: "actions" }, act(state, plan)) : null,
      ]);
    });
  }

  function group(all, key, missing) {
    var groups = new Map();
    all.forEach(function (each) {
      var name = each[key] || missing;
      groups.set(name, (groups.get(name) || []).concat([each]));
    });
    return groups;
  }

  function node(each, clocks) {
    var state = each.state || "unknown";
    var facts = [kit.amount(each.power_w, "W")];
    if (kit.known(each.reads_per_s) || kit.known(each.writes_per_s)) {
      facts.push(kit.number(each.reads_per_s) + " reads/s, " + kit.number(each.writes_per_s) + " writes/s");
    }
    if (each.role) {
      facts.push(each.role);
    }
    clocks.filter(function (knob) { return knob.target === each.name; }).forEach(function (knob) { facts.push("clock " + value(knob)); });
    return el("li", { class: "node " + state }, [
      el("strong", {}, each.name), " ", kit.mark(state === "on" ? "kept" : state === "off" ? "plain" : state === "silent" ? "broken" : "unknown", STATES[state] || state),
      el("ul", { class: "facts" }, facts.map(function (fact) { return el("li", {}, fact); })),
    ]);
  }

  function map(state) {
    var all = state.figures.nodes;
    var clocks = state.knobs.filter(function (knob) { return knob.knob === "clock"; });
    if (!all.length) {
      return el("p", { class: "note" }, "No node is known before the cluster is reached.");
    }
    var blocks = [];
    group(all, "data_center", "").forEach(function (inCenter, center) {
      var racks = [];
      group(inCenter, "rack", "").forEach(function (inRack, rack) {
        racks.push(el("div", { class: "rack" }, [
          el(center ? "h4" : "h3", {}, rack ? "Rack " + rack : "No rack given"),
          el("ul", { class: "nodes" }, inRack.map(function (each) { return node(each, clocks); })),
        ]));
      });
      blocks.push(el("div", { class: "center" }, [center ? el("h3", {}, "Data centre " + center) : null, el("div", { class: "racks" }, racks)]));
    });
    return blocks;
  }

  function draw(state, acts) {
    kit.draw(kit.byId("knob-list"), [state.name, state.knobs, state.considered, state.mode], function () { return list(state, acts.knob); });
    var open = plans(state, acts.plan);
    kit.byId("plans").hidden = open.length === 0;
    kit.draw(kit.byId("plan-list"), [state.name, state.plans], function () { return open.length ? el("div", { class: "cards" }, plans(state, acts.plan)) : null; });
    kit.draw(kit.byId("node-map"), [state.figures.nodes, state.knobs], function () { return map(state); });
  }

  return { draw: draw };
})();
