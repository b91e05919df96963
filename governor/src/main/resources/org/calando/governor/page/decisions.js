// Decisions of a cluster, by knob and by text; each has a link of its own.
window.calandoDecisions = (function () {
  "use strict";

  var kit = window.calandoKit;
  var model = window.calandoModel;
  var el = kit.el;

  var STEP = 20;
  var most = STEP;
  var of = "";

  function knobs(row) {
    return row.knobs || row.settings.map(function (each) { return each.split(" of ")[0]; });
  }

  function matches(row, knob, text) {
    if (knob && knobs(row).indexOf(knob) < 0) {
      return false;
    }
    var words = [String(row.id), row.policy].concat(row.settings, row.reasons).join(" ").toLowerCase();
    return text.toLowerCase().split(/\s+/).every(function (word) { return words.indexOf(word) >= 0; });
  }

  function link(name, id) {
    return "#/" + encodeURIComponent(name) + "/decision/" + id;
  }

  function item(name, row, chosen) {
    var id = "decision-" + row.id;
    return el("li", { id: id, tabindex: "-1", class: String(row.id) === chosen ? "decision chosen" : "decision" }, [
      el("p", {}, [kit.time(row.at), " ", el("a", { href: link(name, row.id), id: id + "-link", "aria-label": "Link to decision " + row.id }, "#" + row.id), " ", el("strong", {}, row.settings.join(", ")), row.barred ? [" ", kit.mark("held", "not set: " + row.barred)] : null]),
      el("ul", { class: "reasons" }, row.reasons.map(function (each) { return el("li", {}, each); })),
      el("p", { class: "note" }, row.policy),
    ]);
  }

  function choices(all) {
    var names = [];
    all.forEach(function (row) { knobs(row).forEach(function (knob) { if (names.indexOf(knob) < 0) { names.push(knob); } }); });
    return names.sort();
  }

  function draw(name, controlled, chosen) {
    var all = model.of(name);
    var select = kit.byId("filter-knob");
    var picked = select.value;
    kit.draw(select, choices(all), function () {
      return [el("option", { value: "" }, "all")].concat(choices(all).map(function (knob) { return el("option", { value: knob }, knob); }));
    });
    select.value = choices(all).indexOf(picked) >= 0 ? picked : "";
    var text = kit.byId("filter-text").value.trim();
    var found = all.filter(function (row) { return matches(row, select.value, text) || String(row.id) === chosen; });
    if (of !== name) {
      of = name;
      most = STEP;
    }
    var shown = found.filter(function (row, i) { return i < most || String(row.id) === chosen; });
    var gaps = model.gaps();
    kit.byId("decision-count").textContent = found.length + " of " + all.length + (found.length > shown.length ? ", the last " + most + " shown" : "");
    kit.draw(kit.byId("decision-list"), [name, controlled, chosen, gaps, found.length > shown.length, shown.map(function (row) { return [row.id, row.at]; })], function () {
      return [
        gaps.length ? el("p", { class: "note bad" }, gaps.map(function (gap) { return gap.anew ? "The governor has begun to count its decisions anew: those before are not kept any more." : "Decisions " + (gap.after + 1) + " to " + gap.to + " are not kept any more."; }).join(" ")) : null,
        chosen && !model.byId(chosen) ? el("p", { class: "note" }, "Decision " + chosen + " is not kept any more, or of another governor.") : null,
        shown.length ? el("ol", { class: "decisions" }, shown.map(function (row) { return item(name, row, chosen); })) : el("p", { class: "note" }, all.length ? "None fits the filter." : controlled ? "Nothing was decided that changed something." : "Nothing is set here. What would be set stands at the knobs."),
        found.length > shown.length ? el("button", { type: "button", id: "decisions-more", onclick: function () {
          most += 5 * STEP;
          draw(name, controlled, chosen);
        } }, "Show more") : null,
      ];
    });
  }

  return { draw: draw };
})();
