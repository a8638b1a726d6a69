/* What both explorers are built from: sliders, choices, rows of numbers, figures, and a voice for those who hear the page. */
const MetacogControls = (function (P) {
  "use strict";

  const SPEAK_AFTER = 700; // milliseconds without a change before numbers are read out

  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    Object.entries(attributes || {}).forEach(([key, value]) => {
      if (value === true) { made.setAttribute(key, ""); } else if (value !== false) { made.setAttribute(key, value); }
    });
    made.append(...children);
    return made;
  };

  /** A slider with its label, its value and what it does. */
  function slider(id, { label, help, min, max, step, digits = 2 }, change) {
    const input = make("input", { type: "range", id, min, max, step, "aria-describedby": `${id}-help` });
    const output = make("output", { for: id });
    const wrapper = make(
      "div", { class: "mx-control" }, make("label", { for: id }, label, " ", output), input,
      make("small", { id: `${id}-help` }, help),
    );
    const show = (value) => {
      input.value = value;
      output.textContent = P.shown(value, digits);
    };
    input.addEventListener("input", () => change(Number(input.value)));
    return { wrapper, show };
  }

  function choice(id, label, help, groups, change) {
    const select = make("select", { id, "aria-describedby": `${id}-help` });
    groups.forEach(([title, options]) => {
      const made = options.map(([value, text]) => make("option", { value }, text));
      if (title) { select.append(make("optgroup", { label: title }, ...made)); } else { select.append(...made); }
    });
    select.addEventListener("change", () => change(select.value));
    const wrapper = make(
      "div", { class: "mx-control" }, make("label", { for: id }, label), select, make("small", { id: `${id}-help` }, help),
    );
    return { wrapper, show: (value) => { select.value = value; } };
  }

  function figure(title, keys, note) {
    const host = make("div", { class: "mx-chart" });
    const legend = make("p", { class: "mx-legend" });
    const caption = make("figcaption", {}, make("strong", {}, title), note ? ` ${note}` : "");
    const setKeys = (list) => legend.replaceChildren(
      ...list.map(([kind, words]) => make("span", { class: `mx-key ${kind}` }, words)),
    );
    setKeys(keys);
    return { host, setKeys, wrapper: make("figure", { class: "mx-figure" }, caption, legend, host) };
  }

  /** Reads numbers out to those who hear the page, once the sliders rest. */
  function speaker() {
    const region = make("p", { class: "mx-hidden", role: "status", "aria-live": "polite" });
    let timer = 0;
    return {
      region,
      say(words) {
        window.clearTimeout(timer);
        timer = window.setTimeout(() => { region.textContent = words; }, SPEAK_AFTER);
      },
    };
  }

  /** A row of numbers that stays in view; `rows` are [key, name, title]. */
  function numbers(label, rows) {
    const cells = new Map();
    const list = make("dl", { class: "mx-numbers", "aria-label": label });
    rows.forEach(([key, name, title]) => {
      const value = make("dd", {});
      const held = make("dd", { class: "mx-held-value" });
      cells.set(key, { value, held });
      list.append(make("div", { title }, make("dt", {}, name), value, held));
    });
    return {
      list,
      show(now, held) {
        cells.forEach((cell, key) => {
          cell.value.textContent = P.shown(now[key]);
          cell.held.textContent = held ? `held ${P.shown(held[key])}` : "";
        });
      },
    };
  }

  return { make, slider, choice, figure, speaker, numbers };
})(MetacogPlots);
