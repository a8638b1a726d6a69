/* The trials themselves: filters, pages of fifty, and an address for each.
   A classic script without libraries; its data come from trials-data.js, so that the page works from a folder. */
(function () {
  "use strict";

  var PAGE = 15;
  var box = document.getElementById("trials-browser"), data = window.METACOG_TRIALS;
  if (!box || !data) { return; }
  var TURNED = ["", "a stricter marking would call it wrong", "a looser marking would call it right"];
  var FILTERS = ["study", "model", "temperature", "mark", "sure", "text"];
  var trials = [], state = {}, matching = [];

  data.groups.forEach(function (group) {
    for (var i = 0; i < group.q.length; i += 1) {
      var question = data.questions[group.q[i]], end = typeof group.p === "string" ? group.p : group.p[i];
      trials.push({
        group: group, question: question[0], key: question[1], answer: group.a[i], confidence: group.c[i],
        right: group.r[i] === "1", sure: group.s[i], turned: Number(group.t[i]),
        address: [group.start, question[2], group.temperature, end].join("~")
      });
    }
  });

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) { made.className = className; }
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  function counted(n) { return n.toLocaleString("en-US"); }

  function distinct(of) {
    var seen = {};
    return data.groups.map(of).filter(function (one) { return seen[one] ? false : (seen[one] = true); });
  }

  function choice(name, title, options) {
    var label = element("label", "", title + " "), select = element("select");
    select.name = name;
    [["", "all"]].concat(options).forEach(function (one) {
      var option = element("option", "", one[1]);
      option.value = one[0];
      select.appendChild(option);
    });
    label.appendChild(select);
    controls.appendChild(label);
    return select;
  }

  function same(one) { return [one, one]; }

  var controls = element("form", "trials-controls");
  controls.addEventListener("submit", function (event) { event.preventDefault(); });
  var temperatures = distinct(function (g) { return g.temperature; }).sort(function (a, b) { return a - b; });
  var fields = {
    study: choice("study", "Study", distinct(function (g) { return g.study; }).map(same)),
    model: choice("model", "Model", distinct(function (g) { return g.label; }).map(same)),
    temperature: choice("temperature", "Temperature", temperatures.map(same)),
    mark: choice("mark", "Mark", [["right", "right"], ["wrong", "wrong"], ["turned", "hangs on the marking"]]),
    sure: choice("sure", "Confidence", [["1", "sure (above the model's median at this temperature)"], ["0", "unsure (not above it)"]])
  };
  var typed = element("label", "", "Words of question or answer ");
  fields.text = element("input");
  fields.text.type = "search";
  fields.text.name = "text";
  typed.appendChild(fields.text);
  controls.appendChild(typed);
  var status = element("p", "trials-status"), list = element("ol", "trials-list");
  var turning = element("div", "trials-turning");
  status.setAttribute("role", "status");
  ["Earlier", "Later"].forEach(function (title, n) {
    var button = element("button", "", title);
    button.type = "button";
    button.addEventListener("click", function () { go({ page: state.page + (n ? 1 : -1), t: "" }); list.focus(); });
    turning.appendChild(button);
  });
  list.tabIndex = -1;
  [controls, status, list, turning].forEach(function (one) { box.appendChild(one); });

  function fits(trial, words) {
    var group = trial.group;
    if (state.study && group.study !== state.study) { return false; }
    if (state.model && group.label !== state.model) { return false; }
    if (state.temperature && group.temperature !== state.temperature) { return false; }
    if (state.mark === "turned" ? !trial.turned : state.mark && (state.mark === "right") !== trial.right) { return false; }
    if (state.sure && trial.sure !== state.sure) { return false; }
    if (!words.length) { return true; }
    var text = (trial.question + " " + trial.answer).toLowerCase();
    return words.every(function (word) { return text.indexOf(word) >= 0; });
  }

  function shown(trial) {
    var item = element("li", trial.right ? "right" : "wrong"), group = trial.group;
    item.dataset.address = trial.address;
    item.appendChild(element("p", "question", trial.question));
    var said = element("p", "answer");
    said.appendChild(element("span", "verdict", trial.right ? "✓ right" : "✗ wrong"));
    said.appendChild(element("q", "", trial.answer));
    var sure = trial.confidence < 0 ? "no confidence" : "confidence " + (trial.confidence / 1000).toFixed(2);
    said.appendChild(element("span", "confidence", sure));
    item.appendChild(said);
    var about = element("p", "about");
    var parts = [group.study, group.task, group.label, "temperature " + group.temperature];
    if (trial.key) { parts.push("key: " + trial.key); }
    about.appendChild(element("span", "", parts.join(" · ") + " "));
    var link = element("a", "", "address");
    link.href = "#t=" + encodeURIComponent(trial.address);
    link.setAttribute("aria-label", "address of this trial");
    about.appendChild(link);
    item.appendChild(about);
    if (trial.turned) { item.appendChild(element("p", "turned", "This mark hangs on the rule: " + TURNED[trial.turned] + ".")); }
    if (trial.address === state.t) { item.setAttribute("aria-current", "true"); }
    return item;
  }

  function show() {
    var words = (state.text || "").toLowerCase().split(/\s+/).filter(Boolean);
    matching = trials.filter(function (trial) { return fits(trial, words); });
    if (state.t) {
      var place = matching.findIndex(function (trial) { return trial.address === state.t; });
      if (place >= 0) { state.page = Math.floor(place / PAGE) + 1; }
    }
    var pages = Math.max(1, Math.ceil(matching.length / PAGE));
    state.page = Math.min(Math.max(1, state.page || 1), pages);
    list.textContent = "";
    list.start = (state.page - 1) * PAGE + 1;
    matching.slice((state.page - 1) * PAGE, state.page * PAGE).forEach(function (trial) {
      list.appendChild(shown(trial));
    });
    var right = matching.filter(function (trial) { return trial.right; }).length;
    var share = matching.length ? ", " + Math.round(100 * right / matching.length) + " % of them right" : "";
    status.textContent = counted(matching.length) + " of " + counted(trials.length) + " trials" + share +
      "; page " + state.page + " of " + counted(pages) + ".";
    turning.children[0].disabled = state.page <= 1;
    turning.children[1].disabled = state.page >= pages;
    FILTERS.forEach(function (name) {
      if (fields[name].value !== (state[name] || "")) { fields[name].value = state[name] || ""; }
    });
    var marked = list.querySelector("[aria-current]");
    if (marked) { marked.scrollIntoView({ block: "center" }); }
  }

  /* What the address says: filters, the page, and the one trial that is marked. */
  function read() {
    state = { page: 1 };
    location.hash.slice(1).split("&").forEach(function (part) {
      var cut = part.indexOf("="), name = part.slice(0, cut), value = decodeURIComponent(part.slice(cut + 1));
      if (name === "page") { state.page = parseInt(value, 10) || 1; }
      if (name === "t" || FILTERS.indexOf(name) >= 0) { state[name] = value; }
    });
    show();
  }

  function go(changes) {
    Object.keys(changes).forEach(function (name) { state[name] = changes[name]; });
    var parts = FILTERS.concat("t").filter(function (name) { return state[name]; }).map(function (name) {
      return name + "=" + encodeURIComponent(state[name]);
    });
    if (state.page > 1) { parts.push("page=" + state.page); }
    history.replaceState(null, "", "#" + parts.join("&"));
    show();
  }

  FILTERS.forEach(function (name) {
    fields[name].addEventListener(name === "text" ? "input" : "change", function () {
      var change = { page: 1, t: "" };
      change[name] = fields[name].value;
      go(change);
    });
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("load", function () { setTimeout(read, 0); }); // the theme looks for the page's anchors first
})();
