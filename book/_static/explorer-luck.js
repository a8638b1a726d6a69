/* The explorer of difficulty, self-knowledge and luck: three shares in, AUROC2 and bits out. */
(function (M, O, P, C) {
  "use strict";

  const { make, slider, choice, figure, speaker, numbers } = C;

  const SHARES = {
    difficulty: ["difficulty", "what every model meets alike"],
    state: ["own state", "what this model alone knows of the question"],
    draw: ["luck of the draw", "what only this answer's words tell"],
  };
  const PARTS = Object.values(SHARES).map(([name]) => name);
  const AXES = {
    others: "the other models’ confidence", anotherDraw: "confidence of another draw of this model",
  };

  function start(root) {
    let state = { ...O.LUCK_START };
    let across = "others";
    const asked = O.questions(240);
    const speech = speaker();
    const note = make("p", { class: "mx-message" });
    const controls = {};
    const box = make("div", { class: "mx-controls" });
    Object.entries(SHARES).forEach(([key, [label, help]]) => {
      controls[key] = slider(`mx-luck-${key}`, {
        label, help, min: 0, max: O.MOST, step: 0.01,
      }, (value) => {
        const room = O.MOST - M.sum(Object.keys(SHARES).filter((k) => k !== key).map((k) => state[k]));
        state[key] = Math.min(value, Math.max(Number(room.toFixed(2)), 0));
        update();
      });
      box.append(controls[key].wrapper);
    });
    controls.accuracy = slider("mx-luck-accuracy", {
      label: "accuracy", help: "share of right answers", min: 0.05, max: 0.95, step: 0.01,
    }, (value) => { state.accuracy = value; update(); });
    controls.others = slider("mx-luck-others", {
      label: "other models", help: "their mean confidence stands for the difficulty", min: 1, max: 32, step: 1, digits: 0,
    }, (value) => { state.others = value; update(); });
    controls.across = choice("mx-luck-across", "across the scatter", "what the horizontal axis shows",
      [["", Object.entries(AXES)]], (value) => { across = value; update(); });
    controls.across.wrapper.classList.add("mx-wide");
    ["accuracy", "others", "across"].forEach((key) => box.append(controls[key].wrapper));
    const panel = numbers("AUROC2 and bits", [
      ["ownDraw", "AUROC2, this draw", "each answer with its own confidence"],
      ["anotherDraw", "another draw", "each answer with the confidence of another draw of its question"],
      ["question", "many draws", "each answer with what many other draws of its question say together"],
      ["luck", "luck", "this draw minus many draws"],
      ["others", "others", "each answer with the other models’ confidence"],
      ["bits0", "difficulty (bits)", "what difficulty says about being right"],
      ["bits1", "own state (bits)", "what the model’s own state adds"],
      ["bits2", "luck (bits)", "what the draw adds"],
      ["read1", "own state, as data show it", "what own confidence adds to that of the other models"],
    ]);
    const spots = figure("Questions", [["mx-key-right", "right"], ["mx-key-wrong", "wrong"]]);
    const areas = figure("AUROC2 with three confidences", []);
    const bits = figure("What confidence says, in bits:", PARTS.map((name, i) => [`mx-key-part-${i + 1}`, name]),
      "as it is, and as it looks where other models stand for the difficulty.");
    root.replaceChildren(
      box, note, panel.list, make("div", { class: "mx-figures" }, spots.wrapper, areas.wrapper, bits.wrapper), speech.region,
    );

    function update() {
      Object.keys(SHARES).concat("accuracy", "others").forEach((key) => controls[key].show(state[key]));
      controls.across.show(across);
      const rest = 1 - M.sum(Object.keys(SHARES).map((k) => state[k]));
      note.textContent = `Left over, which no confidence can know: ${P.shown(rest, 2)}.`;
      const now = O.luck(state);
      const numbersNow = {
        ...now, luck: now.ownDraw - now.question, bits0: now.parts[0], bits1: now.parts[1], bits2: now.parts[2],
        read1: now.read[1],
      };
      panel.show(numbersNow, null);
      P.scatter(spots.host, O.items(asked, state), across, AXES[across]);
      P.areas(areas.host, [
        ["this draw’s own confidence", now.ownDraw, "mx-part mx-part-3"],
        ["another draw’s confidence", now.anotherDraw, "mx-part mx-part-2"],
        [state.others > 1 ? `${state.others} other models’ confidence` : "another model’s confidence", now.others,
          "mx-part mx-part-1"],
      ]);
      P.parts(bits.host, [
        ["as it is", now.parts],
        [`seen through ${state.others} other model${state.others > 1 ? "s" : ""}`, now.read],
      ], PARTS, now.entropy);
      speech.say(`AUROC2 ${P.shown(now.ownDraw, 2)} with this draw's confidence, ${P.shown(now.anotherDraw, 2)} with another `
        + `draw's, ${P.shown(now.others, 2)} with the others'`);
    }

    document.querySelectorAll("[data-mx-luck]").forEach((button) => button.addEventListener("click", () => {
      state = { ...O.LUCK_START, ...O.LUCK_TRIES[button.dataset.mxLuck] };
      update();
      panel.list.setAttribute("tabindex", "-1");
      panel.list.focus({ preventScroll: true });
      root.scrollIntoView({ block: "start" });
    }));
    update();
  }

  const root = document.getElementById("mx-luck");
  if (root) { start(root); }
})(MetacogMath, MetacogObservers, MetacogPlots, MetacogControls);
