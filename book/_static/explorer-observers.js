/* Observers of the explorers: from the sliders to expected counts, and three shares to AUROC2 and bits. No page needed.
 *
 * A state of the first explorer is {observer, d, c, metaD, noise, spread, base, ratings, cuts, spacing}:
 *   observer "meta":  two choices with d' and c; ratings follow meta-d' (Maniscalco & Lau 2012)
 *            "noise": two choices; confidence reads the evidence of the decision through extra noise
 *            "open":  no choice; confidence of wrong and of right answers, `spread` being the sd of the latter over
 *                     that of the former, d their distance in units of the root-mean-square sd
 *   base: share of S2 stimuli, or of right answers. ratings: for each response (half of all for open answers).
 *   cuts: "even" (`spacing` apart), or "equal": every rating is given equally often, which for open answers puts the
 *         middle cut at the median, whatever c says.
 */
const MetacogObservers = (function (M) {
  "use strict";

  const MANY = 1e6; // expected counts are probabilities times this

  // ---- the first explorer --------------------------------------------------------------------------------

  /** Root of a function that falls through 0 as its argument grows from 0: regula falsi with halving (Illinois). */
  function falling(f) {
    let [a, b] = [0, 1];
    let [fa, fb] = [f(a), f(b)];
    while (fb > 0 && b < 1e3) { [a, fa, b] = [b, fb, 2 * b]; fb = f(b); }
    let side = 0;
    for (let i = 0; i < 100 && b - a > 1e-11; i += 1) {
      const x = (a * fb - b * fa) / (fb - fa);
      const value = f(x);
      if (Math.abs(value) < 1e-14) { return x; }
      if (value > 0) {
        [a, fa] = [x, value];
        if (side > 0) { fb /= 2; }
        side = 1;
      } else {
        [b, fb] = [x, value];
        if (side < 0) { fa /= 2; }
        side = -1;
      }
    }
    return (a * fb - b * fa) / (fb - fa);
  }

  /** Means and sds of the two classes, and the cut between the two halves of the ratings. */
  function evidence(state) {
    const open = state.observer === "open";
    const sd = [1, open ? state.spread : 1];
    const distance = state.d * Math.sqrt((sd[0] ** 2 + sd[1] ** 2) / 2);
    const mean = [-distance / 2, distance / 2];
    const weight = [1 - state.base, state.base];
    let { c } = state;
    if (open && state.cuts === "equal") {
      const above = (x) => M.sum([0, 1].map((k) => weight[k] * M.upper((x - mean[k]) / sd[k])));
      const low = Math.min(...mean) - 8 * Math.max(...sd);
      c = low + falling((x) => above(low + x) - 0.5);
    }
    return { mean, sd, weight, c };
  }

  /** P(response on this side and confidence farther out than u | class), u from the criterion outwards. */
  function beyond(state, world, side, k, u) {
    const centre = side * (world.mean[k] - world.c);
    if (state.observer === "meta") {
      const meta = side * (k - 0.5 - state.c / state.d) * state.metaD;
      return M.lower(centre) * conditional(u, meta);
    }
    if (state.observer === "noise" && state.noise > 0 && u > 0) { return noisy(centre, u, state.noise); }
    return M.upper((u - centre) / world.sd[k]);
  }

  /** P(x > u | x > 0) of a normal distribution with sd 1 around `mean`, far into either tail. */
  function conditional(u, mean) {
    const whole = M.upper(-mean);
    return whole > 1e-290 ? M.upper(u - mean) / whole : Math.exp(-u * (u / 2 - mean));
  }

  /** P(x > 0 and x + noise e > u), x normal around `mean`, e standard normal: Simpson's rule over e. */
  function noisy(mean, u, noise) {
    const top = Math.min(u / noise, 9); // above it, the response alone decides
    const steps = 300;
    const h = (top + 9) / steps;
    let total = 0;
    for (let i = 0; i <= steps; i += 1) {
      const e = -9 + i * h;
      total += (i === 0 || i === steps ? 1 : i % 2 ? 4 : 2) * M.density(e) * M.lower(mean - u + noise * e);
    }
    return (total * h) / 3 + M.upper(top) * M.lower(mean);
  }

  /** Cuts of one side, from the criterion outwards. */
  function cutsOf(state, world, side) {
    const many = Array.from({ length: state.ratings - 1 }, (_, j) => j + 1);
    if (state.cuts === "even") { return many.map((j) => j * state.spacing); }
    const mass = (u) => M.sum([0, 1].map((k) => world.weight[k] * beyond(state, world, side, k, u)));
    const whole = mass(0);
    return many.map((j) => falling((u) => mass(u) - (1 - j / state.ratings) * whole));
  }

  /** The table that many trials of an observer would give, with where its curves and cuts lie. */
  function expected(state) {
    const world = evidence(state);
    const outwards = [-1, 1].map((side) => cutsOf(state, world, side));
    const counts = [0, 1].map((k) => {
      const sides = [-1, 1].map((side, i) => {
        const ladder = [0, ...outwards[i]].map((u) => beyond(state, world, side, k, u)).concat(0);
        return ladder.slice(0, -1).map((x, j) => Math.max(x - ladder[j + 1], 0));
      });
      return [...sides[0].reverse(), ...sides[1]].map((p) => p * world.weight[k] * MANY);
    });
    return {
      table: { s1: counts[0], s2: counts[1], decision: state.observer !== "open", pad: 0, expected: true },
      world,
      cuts: [...outwards[0].map((u) => world.c - u).reverse(), ...outwards[1].map((u) => world.c + u)],
    };
  }

  const START = {
    observer: "meta", d: 1.5, c: 0, metaD: 1.2, noise: 1, spread: 1.5, base: 0.5, ratings: 4, cuts: "equal", spacing: 0.5,
  };

  /** Pairs of observers that the page's text sets up: one held for comparison, one to move. */
  const TRIES = {
    knowledge: [{ metaD: 1.5 }, { metaD: 0.75 }],
    questions: [
      { observer: "open", d: 1.4, spread: 1.6, base: 0.25 },
      { observer: "open", d: 1.4, spread: 1.6, base: 0.75 },
    ],
    criterion: [
      { observer: "noise", noise: 1.5, c: 0 },
      { observer: "noise", noise: 1.5, c: 1.2 },
    ],
    skill: [{ d: 1, metaD: 0.8 }, { d: 2.5, metaD: 2 }],
    stimuli: [{ base: 0.5 }, { base: 0.9, c: 0 }],
    ratings: [{ ratings: 6 }, { ratings: 2 }],
  };

  const tried = (name) => TRIES[name].map((changed) => ({ ...START, ...changed }));

  // ---- the second explorer -------------------------------------------------------------------------------

  /* An answer is right where z = sqrt(D) u + sqrt(S) v + sqrt(L) l + sqrt(1 - D - S - L) e exceeds a threshold; all
   * letters on the right are independent and standard normal. u is the difficulty that all models meet, v what this
   * model alone knows of the question, l the luck of this draw; nothing foretells e. The confidence of a draw is
   * sqrt(D) u + sqrt(S) v + sqrt(L) l; without luck it lacks the last term. Other models have a v of their own. */

  const GRID = Array.from({ length: 1201 }, (_, i) => -7.5 + i * 0.0125);

  /** P(right) given a standard normal signal whose squared correlation with z is r2. */
  const chance = (signal, r2, threshold) => M.lower((Math.sqrt(r2) * signal - threshold) / Math.sqrt(1 - r2));

  /** AUROC2 of such a signal. */
  function area(r2, threshold) {
    if (!(r2 > 0)) { return 0.5; }
    let [wrong, right, wins] = [0, 0, 0];
    GRID.forEach((g) => {
      const p = chance(g, r2, threshold);
      const [w, r] = [M.density(g) * (1 - p), M.density(g) * p];
      wins += r * (wrong + w / 2);
      wrong += w;
      right += r;
    });
    return wins / (wrong * right);
  }

  /** Uncertainty in bits that such a signal leaves. */
  function left(r2, threshold) {
    const h = GRID[1] - GRID[0];
    return M.sum(GRID.map((g) => M.density(g) * M.entropy(chance(g, r2, threshold)))) * h;
  }

  const MOST = 0.98; // of the three shares together

  const LUCK_START = { difficulty: 0.3, state: 0.1, draw: 0.25, accuracy: 0.5, others: 1 };

  /** What the text of the page sets up, each over LUCK_START. */
  const LUCK_TRIES = {
    hot: { difficulty: 0.2, state: 0.05, draw: 0.55 },
    cold: { difficulty: 0.2, state: 0.05, draw: 0 },
    nobody: { difficulty: 0.5, state: 0, draw: 0 },
    bound: { difficulty: 0.3, state: 0.3, draw: 0, others: 1 },
    many: { difficulty: 0.3, state: 0.3, draw: 0, others: 32 },
  };

  /**
   * What confidence is worth in four ways, and the parts of its information.
   *
   * shares: {difficulty, state, draw, accuracy, others}; `others` is how many other models stand for the difficulty.
   * `parts` are I(right; u), I(right; v | u) and I(right; l | u, v) in bits; `read` the same with the mean confidence
   * of the other models in place of u, which is all that data have.
   */
  function luck({ difficulty, state, draw, accuracy, others }) {
    const threshold = -M.quantile(accuracy);
    const own = difficulty + state;
    const known = own + draw;
    const seen = difficulty > 0 ? difficulty ** 2 / (difficulty + state / others) : 0; // by the others
    const whole = M.entropy(accuracy);
    const [byDifficulty, byOwn, byDraw, byOthers] = [difficulty, own, known, seen].map((r2) => left(r2, threshold));
    return {
      ownDraw: area(known, threshold),
      anotherDraw: area(known > 0 ? own ** 2 / known : 0, threshold),
      question: area(own, threshold), // the mean of many draws
      others: area(seen, threshold),
      entropy: whole,
      parts: [whole - byDifficulty, byDifficulty - byOwn, byOwn - byDraw],
      read: [whole - byOthers, byOthers - byOwn, byOwn - byDraw],
    };
  }

  /** A small generator with a seed (mulberry32): the same items whenever the page is opened. */
  function generator(seed) {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  /** Fixed luck of so many questions; sliders only weigh it, so that points move instead of jumping. */
  function questions(n, seed = 7) {
    const uniform = generator(seed);
    const normal = () => M.quantile(uniform() * (1 - 2e-9) + 1e-9);
    return Array.from({ length: n }, () => ({
      u: normal(), v: normal(), l: normal(), e: normal(), anotherL: normal(), otherV: normal(),
    }));
  }

  /** Each question under these shares: whether the draw is right, and three confidences. */
  function items(asked, { difficulty, state, draw, accuracy, others }) {
    const [a, b, c] = [difficulty, state, draw].map(Math.sqrt);
    const rest = Math.sqrt(Math.max(1 - difficulty - state - draw, 0));
    const threshold = -M.quantile(accuracy);
    return asked.map((q) => ({
      right: a * q.u + b * q.v + c * q.l + rest * q.e > threshold,
      ownDraw: a * q.u + b * q.v + c * q.l,
      anotherDraw: a * q.u + b * q.v + c * q.anotherL,
      others: a * q.u + (b * q.otherV) / Math.sqrt(others),
    }));
  }

  return {
    START, TRIES, MANY, expected, tried, LUCK_START, LUCK_TRIES, MOST, luck, questions, items,
  };
})(typeof MetacogMath === "undefined" ? require("./explorer-math.js") : MetacogMath);

if (typeof module !== "undefined") { module.exports = MetacogObservers; }
