// What the page knows: clusters as they were last reported, decisions by id, and samples for the time lines. All is bounded.
window.calandoModel = (function () {
  "use strict";

  var MOST_DECISIONS = 3000;
  var MOST_SAMPLES = 4000;
  // Samples of the page are thinned to this step; older ones come from the governor, one a minute.
  var STEP_MILLIS = 5000;
  var KEPT_MILLIS = 60000;
  var LEAST_MILLIS = 2000;

  var clusters = new Map();
  var decisions = new Map();
  var samples = new Map();
  var gaps = [];
  var last = "";
  // The governor's time when the clock that does not jump began: that of this machine until an answer says another.
  var begun = Date.now() - performance.now();

  // The governor's time, which all that it tells is of. Clocks here may be wrong, or set meanwhile.
  function now() {
    return begun + performance.now();
  }

  // The Date of an answer, in whole seconds and under way for a while: less than two seconds are no difference.
  function heard(date) {
    var millis = Date.parse(date) - performance.now();
    if (Math.abs(millis - begun) >= LEAST_MILLIS) {
      begun = millis;
    }
  }

  function state(document) {
    var before = clusters.get(document.name);
    clusters.set(document.name, document);
    sample(document, now());
    return before ? changes(before, document) : [];
  }

  function sample(document, atMillis) {
    var saving = document.figures.saving || {};
    var kept = {};
    promises(document).forEach(function (each) { kept[each.promise] = each.kept; });
    take(document.name, {
      at: atMillis,
      power: document.figures.power_w,
      low: saving.power_low_w,
      high: saving.power_high_w,
      kept: kept,
    });
  }

  function take(name, one) {
    var all = samples.get(name) || [];
    // Before what is of a later time, as after the governor's clock was set back: lines go forwards only.
    var place = all.length;
    while (place > 0 && all[place - 1].at > one.at) {
      place--;
    }
    if (place > 0 && one.at - all[place - 1].at < STEP_MILLIS) {
      return;
    }
    all.splice(place, 0, one);
    if (all.length > MOST_SAMPLES) {
      all.splice(0, all.length - MOST_SAMPLES);
    }
    samples.set(name, all);
  }

  // What the governor kept of the time before this page, and of times when this page had no news.
  function history(name, rows) {
    var seen = samples.get(name) || [];
    var fills = rows
      .map(function (row) {
        return { at: Date.parse(row.at), power: row.power_w, low: row.saving_low_w, high: row.saving_high_w, kept: row.kept || {} };
      })
      .filter(function (row) { return seen.every(function (each) { return Math.abs(each.at - row.at) >= KEPT_MILLIS; }); });
    var all = fills.concat(seen).sort(function (a, b) { return a.at - b.at; });
    samples.set(name, all.slice(-MOST_SAMPLES));
  }

  function promises(document) {
    return document.promises ? document.promises.states : [];
  }

  function keptWord(kept) {
    return kept === true ? "kept" : kept === false ? "broken" : "unknown";
  }

  // Whether one of a known id was decided at another time: by a governor whose ids began anew, as its files are gone.
  function isAnew(rows) {
    return rows.some(function (row) {
      var known = decisions.get(String(row.id));
      return known !== undefined && known.at !== row.at;
    });
  }

  // Returns whether it was not known. What is known of a governor before this one is dropped.
  function decision(row) {
    if (row.id === undefined || row.id === null) {
      return false;
    }
    if (isAnew([row])) {
      forget();
    } else if (decisions.has(String(row.id))) {
      return false;
    }
    decisions.set(String(row.id), row);
    if (decisions.size > MOST_DECISIONS) {
      decisions.delete(ids()[0]);
    }
    if (last === "" || Number(row.id) > Number(last)) {
      last = String(row.id);
    }
    return true;
  }

  // Rows that were asked for; true is returned if its ids began anew, and what it has kept of other clusters is to be asked for.
  function past(rows) {
    var anew = isAnew(rows);
    if (anew) {
      forget();
    }
    rows.forEach(decision);
    return anew;
  }

  function forget() {
    decisions.clear();
    gaps = [{ anew: true }];
    last = "";
  }

  // Decisions that are not kept any more. A governor whose last id is lower than the one that the page named has begun its
  // ids anew; then true is returned, and what it has kept is to be asked for.
  function gap(row) {
    var anew = row.to < row.after;
    if (anew) {
      forget();
      last = String(row.to);
    } else {
      gaps.push(row);
      gaps = gaps.slice(-20);
    }
    return anew;
  }

  function ids() {
    return Array.from(decisions.keys()).sort(function (a, b) { return a - b; });
  }

  function of(name) {
    return Array.from(decisions.values())
      .filter(function (row) { return row.cluster === name; })
      .sort(function (a, b) { return b.id - a.id; });
  }

  function gone(name) {
    clusters.delete(name);
    samples.delete(name);
  }

  // What somebody who listens is to hear, a sentence each.
  function changes(before, now) {
    var said = [];
    if (before.works !== now.works) {
      said.push(now.name + (now.works ? " works again" : ": " + amiss(now).join("; ")));
    }
    var was = new Map(promises(before).map(function (each) { return [each.promise, each.kept]; }));
    promises(now).forEach(function (each) {
      if (was.has(each.promise) && was.get(each.promise) !== each.kept) {
        said.push(now.name + ": promise " + each.promise + " is " + keptWord(each.kept));
      }
    });
    if (Boolean(before.paused) !== Boolean(now.paused)) {
      said.push(now.name + (now.paused ? " is paused" : " is resumed"));
    }
    var knobs = new Map(before.knobs.map(function (each) { return [each.knob + " " + each.target, each]; }));
    now.knobs.forEach(function (each) {
      var old = knobs.get(each.knob + " " + each.target);
      if (old && old.value !== each.value) {
        said.push(now.name + ": " + each.knob + " is now " + each.value);
      }
      if (old && Boolean(old.held) !== Boolean(each.held)) {
        said.push(now.name + ": " + each.knob + (each.held ? " is held " + window.calandoKit.heldAt(each.held) : " is held no more"));
      }
      if (old && Boolean(old.paused) !== Boolean(each.paused)) {
        said.push(now.name + ": " + each.knob + (each.paused ? " is paused: " + each.paused.reason : " is tried again"));
      }
    });
    return said;
  }

  // What is wrong with a cluster, a sentence each.
  function amiss(document) {
    var said = [];
    function part(of, words) {
      if (of && of.problem) {
        said.push(words + ": " + of.problem);
      } else if (of && !of.works) {
        said.push(words + ": does not work");
      }
    }
    part(document.observing, "observing");
    part(document.control, "control");
    part(document.promises && document.promises.measuring, "promises");
    part(document.considered && document.considered.deciding, "considered");
    if (document.sessions && document.sessions.problem) {
      said.push("sessions: " + document.sessions.problem);
    }
    return said;
  }

  return {
    now: now, heard: heard, state: state, isAnew: isAnew, decision: decision, past: past, history: history, gone: gone, promises: promises, keptWord: keptWord, amiss: amiss, of: of,
    clusters: function () { return Array.from(clusters.values()); },
    cluster: function (name) { return clusters.get(name); },
    byId: function (id) { return decisions.get(String(id)); },
    samples: function (name) { return samples.get(name) || []; },
    gap: gap,
    gaps: function () { return gaps; },
    last: function () { return last; },
  };
})();
