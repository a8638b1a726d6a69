/* Charts of the explorers, as SVG elements that take their colours from the page's theme. */
const MetacogPlots = (function (M) {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT] = [360, 270];
  let clips = 0;

  function node(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
    if (text !== undefined) { made.textContent = text; }
    return made;
  }

  /** A number as the page shows it. */
  function shown(value, digits = 3) {
    if (!Number.isFinite(value)) { return "–"; }
    const text = value.toFixed(digits);
    return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
  }

  /** An empty chart in its host, with axes; what it gives back draws in the units of the axes. */
  function chart(host, { x, y, xTicks, yTicks, xLabel, yLabel, label }) {
    const box = { left: yLabel ? 56 : 12, right: WIDTH - 8, top: 10, bottom: HEIGHT - 42 };
    const px = (value) => box.left + ((value - x[0]) / (x[1] - x[0])) * (box.right - box.left);
    const py = (value) => box.bottom - ((value - y[0]) / (y[1] - y[0])) * (box.bottom - box.top);
    const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    const id = `mx-clip-${(clips += 1)}`;
    const clip = node("clipPath", { id });
    clip.append(node("rect", {
      x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top,
    }));
    const defs = node("defs");
    defs.append(clip);
    const axes = node("g", { class: "mx-axes" });
    const inside = node("g", { "clip-path": `url(#${id})` });
    const over = node("g");
    axes.append(node("path", { d: `M${box.left} ${box.bottom}H${box.right}`, class: "mx-axis" }));
    (xTicks || []).forEach((tick) => {
      axes.append(node("path", { d: `M${px(tick)} ${box.bottom}v4`, class: "mx-axis" }));
      axes.append(node("text", { x: px(tick), y: box.bottom + 17, class: "mx-tick" }, shown(tick, tick % 1 ? 2 : 0)));
    });
    if (yLabel) {
      axes.append(node("path", { d: `M${box.left} ${box.top}V${box.bottom}`, class: "mx-axis" }));
      (yTicks || []).forEach((tick) => {
        axes.append(node("path", { d: `M${box.left} ${py(tick)}h-4`, class: "mx-axis" }));
        axes.append(node(
          "text", { x: box.left - 7, y: py(tick) + 4, class: "mx-tick mx-tick-y" }, shown(tick, tick % 1 ? 2 : 0),
        ));
      });
      const middle = (box.top + box.bottom) / 2;
      axes.append(node("text", { x: 11, y: middle, class: "mx-label", transform: `rotate(-90 11 ${middle})` }, yLabel));
    }
    axes.append(node("text", { x: (box.left + box.right) / 2, y: HEIGHT - 6, class: "mx-label" }, xLabel));
    svg.append(defs, axes, inside, over);
    host.replaceChildren(svg);
    const place = (points) => points.map(([a, b]) => `${px(a).toFixed(2)} ${py(b).toFixed(2)}`).join("L");
    return {
      line: (points, kind) => inside.append(node("path", { d: `M${place(points)}`, class: `mx-line ${kind}` })),
      area: (points, kind) => inside.append(node("path", { d: `M${place(points)}Z`, class: `mx-area ${kind}` })),
      bar: (x0, x1, y0, y1, kind) => inside.append(node("rect", {
        x: px(Math.min(x0, x1)), y: py(y1), width: Math.abs(px(x1) - px(x0)), height: py(y0) - py(y1), class: kind,
      })),
      dot: (a, b, kind, r = 4) => over.append(node("circle", { cx: px(a), cy: py(b), r, class: kind })),
      cross: (a, b, kind, r = 3.5) => inside.append(node("path", {
        d: `M${px(a) - r} ${py(b) - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`, class: `mx-line ${kind}`,
      })),
      ring: (a, b, kind, r = 3.5) => inside.append(node("circle", { cx: px(a), cy: py(b), r, class: kind })),
      text: (a, b, words, kind = "") => over.append(
        node("text", { x: px(a), y: py(b), class: `mx-note ${kind}` }, words),
      ),
    };
  }

  const range = (from, to, n) => Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);

  function bell(mean, sd, weight, [from, to]) {
    return range(from, to, 160).map((x) => [x, (weight * M.density((x - mean) / sd)) / sd]);
  }

  /** Two curves with cuts; `world` is {mean, sd, weight, c}. `blur` adds the curves that confidence reads. */
  function curves(host, world, cuts, { label, blur, xLabel }) {
    const wide = Math.max(...world.sd) * (blur ? Math.sqrt(1 + blur * blur) : 1);
    const x = [Math.min(...world.mean) - 3 * wide, Math.max(...world.mean) + 3 * wide];
    const top = 1.12 * Math.max(...[0, 1].map((k) => (world.weight[k] * M.density(0)) / world.sd[k]));
    const draw = chart(host, { x, y: [0, top], xLabel, label, xTicks: range(Math.ceil(x[0] / 2) * 2, Math.floor(x[1] / 2) * 2,
      Math.max(1, (Math.floor(x[1] / 2) - Math.ceil(x[0] / 2)))) });
    ["mx-s1", "mx-s2"].forEach((kind, k) => {
      const points = bell(world.mean[k], world.sd[k], world.weight[k], x);
      draw.area([[x[0], 0], ...points, [x[1], 0]], kind);
      draw.line(points, kind);
      if (blur) { draw.line(bell(world.mean[k], Math.sqrt(1 + blur * blur), world.weight[k], x), `${kind} mx-faint`); }
    });
    cuts.filter(Number.isFinite).forEach((cut) => draw.line([[cut, 0], [cut, 0.8 * top]], "mx-cut"));
    if (Number.isFinite(world.c)) { draw.line([[world.c, 0], [world.c, top]], "mx-criterion"); }
  }

  /** What is missing, in place of a chart. */
  function nothing(host, why) {
    const note = document.createElement("p");
    note.className = "mx-nothing";
    note.textContent = why;
    host.replaceChildren(note);
  }

  function roc(host, now, held) {
    if (!now.roc.length) { nothing(host, "Without right and wrong answers there is no ROC."); return; }
    const ticks = [0, 0.25, 0.5, 0.75, 1];
    const draw = chart(host, {
      x: [0, 1], y: [0, 1], xTicks: ticks, yTicks: ticks,
      xLabel: "share of wrong answers at or above a rating", yLabel: "share of right answers",
      label: `Type-2 ROC, area ${shown(now.auroc2)}${held ? `; held for comparison: ${shown(held.auroc2)}` : ""}`,
    });
    draw.line([[0, 0], [1, 1]], "mx-chance");
    draw.area([...now.roc, [1, 0]], "mx-now");
    if (held) {
      draw.line(held.roc, "mx-held");
      held.roc.slice(1, -1).forEach(([a, b]) => draw.dot(a, b, "mx-held-dot"));
    }
    draw.line(now.roc, "mx-now");
    now.roc.slice(1, -1).forEach(([a, b]) => draw.dot(a, b, "mx-now-dot"));
  }

  function zroc(host, now, held) {
    if (!now.zroc.points.length) { nothing(host, "Without trials of both classes there is no z-ROC."); return; }
    const all = [...now.zroc.points, ...(held ? held.zroc.points : [])].flat();
    const reach = Math.min(4, Math.max(2, Math.ceil(Math.max(...all.map(Math.abs)))));
    const ticks = range(-reach, reach, 2 * reach);
    const draw = chart(host, {
      x: [-reach, reach], y: [-reach, reach], xTicks: ticks, yTicks: ticks,
      xLabel: "z(false alarms)", yLabel: "z(hits)",
      label: `z-ROC of all ratings, slope ${shown(now.zroc.slope, 2)}; the decision lies on the line of slope 1 `
        + `with d' ${shown(now.dPrime, 2)}`,
    });
    draw.line([[-reach, -reach], [reach, reach]], "mx-chance");
    const ends = (slope, intercept) => [-reach, reach].map((x) => [x, intercept + slope * x]);
    if (Number.isFinite(now.dPrime)) { draw.line(ends(1, now.dPrime), "mx-type1"); }
    if (held) { held.zroc.points.forEach(([a, b]) => draw.dot(a, b, "mx-held-dot")); }
    if (Number.isFinite(now.zroc.slope)) { draw.line(ends(now.zroc.slope, now.zroc.intercept), "mx-now"); }
    now.zroc.points.forEach(([a, b]) => draw.dot(a, b, "mx-now-dot"));
    if (Number.isFinite(now.dPrime)) { draw.dot(now.fit.zFalse, now.fit.zHit, "mx-decision", 7); }
  }

  // ---- difficulty, own state, luck -----------------------------------------------------------------------

  function scatter(host, items, across, xLabel) {
    const reach = 3;
    const draw = chart(host, {
      x: [-reach, reach], y: [-reach, reach], xTicks: range(-2, 2, 4), yTicks: range(-2, 2, 4), xLabel,
      yLabel: "confidence of this draw",
      label: `Scatter of ${items.length} questions: confidence of this draw against ${xLabel}, right and wrong answers marked`,
    });
    const sd = (name) => Math.sqrt(M.sum(items.map((i) => i[name] ** 2)) / items.length) || 1;
    const [sx, sy] = [sd(across), sd("ownDraw")];
    items.filter((i) => !i.right).forEach((i) => draw.cross(i[across] / sx, i.ownDraw / sy, "mx-s1"));
    items.filter((i) => i.right).forEach((i) => draw.ring(i[across] / sx, i.ownDraw / sy, "mx-right"));
  }

  /** Horizontal bars from chance to each area. */
  function areas(host, rows) {
    const draw = chart(host, {
      x: [0.5, 1], y: [0, rows.length], xTicks: [0.5, 0.6, 0.7, 0.8, 0.9, 1], xLabel: "AUROC2 (0.5 is chance)",
      label: `AUROC2: ${rows.map(([name, value]) => `${name} ${shown(value)}`).join(", ")}`,
    });
    rows.forEach(([name, value, kind], i) => {
      const y = rows.length - 1 - i;
      draw.bar(0.5, value, y + 0.12, y + 0.5, kind);
      draw.text(0.505, y + 0.62, `${name}: ${shown(value)}`);
    });
  }

  /** Stacked bars of bits, one for each way of reading. */
  function parts(host, rows, names, whole) {
    const draw = chart(host, {
      x: [0, whole], y: [0, rows.length], xTicks: range(0, whole, 4).map((x) => Number(x.toFixed(2))),
      xLabel: `bits, of ${shown(whole, 2)} there are to know`,
      label: rows.map(([title, bits]) => `${title}: ${names.map((n, i) => `${n} ${shown(bits[i])} bits`).join(", ")}`).join("; "),
    });
    rows.forEach(([title, bits], i) => {
      const y = rows.length - 1 - i;
      let from = 0;
      bits.forEach((size, j) => {
        draw.bar(from, from + size, y + 0.14, y + 0.55, `mx-part mx-part-${j + 1}`);
        from += size;
      });
      draw.text(0.005 * whole, y + 0.65, title);
    });
  }

  return { shown, curves, nothing, roc, zroc, scatter, areas, parts };
})(MetacogMath);
