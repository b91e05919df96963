// News of the governor: server-sent events read by fetch, as an EventSource can show no token. It connects again by itself,
// ever later up to 30 s, and names the last decision it has, so that none is missed.
window.calandoStream = (function () {
  "use strict";

  var FIRST_MILLIS = 1000;
  var MOST_MILLIS = 30000;
  // The governor sends a comment each 15 s.
  var SILENT_MILLIS = 40000;
  var MOST_BUFFER = 8 << 20;

  // Splits what comes into events; calls with the fields of each.
  function reader(then) {
    var rest = "";
    return function (text) {
      rest = (rest + text).replace(/\r\n?/g, "\n");
      if (rest.length > MOST_BUFFER) {
        throw new Error("an event is too long");
      }
      for (var end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        var event = { event: "message", data: "", id: null };
        rest.slice(0, end).split("\n").forEach(function (line) {
          var colon = line.indexOf(":");
          if (colon <= 0) {
            return;
          }
          var name = line.slice(0, colon);
          var value = line.slice(colon + 1).replace(/^ /, "");
          event[name] = name === "data" && event.data ? event.data + "\n" + value : value;
        });
        rest = rest.slice(end + 2);
        if (event.data) {
          then(event);
        }
      }
    };
  }

  // hooks: event(e), link(state, words), heard(date of an answer), token() and last(), which return empty texts where there is
  // none.
  function connect(path, hooks) {
    var wait = FIRST_MILLIS;
    var control = null;
    var timer = 0;
    var silence = 0;
    var turn = 0;

    function heard() {
      clearTimeout(silence);
      silence = setTimeout(function () { control.abort(); }, SILENT_MILLIS);
    }

    function later(words) {
      clearTimeout(silence);
      clearTimeout(timer);
      var millis = wait * (0.75 + Math.random() / 2);
      wait = Math.min(MOST_MILLIS, wait * 2);
      hooks.link("lost", words, Date.now() + millis);
      timer = setTimeout(open, millis);
    }

    function refused(status) {
      if (status === 401 || status === 403) {
        hooks.link("refused", status === 401 ? "the governor asks for a token" : "the governor refuses this page", 0);
        wait = FIRST_MILLIS;
        return true;
      }
      return false;
    }

    function open() {
      var mine = ++turn;
      control = new AbortController();
      var headers = { Accept: "text/event-stream" };
      if (hooks.token()) {
        headers.Authorization = "Bearer " + hooks.token();
      }
      if (hooks.last()) {
        headers["Last-Event-ID"] = hooks.last();
      }
      hooks.link("asking", "", 0);
      heard();
      fetch(path, { headers: headers, cache: "no-store", credentials: "omit", signal: control.signal })
        .then(function (answer) {
          hooks.heard(answer.headers.get("Date"));
          if (!answer.ok || !answer.body) {
            if (mine === turn && !refused(answer.status)) {
              later("the governor answers " + answer.status);
            }
            return null;
          }
          hooks.link("live", "", 0);
          wait = FIRST_MILLIS;
          return pump(mine, answer.body.getReader());
        })
        .catch(function () {
          if (mine === turn) {
            later("the governor does not answer");
          }
        });
    }

    function pump(mine, body) {
      var decoder = new TextDecoder();
      var read = reader(hooks.event);
      function next(part) {
        if (mine !== turn) {
          return null;
        }
        if (part.done) {
          return later("the governor has ended the connection");
        }
        heard();
        read(decoder.decode(part.value, { stream: true }));
        return body.read().then(next);
      }
      return body.read().then(next);
    }

    function again() {
      turn++;
      clearTimeout(timer);
      clearTimeout(silence);
      if (control) {
        control.abort();
      }
      wait = FIRST_MILLIS;
      open();
    }

    window.addEventListener("online", again);
    open();
    return { again: again };
  }

  return { connect: connect, reader: reader };
})();
