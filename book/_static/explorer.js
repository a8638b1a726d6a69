/* The explorer of measures: sliders and tables of counts in, charts and numbers out. */
(function (M, O, P, C) {
  "use strict";

  const { make, slider, choice, figure, speaker, numbers } = C;

  const TABLES = window.METACOG_TABLES || [];
  const MOST = 1e5; // trials in one cell that can be typed

  const ROWS = [
    ["accuracy", "accuracy", "share of right answers"],
    ["dPrime", "d′", "distance of the two classes at the middle cut, in standard deviations"],
    ["c", "c", "where the middle cut lies; 0 is half-way"],
    ["metaD", "meta-d′", "the d′ that the confidence would come from"],
    ["mRatio", "M-ratio", "meta-d′ / d′"],
    ["auroc2", "AUROC2", "chance that a right answer has more confidence than a wrong one"],
    ["metaI", "meta-I (bits)", "uncertainty about being right that a rating removes"],
    ["metaI2r", "meta-I₂ᵣ", "meta-I as a share of the uncertainty there was"],
  ];

  const SLIDERS = {
    d: {
      label: "d′", help: "distance of the two curves", min: 0.1, max: 4, step: 0.05,
      of: ["meta", "noise", "open"],
    },
    c: {
      label: "criterion c", help: "where the middle cut lies; 0 is half-way", min: -2, max: 2, step: 0.05,
      of: ["meta", "noise", "open"],
    },
    metaD: {
      label: "meta-d′", help: "the d′ that confidence reads from", min: 0, max: 4, step: 0.05, of: ["meta"],
    },
    noise: {
      label: "noise on confidence", help: "0: confidence reads just what the decision read", min: 0, max: 4, step: 0.05,
      of: ["noise"],
    },
    spread: {
      label: "spread of right answers", help: "their standard deviation, that of wrong answers being 1", min: 0.5, max: 2.5,
      step: 0.05, of: ["open"],
    },
    base: {
      label: "base rate", help: "share of S2 stimuli; of right answers where there is no choice", min: 0.05, max: 0.95,
      step: 0.01, of: ["meta", "noise", "open"],
    },
    ratings: {
      label: "ratings", help: "for each response; twice as many in all", min: 2, max: 6, step: 1, digits: 0,
      of: ["meta", "noise", "open"],
    },
    spacing: {
      label: "distance between cuts", help: "small: high ratings are given easily", min: 0.1, max: 1.5, step: 0.05,
      of: ["meta", "noise", "open"],
    },
  };

  function start(root) {
    let state = { ...O.START };
    let held = null;
    let table = null; // counts that were loaded or typed, where `state.observer` is "table"
    let source = "meta";
    const speech = speaker();
    const panel = numbers("Measures of what is shown", ROWS);
    const note = make("p", { class: "mx-message" });
    const controls = {};
    const box = make("div", { class: "mx-controls" });

    const groups = [...new Set(TABLES.map((one) => one.group))].map((group) => [
      group, TABLES.map((one, i) => [`table-${i}`, one]).filter(([, one]) => one.group === group)
        .map(([value, one]) => [value, one.name]),
    ]);
    controls.source = choice(
      "mx-source", "What is shown", "an observer to move, or a table of counts to change",
      [
        ["An observer", [
          ["meta", "two choices, meta-d′ given"], ["noise", "two choices, noise on confidence"],
          ["open", "open answers: confidence of wrong and right ones"],
        ]],
        ["Your own", [["own", "these counts, to change by hand"]]], ...groups,
      ],
      (value) => choose(value),
    );
    controls.source.wrapper.classList.add("mx-wide");
    box.append(controls.source.wrapper);
    Object.entries(SLIDERS).forEach(([key, about]) => {
      controls[key] = slider(`mx-${key}`, about, (value) => { state[key] = value; update(); });
      box.append(controls[key].wrapper);
      if (key === "ratings") {
        controls.cuts = choice(
          "mx-cuts", "confidence cuts", "where one rating ends and the next begins",
          [["", [["equal", "every rating equally often"], ["even", "evenly spaced"]]]],
          (value) => { state.cuts = value; update(); },
        );
        box.append(controls.cuts.wrapper);
      }
    });

    const hold = make("button", { type: "button" }, "Hold these numbers");
    const release = make("button", { type: "button" }, "Let go");
    const reset = make("button", { type: "button" }, "Start again");
    const buttons = make("div", { class: "mx-buttons" }, hold, release, reset);

    const evidence = figure("What there is to go on", []);
    const fitted = figure("What the fit makes of the confidence:", [], "two equal bells meta-d′ apart, with cuts.");
    const roc = figure("Type-2 ROC:", [], "confidence against being right; the area is AUROC2.");
    const zroc = figure("z-ROC:", [], "every rating as a cut between the two classes.");
    const grid = make("div", { class: "mx-figures" }, evidence.wrapper, fitted.wrapper, roc.wrapper, zroc.wrapper);
    const about = make("p", { class: "mx-about" });
    const counts = make("div", { class: "mx-counts", tabindex: "0", role: "region", "aria-label": "Counts by rating" });
    root.replaceChildren(box, buttons, note, panel.list, grid, about, counts, speech.region);
    let shape = "";
    let cells = [];

    function choose(value) {
      if (value.startsWith("table-")) {
        const one = TABLES[Number(value.slice(6))];
        table = { s1: one.s1.slice(), s2: one.s2.slice(), decision: one.decision, pad: one.pad, expected: false };
      } else if (value === "own") {
        const now = current().table;
        const whole = now.expected ? 1000 / O.MANY : 1;
        const rounded = (s) => s.map((x) => Math.round(x * whole));
        table = { ...now, s1: rounded(now.s1), s2: rounded(now.s2), pad: now.expected ? 0.5 : now.pad, expected: false };
      }
      state.observer = ["meta", "noise", "open"].includes(value) ? value : "table";
      source = value;
      update();
    }

    /** The table that is shown, with the curves it comes from where they are known. */
    function current() {
      return state.observer === "table" ? { table } : O.expected(state);
    }

    function update() {
      const made = current();
      const { decision } = made.table;
      const now = M.measures(made.table);
      const names = decision ? ["S1", "S2"] : ["wrong answers", "right answers"];
      showControls();
      panel.show(now, held);
      note.textContent = now.fit.why ? `No meta-d′ here: ${now.fit.why}.` : "";
      const from = state.observer === "table";
      const total = M.sum(made.table.s1) + M.sum(made.table.s2);
      const weight = [made.table.s1, made.table.s2].map((s) => M.sum(s) / total);
      const world = from ? { mean: [-now.dPrime / 2, now.dPrime / 2], sd: [1, 1], weight, c: now.c } : made.world;
      const blur = state.observer === "noise" ? state.noise : 0;
      evidence.setKeys([
        ["mx-key-s1", names[0]], ["mx-key-s2", names[1]],
        ["mx-key-criterion", decision ? "criterion of the decision" : "middle cut"],
        ...(from || state.observer === "meta" ? [] : [["mx-key-cut", "confidence cuts"]]),
        ...(blur ? [["mx-key-faint", "as confidence reads it"]] : []),
      ]);
      if (Number.isFinite(now.dPrime)) {
        P.curves(evidence.host, world, from || state.observer === "meta" ? [] : made.cuts, {
          blur, xLabel: from ? "as d′ pictures it, in standard deviations" : decision ? "evidence" : "confidence",
          label: `Curves of ${names.join(" and ")}, d' ${P.shown(now.dPrime, 2)}, criterion ${P.shown(now.c, 2)}`,
        });
      } else { P.nothing(evidence.host, now.fit.why); }
      fitted.setKeys([["mx-key-s1", names[0]], ["mx-key-s2", names[1]], ["mx-key-criterion", "middle cut"],
        ["mx-key-cut", "confidence cuts"]]);
      if (Number.isFinite(now.metaD)) {
        P.curves(
          fitted.host, { mean: [-now.metaD / 2, now.metaD / 2], sd: [1, 1], weight, c: now.fit.metaC },
          [...now.fit.cutsLow, ...now.fit.cutsHigh],
          { xLabel: "confidence, as the fit pictures it", label: `Fitted curves, meta-d' ${P.shown(now.metaD, 2)}` },
        );
      } else { P.nothing(fitted.host, now.fit.why); }
      const compare = held ? [["mx-key-held", "held"]] : [];
      roc.setKeys([["mx-key-now", "shown"], ...compare, ["mx-key-chance", "chance"]]);
      zroc.setKeys([["mx-key-now", "all ratings, with their line"], ["mx-key-decision", decision ? "the decision" : "middle cut"],
        ["mx-key-type1", "slope 1 through it"], ...compare]);
      P.roc(roc.host, now, held);
      P.zroc(zroc.host, now, held);
      showCounts(made.table, now, names);
      speech.say(`${ROWS.map(([key, name]) => `${name} ${P.shown(now[key], 2)}`).join(", ")}. ${note.textContent}`);
    }

    function showControls() {
      controls.source.show(source);
      controls.cuts.show(state.cuts);
      controls.cuts.wrapper.hidden = state.observer === "table";
      Object.entries(SLIDERS).forEach(([key, about]) => {
        controls[key].show(state[key]);
        const free = !(key === "spacing" && state.cuts === "equal")
          && !(key === "c" && state.observer === "open" && state.cuts === "equal");
        controls[key].wrapper.hidden = !(about.of.includes(state.observer) && free);
      });
      release.disabled = !held;
    }

    /** The counts as a table: fields to type in where they were loaded, numbers per 1,000 trials where not. */
    function showCounts(shownTable, now, names) {
      const typed = state.observer === "table";
      const wanted = [shownTable.s1.length, typed, shownTable.decision].join();
      if (wanted !== shape) { buildCounts(shownTable, names, typed); }
      shape = wanted;
      const scale = typed ? 1 : 1000 / O.MANY;
      [shownTable.s1, shownTable.s2].forEach((row, k) => row.forEach((x, i) => {
        const cell = cells[k][i];
        if (!typed) { cell.textContent = (x * scale).toFixed(1); } else if (cell !== document.activeElement) { cell.value = x; }
      }));
      cells[2].forEach((cell, i) => { cell.textContent = P.shown(now.right[i] / (now.right[i] + now.wrong[i]), 2); });
    }

    function buildCounts(shownTable, names, typed) {
      const levels = shownTable.s1.length;
      const k = levels / 2;
      const title = (i) => (shownTable.decision ? (i < k ? `“S1” ${k - i}` : `“S2” ${i - k + 1}`) : `${i + 1}`);
      const head = make("tr", {}, make("th", { scope: "col" }, shownTable.decision ? "answer, confidence" : "rating"),
        ...Array.from({ length: levels }, (_, i) => make("th", { scope: "col" }, title(i))));
      cells = [0, 1].map((row) => Array.from({ length: levels }, (_, i) => (typed
        ? make("input", { type: "number", min: 0, max: MOST, step: 1, inputmode: "numeric", "aria-label": `${names[row]}, ${title(i)}` })
        : make("span", {}))));
      const shares = shownTable.decision ? k : levels;
      cells.push(Array.from({ length: shares }, () => make("span", {})));
      const row = (name, list) => make("tr", {}, make("th", { scope: "row" }, name),
        ...list.map((cell) => make("td", {}, cell)));
      const body = make("tbody", {}, row(names[0], cells[0]), row(names[1], cells[1]));
      if (!shownTable.decision) { body.append(row("share right", cells[2])); }
      about.textContent = typed ? "Counts. Change any of them; a row copied from a spreadsheet can be pasted into its first field."
        : "Expected counts of 1,000 trials.";
      counts.replaceChildren(make("table", {}, make("thead", {}, head), body));
      if (shownTable.decision) {
        const levelsRow = make("tr", {}, make("th", { scope: "col" }, "confidence"),
          ...Array.from({ length: k }, (_, i) => make("th", { scope: "col" }, `${i + 1}`)));
        counts.append(make("table", {}, make("thead", {}, levelsRow), make("tbody", {}, row("share right", cells[2]))));
      }
      if (typed) { cells.slice(0, 2).forEach((list, which) => list.forEach((field, i) => listen(field, which, i))); }
    }

    function listen(field, which, i) {
      const put = (at, text) => {
        const value = Number(text);
        if (text.trim() !== "" && Number.isInteger(value) && value >= 0 && value <= MOST) {
          (which ? table.s2 : table.s1)[at] = value;
          return true;
        }
        return false;
      };
      field.addEventListener("input", () => {
        const fine = put(i, field.value);
        field.setAttribute("aria-invalid", String(!fine));
        if (fine) { update(); }
      });
      field.addEventListener("change", () => {
        field.value = (which ? table.s2 : table.s1)[i];
        field.setAttribute("aria-invalid", "false");
      });
      field.addEventListener("paste", (event) => {
        const words = event.clipboardData.getData("text").trim().split(/[\s;]+/);
        if (words.length < 2) { return; }
        event.preventDefault();
        words.slice(0, table.s1.length - i).forEach((word, j) => put(i + j, word));
        field.blur();
        update();
      });
    }

    hold.addEventListener("click", () => { held = M.measures(current().table); update(); });
    release.addEventListener("click", () => { held = null; update(); hold.focus(); });
    reset.addEventListener("click", () => { state = { ...O.START }; held = null; source = "meta"; update(); });

    const goTo = () => {
      update();
      panel.list.setAttribute("tabindex", "-1");
      panel.list.focus({ preventScroll: true });
      root.scrollIntoView({ block: "start" });
    };
    document.querySelectorAll("[data-mx-try]").forEach((button) => button.addEventListener("click", () => {
      const [first, second] = O.tried(button.dataset.mxTry);
      held = M.measures(O.expected(first).table);
      state = second;
      source = second.observer;
      goTo();
    }));
    document.querySelectorAll("[data-mx-tables]").forEach((button) => {
      const found = button.dataset.mxTables.split("|").map((name) => TABLES.findIndex((one) => one.name === name));
      button.disabled = found.some((i) => i < 0);
      button.addEventListener("click", () => {
        choose(`table-${found[0]}`);
        held = M.measures(table);
        choose(`table-${found[1]}`);
        goTo();
      });
    });
    update();
  }

  const root = document.getElementById("mx-explorer");
  if (root) { start(root); }
})(MetacogMath, MetacogObservers, MetacogPlots, MetacogControls);
