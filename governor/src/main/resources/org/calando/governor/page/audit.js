// Who did what: calls that changed something of a cluster, or were refused for lack of right.
window.calandoAudit = (function () {
  "use strict";

  var kit = window.calandoKit;
  var el = kit.el;

  var STEP = 10;
  var MARKS = { done: "kept", failed: "broken", refused: "held" };
  var most = STEP;
  var of = "";
  // Of all clusters; null before the governor has answered.
  var rows = null;
  var asked = "";
  var trouble = "";

  // What a changed file does not allow any more the governor takes back by itself.
  function isOwn(row) {
    return !row.who && !row.role && !row.address;
  }

  function who(row) {
    return isOwn(row) ? "the governor" : row.who ? [el("strong", {}, row.who), row.role ? " (" + row.role + ")" : ""] : row.role ? "an " + row.role + " without a name" : "somebody without a token";
  }

  // "done", "failed: why" or "refused: why"; nothing while it is made.
  function outcome(row) {
    var parts = /^(\w+)(?:: (.*))?$/.exec(row.outcome || "");
    return parts ? { word: parts[1], why: parts[2] || "" } : { word: row.outcome || "not known yet", why: "" };
  }

  // An order: what a knob is held at, and until when. Who and why stand in the line already.
  function brief(value) {
    if (value === null || typeof value !== "object" || value.since === undefined) {
      return kit.text(value);
    }
    return (value.value === undefined ? "" : kit.heldAt(value) + " ") + "until " + (value.until ? kit.clock(value.until) : "it is resumed");
  }

  function changes(row) {
    var before = row.before || {};
    var after = row.after || {};
    return Object.keys(Object.assign({}, before, after))
      .map(function (key) { return [key, brief(before[key]), brief(after[key])]; })
      .filter(function (each) { return each[1] !== each[2]; })
      .map(function (each) { return kit.label(each[0]) + ": " + each[1] + " \u2192 " + each[2]; });
  }

  function item(row) {
    var came = outcome(row);
    var changed = changes(row);
    return el("li", { id: "audit-" + row.id, class: "decision" }, [
      el("p", {}, [kit.time(row.at), " ", who(row), ": ", el("strong", {}, row.what), " ", kit.mark(MARKS[came.word] || "unknown", came.word)]),
      changed.length ? el("ul", { class: "reasons" }, changed.map(function (each) { return el("li", {}, each); })) : null,
      row.reason ? el("p", {}, "Reason: " + row.reason) : null,
      el("p", { class: "note" }, (came.why ? came.why + "; " : "") + (isOwn(row) ? "" : "from " + row.address + ", ") + "request " + row.request),
    ]);
  }

  // What no call means: only an audit that was read is known to be empty.
  function empty() {
    if (rows === null || trouble) {
      return trouble ? "" : "Not known yet.";
    }
    return rows.length ? "No call on this cluster is among the last that are known." : "Nobody has changed anything by the page, the command or the API.";
  }

  function take(found) {
    rows = found;
    trouble = "";
    asked = new Date().toISOString();
  }

  // Calls that were known before stay.
  function fail(status) {
    if (status === 404) {
      rows = null;
      trouble = "This governor takes no orders, and keeps no audit.";
    } else {
      trouble = (rows === null ? "Not known yet: " : "Not known since " + kit.clock(asked) + ": ") + (status ? "the governor answers " + status : "the governor does not answer") + ".";
    }
  }

  function draw(name) {
    if (of !== name) {
      of = name;
      most = STEP;
    }
    var all = (rows || []).filter(function (row) { return row.cluster === name || row.cluster === null; });
    var shown = all.slice(-most).reverse();
    var none = empty();
    kit.draw(kit.byId("audit-list"), [name, all.length > shown.length, shown, none, trouble], function () {
      return [
        trouble ? el("p", { class: "note bad" }, trouble) : null,
        shown.length ? el("ol", { class: "decisions" }, shown.map(item)) : none ? el("p", { class: "note" }, none) : null,
        all.length > shown.length ? el("button", { type: "button", id: "audit-more", onclick: function () {
          most += 5 * STEP;
          draw(name);
        } }, "Show more") : null,
      ];
    });
  }

  return { draw: draw, take: take, fail: fail };
})();
