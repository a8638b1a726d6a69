/* Measures of a table of counts by rating: d', meta-d', AUROC2, meta-I, z-ROC. No page needed: Node runs it too.
 *
 * Tables are {s1, s2}: counts of the two stimuli over 2K ratings, surest "S1" ... surest "S2". For open answers s1
 * counts wrong and s2 right answers, least confident first, and `decision` is false.
 * The Python package metacog.sdt computes the same; a test holds the two together.
 */
const MetacogMath = (function () {
  "use strict";

  const LN_SQRT_2PI = 0.9189385332046727;
  const LN2 = Math.LN2;

  // ---- the normal distribution -------------------------------------------------------------------------

  const density = (z) => Math.exp(-0.5 * z * z - LN_SQRT_2PI);

  /** Upper-tail area over density (Mills ratio) at z >= 0. */
  function mills(z) {
    if (z < 2.5) {
      // Phi(z) - 1/2 = phi(z) (z + z^3/3 + z^5/15 + ...)
      let term = z;
      let sum = z;
      for (let k = 3; term > 1e-17 * sum; k += 2) {
        term *= (z * z) / k;
        sum += term;
      }
      return 0.5 / density(z) - sum;
    }
    let fraction = z; // Laplace's continued fraction z + 1/(z + 2/(z + ...)), from far down upwards
    for (let k = z < 5 ? 90 : 30; k > 0; k -= 1) { fraction = z + k / fraction; }
    return 1 / fraction;
  }

  /** P(Z > z). */
  function upper(z) {
    if (z === Infinity) { return 0; }
    if (z === -Infinity) { return 1; }
    return z >= 0 ? density(z) * mills(z) : 1 - density(z) * mills(-z);
  }

  const lower = (z) => upper(-z);

  function logUpper(z) {
    return z >= 0 ? Math.log(mills(z)) - 0.5 * z * z - LN_SQRT_2PI : Math.log1p(-upper(-z));
  }

  /** The z whose upper tail has this logarithm; works far below the smallest number. */
  function fromLogUpper(logTail) {
    if (logTail >= 0) { return -Infinity; }
    if (logTail === -Infinity) { return Infinity; }
    if (logTail > -LN2) { return -fromLogUpper(Math.log(-Math.expm1(logTail))); }
    const t = Math.sqrt(-2 * logTail);
    // Abramowitz & Stegun 26.2.23 to begin with, then Newton on the logarithm of the tail
    let z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    z = Math.max(z, 0);
    for (let i = 0; i < 6; i += 1) {
      const step = mills(z) * (logUpper(z) - logTail);
      z = Math.max(z + step, 0);
      if (Math.abs(step) < 1e-14 * (1 + z)) { break; }
    }
    return z;
  }

  /** Inverse of the distribution function. */
  const quantile = (p) => (p < 0.5 ? -fromLogUpper(Math.log(p)) : fromLogUpper(Math.log1p(-p)));

  const sum = (values) => values.reduce((a, b) => a + b, 0);

  // ---- meta-d' -----------------------------------------------------------------------------------------

  const LIMIT = 10; // of meta-d', as in the Python package

  /* One side is the trials of one response, measured outwards from the criterion: `w[stimulus][cell]` are weights,
   * innermost cell first, `mean[stimulus]` the evidence's mean from the criterion. All areas of a stimulus are scaled
   * by exp(max(z0, 0)^2/2), which cancels from every ratio and keeps far tails exact. */

  function areas(mean, cuts) {
    const z0 = -mean;
    const shift = z0 > 0 ? 0.5 * z0 * z0 : 0;
    const borders = [z0, ...cuts.map((u) => u - mean)];
    const phi = borders.map((z) => Math.exp(shift - 0.5 * z * z - LN_SQRT_2PI));
    const tail = borders.map((z, i) => phi[i] * mills(Math.abs(z))); // of the nearer side
    borders.push(Infinity);
    tail.push(0);
    const p = [];
    for (let i = 0; i + 1 < borders.length; i += 1) {
      const [low, high] = [borders[i], borders[i + 1]];
      const area = low >= 0 ? tail[i] - tail[i + 1] : high <= 0 ? tail[i + 1] - tail[i] : 1 - tail[i] - tail[i + 1];
      p.push(Math.max(area, 1e-300));
    }
    return { z: borders, phi, p, total: Math.max(z0 >= 0 ? tail[0] : 1 - tail[0], 1e-300) };
  }

  function sideValue(w, mean, cuts) {
    let value = 0;
    for (let k = 0; k < 2; k += 1) {
      const a = areas(mean[k], cuts);
      const logTotal = Math.log(a.total);
      w[k].forEach((weight, i) => { if (weight > 0) { value += weight * (Math.log(a.p[i]) - logTotal); } });
    }
    return value;
  }

  /** Cuts that would divide one normal distribution as the pooled trials are divided. */
  function firstCuts(w, mean) {
    const both = w[0].map((x, i) => x + w[1][i]);
    const total = sum(both);
    const centre = (mean[0] * sum(w[0]) + mean[1] * sum(w[1])) / total;
    const base = logUpper(-centre);
    let beyond = total;
    const cuts = [];
    for (let i = 0; i + 1 < both.length; i += 1) {
      beyond -= both[i];
      const last = cuts.length ? cuts[cuts.length - 1] : 0;
      cuts.push(Math.max(centre + fromLogUpper(Math.log(beyond / total) + base), last + 1e-6));
    }
    return cuts;
  }

  function solveTridiagonal(diagonal, off, right) {
    const n = diagonal.length;
    const d = diagonal.slice();
    const x = right.slice();
    for (let i = 1; i < n; i += 1) {
      const factor = off[i - 1] / d[i - 1];
      d[i] -= factor * off[i - 1];
      x[i] -= factor * x[i - 1];
    }
    for (let i = n - 1; i >= 0; i -= 1) {
      x[i] = (x[i] - (i + 1 < n ? off[i] * x[i + 1] : 0)) / d[i];
    }
    return x;
  }

  /** Best cuts of one side at given means: concave, so damped Newton finds them. */
  function bestCuts(w, mean) {
    if (w[0].length < 2) { return { value: sideValue(w, mean, []), cuts: [] }; }
    let cuts = firstCuts(w, mean);
    let value = sideValue(w, mean, cuts);
    for (let pass = 0; pass < 60; pass += 1) {
      const n = cuts.length;
      const gradient = new Array(n).fill(0);
      const diagonal = new Array(n).fill(0);
      const off = new Array(n).fill(0);
      for (let k = 0; k < 2; k += 1) {
        const a = areas(mean[k], cuts);
        for (let j = 0; j < n; j += 1) { // the border between cells j and j + 1
          const [inner, outer] = [w[k][j] / a.p[j], w[k][j + 1] / a.p[j + 1]];
          const phi = a.phi[j + 1];
          gradient[j] += phi * (inner - outer);
          diagonal[j] += a.z[j + 1] * phi * (inner - outer) + phi * phi * (inner / a.p[j] + outer / a.p[j + 1]);
          if (j + 1 < n) { off[j] -= (outer / a.p[j + 1]) * phi * a.phi[j + 2]; }
        }
      }
      const step = solveTridiagonal(diagonal, off, gradient);
      if (!step.every(Number.isFinite)) { break; }
      let scale = 1; // a step uses up at most nine tenths of any gap
      for (let j = 0; j < n; j += 1) {
        const gap = cuts[j] - (j ? cuts[j - 1] : 0);
        const change = step[j] - (j ? step[j - 1] : 0);
        if (change < 0) { scale = Math.min(scale, (0.9 * gap) / -change); }
      }
      let moved = cuts.map((u, j) => u + scale * step[j]);
      let next = sideValue(w, mean, moved);
      while (!(next >= value - 1e-14 * Math.abs(value)) && scale > 1e-12) {
        scale *= 0.25;
        moved = cuts.map((u, j) => u + scale * step[j]); // eslint-disable-line no-loop-func
        next = sideValue(w, mean, moved);
      }
      if (scale <= 1e-12) { break; }
      cuts = moved;
      value = next;
      if (Math.max(...step.map(Math.abs)) * scale < 1e-9) { break; }
    }
    return { value, cuts };
  }

  /** Hit rate, false-alarm rate, d' and c of the cut between the two halves of a table. */
  function type1(s1, s2) {
    const k = s1.length / 2;
    const zFalse = quantile(sum(s1.slice(k)) / sum(s1));
    const zHit = quantile(sum(s2.slice(k)) / sum(s2));
    return { zFalse, zHit, dPrime: zHit - zFalse, c: -(zHit + zFalse) / 2 };
  }

  /**
   * Maximum-likelihood meta-d' (Maniscalco & Lau 2012, equal variance): ratings given stimulus and response follow
   * normal distributions at -meta-d'/2 and meta-d'/2, with the criterion ratio meta-c/meta-d' held at c/d'.
   *
   * Given meta-d', the cuts of the two sides are found by Newton's method; meta-d' is searched from -10 to 10 and the
   * highest maximum refined. `why` says what is missing where there is no estimate.
   */
  function fitMetaD(s1, s2) {
    const k = s1.length / 2;
    const one = type1(s1, s2);
    const missing = (why) => ({ ...one, metaD: NaN, mRatio: NaN, metaC: NaN, cutsLow: [], cutsHigh: [], why });
    if (!(sum(s1) > 0) || !(sum(s2) > 0)) { return missing("one of the two classes has no trials"); }
    if (!Number.isFinite(one.dPrime)) { return missing("a hit or false-alarm rate is 0 or 1, so d' is infinite"); }
    if (Math.abs(one.dPrime) < 1e-10) { return missing("d' is 0, so there is nothing to compare meta-d' with"); }
    const ratio = one.c / one.dPrime;
    const total = sum(s1) + sum(s2);
    const sides = [1, -1].map((sign) => {
      const outwards = (s) => (sign > 0 ? s.slice(k) : s.slice(0, k).reverse());
      const all = [outwards(s1), outwards(s2)];
      const used = all[0].map((x, i) => x + all[1][i] > 0); // a rating that nobody gave has no area
      return { sign, used, w: all.map((s) => s.filter((_, i) => used[i]).map((x) => x / total)) };
    });
    if (sides.every((side) => side.w[0].length < 2)) { return missing("only one rating was given on either side"); }
    const solve = (metaD) => {
      const found = sides.map(({ sign, w }) => (w[0].length
        ? bestCuts(w, [-1, 1].map((stimulus) => sign * metaD * (stimulus / 2 - ratio)))
        : { value: 0, cuts: [] }));
      return { value: found[0].value + found[1].value, found };
    };
    const best = highest((metaD) => solve(metaD).value, -LIMIT, LIMIT, 81);
    const metaC = best * ratio;
    const cuts = solve(best).found.map((side, i) => withUnused(side.cuts, sides[i].used));
    return {
      ...one,
      metaD: best,
      mRatio: best / one.dPrime,
      metaC,
      cutsLow: cuts[1].map((u) => metaC - u).reverse(),
      cutsHigh: cuts[0].map((u) => metaC + u),
      why: Math.abs(best) > LIMIT - 1e-6 ? "meta-d' runs to the limit of 10" : "",
    };
  }

  /** Cuts of all ratings of a side: unused ratings have none of their own and lie on their neighbour's. */
  function withUnused(cuts, used) {
    const all = [];
    let seen = 0;
    for (let i = 0; i + 1 < used.length; i += 1) {
      if (used[i]) { seen += 1; }
      all.push(seen === 0 ? 0 : seen <= cuts.length ? cuts[seen - 1] : Infinity);
    }
    return all;
  }

  /** Where a function is highest: a grid first, then golden section around the grid's best. */
  function highest(f, from, to, points) {
    const step = (to - from) / (points - 1);
    let [best, top] = [from, -Infinity];
    for (let i = 0; i < points; i += 1) {
      const value = f(from + i * step);
      if (value > top) { [best, top] = [from + i * step, value]; }
    }
    const golden = (Math.sqrt(5) - 1) / 2;
    let [a, b] = [Math.max(from, best - step), Math.min(to, best + step)];
    let [x1, x2] = [b - golden * (b - a), a + golden * (b - a)];
    let [f1, f2] = [f(x1), f(x2)];
    while (b - a > 1e-8) {
      if (f1 < f2) {
        [a, x1, f1] = [x1, x2, f2];
        x2 = a + golden * (b - a);
        f2 = f(x2);
      } else {
        [b, x2, f2] = [x2, x1, f1];
        x1 = b - golden * (b - a);
        f1 = f(x1);
      }
    }
    return (a + b) / 2;
  }

  // ---- wrong and right answers by rating -----------------------------------------------------------------

  /** Two-choice counts folded into wrong and right answers by confidence, lowest first. */
  function fold(s1, s2) {
    const k = s1.length / 2;
    const levels = Array.from({ length: k }, (_, i) => i);
    return {
      wrong: levels.map((i) => s1[k + i] + s2[k - 1 - i]),
      right: levels.map((i) => s2[k + i] + s1[k - 1 - i]),
    };
  }

  function auroc2(wrong, right) {
    let below = 0;
    let wins = 0;
    wrong.forEach((x, i) => {
      wins += right[i] * (below + x / 2);
      below += x;
    });
    return wins / (sum(wrong) * sum(right));
  }

  /** Points of the type-2 ROC from (0, 0) to (1, 1), strictest level first. */
  function type2Roc(wrong, right) {
    const [n0, n1] = [sum(wrong), sum(right)];
    const points = [[0, 0]];
    let [x, y] = [0, 0];
    for (let i = wrong.length - 1; i >= 0; i -= 1) {
      x += wrong[i] / n0;
      y += right[i] / n1;
      points.push([x, y]);
    }
    return points;
  }

  const xlogx = (x) => (x > 0 ? x * Math.log(x) : 0);

  /** Entropy in bits of something with this probability. */
  const entropy = (p) => -(xlogx(p) + xlogx(1 - p)) / LN2;

  /** Plug-in I(right; rating) in bits. */
  function metaI(wrong, right) {
    const [n0, n1] = [sum(wrong), sum(right)];
    const n = n0 + n1;
    const cells = sum(wrong.map((x, i) => xlogx(x) + xlogx(right[i]) - xlogx(x + right[i])));
    return Math.max((cells + xlogx(n) - xlogx(n0) - xlogx(n1)) / (n * LN2), 0);
  }

  /** Mean of metaI over all re-pairings of ratings and answers, for whole counts: each cell is hypergeometric. */
  function chanceMetaI(wrong, right) {
    const [n0, n1] = [sum(wrong), sum(right)];
    const n = n0 + n1;
    const logFactorial = new Float64Array(n + 1);
    for (let i = 2; i <= n; i += 1) { logFactorial[i] = logFactorial[i - 1] + Math.log(i); }
    const logChoose = (a, b) => logFactorial[a] - logFactorial[b] - logFactorial[a - b];
    const whole = logChoose(n, n1);
    let cells = 0;
    wrong.forEach((x, i) => {
      const size = x + right[i];
      let [mean, chances] = [0, 0]; // divided by their sum: logarithms of large factorials are a little off, all alike
      for (let j = Math.max(0, size - n0); j <= Math.min(size, n1); j += 1) {
        const chance = Math.exp(logChoose(size, j) + logChoose(n - size, n1 - j) - whole);
        mean += chance * (xlogx(j) + xlogx(size - j) - xlogx(size));
        chances += chance;
      }
      cells += mean / chances;
    });
    return (cells + xlogx(n) - xlogx(n0) - xlogx(n1)) / (n * LN2);
  }

  /** Points of the z-ROC with the line of least squares; rates are kept off 0 and 1 by `clip`, as in Python. */
  function zRoc(s1, s2, clip = 1e-4) {
    const [n1, n2] = [sum(s1), sum(s2)];
    const points = [];
    let [x, y] = [0, 0];
    for (let i = s1.length - 1; i > 0; i -= 1) {
      x += s1[i] / n1;
      y += s2[i] / n2;
      points.push([x, y].map((p) => quantile(Math.min(Math.max(p, clip), 1 - clip))));
    }
    const [mx, my] = [0, 1].map((j) => sum(points.map((p) => p[j])) / points.length);
    const sxx = sum(points.map((p) => (p[0] - mx) ** 2));
    const slope = sxx > 0 ? sum(points.map((p) => (p[0] - mx) * (p[1] - my))) / sxx : NaN;
    return { points, slope, intercept: my - slope * mx };
  }

  /**
   * Everything the page shows of one table.
   *
   * table: {s1, s2, decision, pad, expected}. `pad` is added to every count before d' and meta-d' are computed;
   * `expected` says that the counts are probabilities times a large number, which chance does not inflate, so that
   * nothing is taken off meta-I.
   */
  function measures(table) {
    const { s1, s2, decision } = table;
    const pad = table.pad || 0;
    const { wrong, right } = decision ? fold(s1, s2) : { wrong: s1.slice(), right: s2.slice() };
    const n = sum(wrong) + sum(right);
    const accuracy = sum(right) / n;
    const bits = entropy(accuracy);
    const plugin = metaI(wrong, right);
    const both = sum(wrong) > 0 && sum(right) > 0;
    const fit = fitMetaD(s1.map((x) => x + pad), s2.map((x) => x + pad));
    const known = both ? plugin - (table.expected ? 0 : chanceMetaI(wrong, right)) : NaN;
    return {
      n,
      wrong,
      right,
      accuracy,
      entropy: bits,
      dPrime: fit.dPrime,
      c: fit.c,
      metaD: fit.metaD,
      mRatio: fit.mRatio,
      auroc2: both ? auroc2(wrong, right) : NaN,
      metaI: known,
      metaI2r: known / bits,
      roc: both ? type2Roc(wrong, right) : [],
      zroc: sum(s1) > 0 && sum(s2) > 0 ? zRoc(s1, s2) : { points: [], slope: NaN, intercept: NaN },
      fit,
    };
  }

  return {
    density, upper, lower, quantile, entropy, sum, type1, fitMetaD, fold, auroc2, type2Roc, metaI, chanceMetaI, zRoc,
    measures,
  };
})();

if (typeof module !== "undefined") { module.exports = MetacogMath; }
