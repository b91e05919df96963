// What an operator does: a dialog asks for it, shows the governor's dry run, and applies exactly what was shown.
window.calandoActions = (function () {
  "use strict";

  var kit = window.calandoKit;
  var el = kit.el;
  var ANSWER_MILLIS = 30000;

  // The token lives here, and nowhere else.
  var token = "";
  var said = function () {};
  var open = null;
  var shown = null;

  function field(id, label, attributes, note) {
    return [
      el("p", { class: "field" }, [el("label", { for: id }, label), el("input", Object.assign({ id: id, type: "text", autocomplete: "off", "aria-describedby": note ? id + "-note" : null }, attributes))]),
      note ? el("p", { class: "note", id: id + "-note" }, note) : null,
    ];
  }

  function clusterPath(state) {
    return "/api/v1/clusters/" + encodeURIComponent(state.name);
  }

  var UNTIL = "A time from now, such as 30min or 2h, 7 d at most.";

  function untilField(required, value) {
    return field("act-until", required ? "For how long" : "For how long (empty: until resumed)", { required: required, value: value, maxlength: 40, size: 12 }, UNTIL);
  }

  function cluster(state) {
    var what = state.paused
      ? { title: "Resume " + state.name, what: "Policies set again what they decide. Since " + kit.clock(state.paused.since) + " nothing is set: " + state.paused.reason, path: "/resume", fields: [], body: {} }
      : { title: "Pause " + state.name, what: "Policies go on deciding, and nothing of it is set. Knobs stay as they are.", path: "/pause", fields: untilField(false, ""), body: { until: "act-until" } };
    return button("cluster-act", state.paused ? "Resume" : "Pause", what, state);
  }

  function knob(state, of) {
    var path = "/knobs/" + encodeURIComponent(of.knob);
    var now = of.in_force !== undefined && of.in_force !== null ? of.in_force : of.value || "";
    var key = of.knob + "-" + (of.target || "").replace(/\W+/g, "-");
    var hold = {
      title: "Hold " + of.knob + " of " + state.name,
      what: "The policy goes on deciding, and the knob stays at this value until the time has passed. What keeps the store available goes before.",
      path: path + "/hold",
      fields: [field("act-value", "Value", { required: true, value: now, maxlength: 200 }, "As the file writes it."), untilField(true, "1h")],
      body: { value: "act-value", until: "act-until" },
    };
    var resume = { title: "Resume " + of.knob + " of " + state.name, what: "The policy sets it again.", path: path + "/resume", fields: [], body: {} };
    return [
      of.can_hold ? button("hold-" + key, of.held ? "Hold at another value" : "Hold", hold, state) : null,
      of.held ? [" ", button("resume-" + key, "Resume", resume, state)] : null,
    ];
  }

  function plan(state, of) {
    return of.can_undo && !of.undoing
      ? button("undo-" + of.knob, "Undo", { title: "Undo the plan of " + of.knob, what: kit.sentence(of.what) + ". What was done of it is taken back, the last step first.", path: "/plans/" + encodeURIComponent(of.knob) + "/undo", fields: [], body: {} }, state)
      : null;
  }

  function promise(state, of) {
    var tighten = {
      title: "Change promise " + of.promise + " of " + state.name,
      what: "It may be stricter than the file promises, or as the file has it again.",
      path: "/promise",
      fields: [field("act-limit", "Limit (empty: as the file says)", { maxlength: 40 }, "As the file writes it, such as 0.5% or 20ms."), untilField(false, "")],
      body: { limit: "act-limit", until: "act-until" },
      fixed: { promise: of.promise },
    };
    return button("promise-" + of.promise, "Change", tighten, state, "Change promise " + of.promise);
  }

  function button(id, text, what, state, label) {
    return el("button", { type: "button", id: id, "aria-label": label || (text === what.title ? null : what.title), "aria-haspopup": "dialog", onclick: function () { ask(what, state); } }, text);
  }

  function ask(what, state) {
    open = { what: what, path: clusterPath(state) + what.path };
    shown = null;
    kit.byId("h-act").textContent = what.title;
    kit.byId("act-what").textContent = what.what;
    kit.replace(kit.byId("act-fields"), what.fields);
    kit.byId("act-reason").value = "";
    kit.byId("act-token").value = "";
    kit.byId("act-token-field").hidden = token !== "";
    kit.replace(kit.byId("act-answer"), null);
    kit.byId("act-apply").disabled = true;
    kit.byId("act").showModal();
    (kit.byId("act-fields").querySelector("input") || kit.byId("act-reason")).focus();
  }

  function body(dryRun) {
    var made = Object.assign({ reason: kit.byId("act-reason").value.trim(), dry_run: dryRun }, open.what.fixed || {});
    Object.keys(open.what.body).forEach(function (name) {
      var value = kit.byId(open.what.body[name]).value.trim();
      if (value !== "") {
        made[name] = value;
      } else if (name === "limit") {
        made[name] = null;
      }
    });
    return made;
  }

  function comparison(answer) {
    var keys = Object.keys(Object.assign({}, answer.before || {}, answer.after || {}));
    return [
      el("h3", {}, answer.dry_run ? "This would change" : "This is ordered"),
      kit.scrolled("Before and after", kit.table("Before and after", ["", "Before", "After"], keys.map(function (key) {
        return [kit.label(key), kit.text((answer.before || {})[key]), kit.text((answer.after || {})[key])];
      }))),
      answer.steps && answer.steps.length ? el("ol", { class: "reasons" }, answer.steps.map(function (step) { return el("li", {}, kit.sentence(step)); })) : null,
      el("p", { class: "note" }, "Request " + answer.request),
    ];
  }

  function refusal(status, answer) {
    return el("p", { class: "bad" }, [(answer.problem || "The governor refuses it (" + status + ").") + (answer.remedy ? " Remedy: " + answer.remedy + "." : "")]);
  }

  function send(made) {
    var control = new AbortController();
    var timer = setTimeout(function () { control.abort(); }, ANSWER_MILLIS);
    var headers = { "Content-Type": "application/json" };
    if (token) {
      headers.Authorization = "Bearer " + token;
    }
    return fetch(open.path, { method: "POST", headers: headers, body: JSON.stringify(made), credentials: "omit", cache: "no-store", signal: control.signal })
      .then(function (answer) {
        return answer.text().then(function (body) {
          var read = {};
          try {
            read = JSON.parse(body);
          } catch (e) {
            read = { problem: body.trim() };
          }
          return { status: answer.status, body: read };
        });
      })
      .catch(function () { return { status: 0, body: { problem: "The governor does not answer, so it is not known whether this was done. See the knob and the audit." } }; })
      .finally(function () { clearTimeout(timer); });
  }

  function order(dryRun) {
    var pasted = kit.byId("act-token").value.trim();
    if (pasted) {
      use(pasted);
    }
    var mine = open;
    var made = body(dryRun);
    kit.byId("act-apply").disabled = true;
    kit.byId("act-try").disabled = true;
    kit.replace(kit.byId("act-answer"), el("p", {}, "Asking the governor."));
    send(made).then(function (answer) {
      if (open !== mine) {
        return;
      }
      kit.byId("act-try").disabled = false;
      if (answer.status !== 200) {
        kit.replace(kit.byId("act-answer"), refusal(answer.status, answer.body));
        kit.byId("act-token-field").hidden = answer.status !== 401 && answer.status !== 403;
        return;
      }
      shown = dryRun ? JSON.stringify(body(true)) : null;
      kit.byId("act-apply").disabled = !dryRun;
      kit.byId("act-token-field").hidden = true;
      kit.replace(kit.byId("act-answer"), comparison(answer.body));
      kit.byId(dryRun ? "act-apply" : "act-cancel").focus();
      if (!dryRun) {
        said(open.what.title + ": done");
        document.dispatchEvent(new Event("calando-ordered"));
      }
    });
  }

  // What was shown is what is applied: a field that changes asks for another dry run.
  function edited() {
    if (shown !== null && JSON.stringify(body(true)) !== shown) {
      shown = null;
      kit.byId("act-apply").disabled = true;
      kit.replace(kit.byId("act-answer"), el("p", { class: "note" }, "Changed: run the dry run again."));
    }
  }

  function use(pasted) {
    token = pasted;
    document.dispatchEvent(new CustomEvent("calando-token"));
  }

  function begin(hear) {
    said = hear;
    kit.byId("act-form").addEventListener("submit", function (event) {
      event.preventDefault();
      order(true);
    });
    kit.byId("act-apply").addEventListener("click", function () {
      if (shown !== null) {
        order(false);
      }
    });
    kit.byId("act-form").addEventListener("input", edited);
    kit.byId("act-cancel").addEventListener("click", function () { kit.byId("act").close(); });
    // The event comes after the dialog may have been opened again.
    kit.byId("act").addEventListener("close", function () {
      if (!kit.byId("act").open) {
        open = null;
        kit.byId("act-token").value = "";
      }
    });
    kit.byId("token").addEventListener("click", function () {
      kit.byId("token-text").value = "";
      kit.byId("token-dialog").showModal();
    });
    kit.byId("token-form").addEventListener("submit", function (event) {
      event.preventDefault();
      var pasted = kit.byId("token-text").value.trim();
      kit.byId("token-text").value = "";
      kit.byId("token-dialog").close();
      if (pasted) {
        use(pasted);
      }
    });
    kit.byId("token-forget").addEventListener("click", function () {
      kit.byId("token-dialog").close();
      use("");
    });
    kit.byId("token-cancel").addEventListener("click", function () { kit.byId("token-dialog").close(); });
    kit.byId("token-dialog").addEventListener("close", function () { kit.byId("token-text").value = ""; });
  }

  return { begin: begin, token: function () { return token; }, cluster: cluster, knob: knob, plan: plan, promise: promise };
})();
