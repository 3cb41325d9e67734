"use strict";
// The page of `fairyproof serve`. Its address contains rule set, position and line, so it can be kept and
// sent. Rules, values and notation come from the server.

const $ = (id) => document.getElementById(id);
const state = { variant: "", fen: "", line: [] };
let view = null; // the position that is shown, as the server describes it
let redo = []; // turns taken back
let chosen = []; // steps of an unfinished turn
let from = ""; // the square of the selected unit
let focus = ""; // the square that arrow keys move from
let draft = null; // an edited FEN that is not a legal position yet, with its squares
let placing = null; // the unit to place, "" to clear a square; null: playing
let job = 0; // number of the running job
let newest = 0; // number of the newest request for a position: older answers are dropped
let ruled = ""; // the rule set whose rules are shown

async function ask(path, values, post) {
  const options = post
    ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) }
    : {};
  const query = post ? "" : "?" + new URLSearchParams(values);
  const reply = await fetch(path + query, options);
  const answer = await reply.json();
  if (!reply.ok) {
    const error = new Error(answer.help ? `${answer.error} (${answer.help})` : answer.error);
    error.turn = answer.turn;
    throw error;
  }
  return answer;
}

function element(name, attributes, ...inner) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null) made.setAttribute(key, value);
  }
  made.append(...inner);
  return made;
}

const fail = (error) => { $("error").textContent = error.message; };

// ---- the address

function read() {
  const values = new URLSearchParams(location.search);
  state.variant = values.get("variant") || "fide";
  state.fen = values.get("fen") || "";
  state.line = (values.get("line") || "").split(",").filter(Boolean);
}

function address() {
  const values = new URLSearchParams({ variant: state.variant });
  if (state.fen) values.set("fen", state.fen);
  if (state.line.length) values.set("line", state.line.join(","));
  return "?" + values;
}

/// Shows another position and adds it to the history.
async function go(change, keepRedo) {
  const before = { ...state };
  Object.assign(state, change);
  if (await show()) {
    if (!keepRedo) redo = [];
    history.pushState(null, "", address());
    return true;
  }
  Object.assign(state, before);
  return false;
}

const play = (turn) => go({ line: [...state.line, turn] });

// ---- the position

const VALUES = {
  win: ["▲", "W"], "weak-win": ["△", "w"], draw: ["●", "D"],
  "weak-loss": ["▽", "l"], loss: ["▼", "L"], unknown: ["", "?"],
};

function value(of) {
  const [shape, letter] = VALUES[of.category];
  const plies = of.dtm === null ? "" : ` ${of.dtm}`;
  const words = of.category + (of.dtm === null ? "" : ` in ${of.dtm} plies`);
  return element("span", { class: `v ${of.category}`, title: words, "aria-label": words }, `${shape} ${letter}${plies}`);
}

async function show(failed = fail) {
  const number = ++newest;
  let answer;
  try {
    answer = await ask("/api/position", { variant: state.variant, fen: state.fen, line: state.line.join(",") });
  } catch (error) {
    failed(error);
    return false;
  }
  if (number !== newest) return false;
  view = answer;
  view.turns = view.moves.map((move) => ({ ...move, steps: steps(move.uci) }));
  chosen = [];
  from = "";
  $("error").textContent = "";
  draw();
  return true;
}

/// Shows the position of the address. Where a turn is illegal, the board before it is shown with the
/// error; where the position is not legal, the start position.
async function showAddress() {
  let wrong = null;
  if (await show((error) => { wrong = error; })) return;
  if (!wrong) return;
  if (wrong.turn) state.line = state.line.slice(0, wrong.turn - 1);
  else [state.fen, state.line] = ["", []];
  if (await show()) fail(wrong);
}

async function showRules() {
  ruled = view.variant;
  $("whole").href = "/rules?" + new URLSearchParams({ variant: view.variant });
  try {
    const rules = await ask("/api/rules", { variant: view.variant });
    if (ruled === view.variant) $("summary").innerHTML = rules.html;
  } catch (error) {
    fail(error);
  }
}

function draw() {
  const over = view.outcome !== "ongoing";
  if (ruled !== view.variant) showRules();
  document.title = `${view.name}: ${over ? view.outcome : (view.side === "w" ? "White" : "Black") + " to move"}`;
  if ($("variant").value !== view.variant) choose($("variant"), view.variant);
  const held = $("board").contains(document.activeElement);
  $("board").innerHTML = view.svg;
  for (const square of document.querySelectorAll("#board .s")) {
    square.addEventListener("click", () => click(square.dataset.s));
  }
  const first = $("board").querySelector(".s");
  if (!focus || !square(focus)) focus = first.dataset.s;
  square(focus).setAttribute("tabindex", "0");
  if (held) square(focus).focus();
  draft = null;
  $("fen").value = view.fen;
  $("undo").disabled = $("start").disabled = state.line.length === 0;
  $("redo").disabled = redo.length === 0;
  $("table").hidden = view.table !== null || view.source === "table";
  $("graph").hidden = over;
  $("limit").textContent = over ? "" : (view.table === null ? "" : `No table here: ${view.table}. `) + "Graphs of up to 500,000 positions are solved here, problems for up to 120 seconds.";
  $("signature").textContent = `Material: ${view.signature}` + (view.source && !over ? `; value from a ${view.source}` : "");
  // The outcome of an ended game is its only result: a value for the side to move would contradict it.
  const side = `${view.side === "w" ? "White" : "Black"} to move${view.check ? ", in check" : ""}: `;
  $("value").replaceChildren(...(over ? [view.outcome] : [side, value(view)]));
  $("count").textContent = `(${view.moves.length})`;
  $("moves").replaceChildren(...view.moves.map((move) =>
    element("li", {}, element("button", { type: "button", "data-turn": move.uci, onclick: () => play(move.uci) }, move.uci, value(move)))));
  $("line").replaceChildren(...state.line.map((turn, i) =>
    element("li", {}, element("button", { type: "button", onclick: () => back(i + 1) }, turn))));
  $("palette").hidden = placing === null;
  $("edit").setAttribute("aria-pressed", String(placing !== null));
  if (placing !== null) palette();
  marks();
  evaluate();
}

const square = (name) => document.getElementById("s-" + name);

// ---- turns by clicking

/// Returns the turns that begin with the chosen steps.
const open = () => view.turns.filter((turn) => chosen.every((step, i) => turn.steps[i] === step));

/// Returns the steps of a turn in coordinate notation. A `+` joins steps; after the squares of a step, at
/// the end or before another `+`, it promotes.
function steps(uci) {
  return uci.match(/\+?[A-Za-z]@[a-p]\d+|[a-p]\d+[a-p]\d+(?:[a-z+-](?=\+|$))?/g);
}

function parsed(step) {
  const placed = /^(\+?.)@([a-p]\d+)$/.exec(step);
  if (placed) return { to: placed[2], letter: placed[1], from: "" };
  const [, a, b, letter] = /^([a-p]\d+)([a-p]\d+)(.?)$/.exec(step);
  return { from: a, to: b, letter };
}

/// Returns the label of a step among several between the same squares.
function choice(step) {
  if (!step.from) return `place ${step.letter}`;
  const signs = { "": "stays what it is", "+": "promotes", "-": "turns back" };
  return signs[step.letter] ?? `becomes ${step.letter.toUpperCase()}`;
}

/// The next steps, each once.
function next() {
  const steps = new Set(open().map((turn) => turn.steps[chosen.length]).filter(Boolean));
  return [...steps].map((step) => ({ step, ...parsed(step) }));
}

function marks() {
  for (const square of document.querySelectorAll("#board .s")) square.classList.remove("from", "to");
  if (placing !== null) {
    $("hint").textContent = "Choose a unit below, then its squares.";
    $("choices").hidden = true;
    return;
  }
  if (from) square(from)?.classList.add("from");
  const steps = next().filter((step) => step.from === from);
  if (from || chosen.length) for (const step of steps) square(step.to)?.classList.add("to");
  const begun = chosen.map((step) => `${step} + `).join("");
  $("hint").textContent = from ? `${begun}${from}: choose where to` : begun ? `${begun}…` : "";
  const whole = open().find((turn) => turn.steps.length === chosen.length);
  if (chosen.length && whole) offer([["end the turn here", () => play(whole.uci)]]);
  else $("choices").hidden = true;
}

function offer(choices) {
  $("choices").replaceChildren(...choices.map(([text, act]) => element("button", { type: "button", onclick: () => { $("choices").hidden = true; act(); } }, text)));
  $("choices").hidden = false;
}

function take(step) {
  chosen.push(step);
  from = "";
  const left = open();
  if (left.length === 1 && left[0].steps.length === chosen.length) {
    play(left[0].uci);
  } else {
    // If only one unit can continue the turn, it is selected already.
    const units = new Set(next().map((step) => step.from));
    if (units.size === 1) [from] = units;
    marks();
  }
}

function click(name) {
  focus = name;
  for (const s of document.querySelectorAll("#board .s[tabindex='0']")) s.setAttribute("tabindex", "-1");
  square(name).setAttribute("tabindex", "0");
  if (placing !== null) return place(name);
  const steps = next();
  const there = steps.filter((step) => step.to === name && step.from === from);
  if (there.length === 1) return take(there[0].step);
  if (there.length > 1) {
    marks();
    offer(there.map((step) => [choice(step), () => take(step.step)]));
    $("choices").querySelector("button").focus();
    return;
  }
  if (steps.some((step) => step.from === name)) from = name;
  else { from = ""; chosen = []; }
  marks();
}

$("board").addEventListener("keydown", (event) => {
  const at = square(focus);
  if (!at || !event.target.classList.contains("s")) return;
  const file = focus.charCodeAt(0) - 97, rank = Number(focus.slice(1));
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    const name = focus;
    click(name);
    if ($("choices").hidden) square(focus)?.focus();
  } else if (event.key === "Escape") {
    from = ""; chosen = []; marks();
  } else if (move) {
    event.preventDefault();
    // Holes are skipped.
    for (let n = 1; n <= 16; n++) {
      const name = String.fromCharCode(97 + file + n * move[0]) + (rank + n * move[1]);
      if (!square(name)) continue;
      at.setAttribute("tabindex", "-1");
      focus = name;
      square(name).setAttribute("tabindex", "0");
      square(name).focus();
      break;
    }
  }
});

// ---- back and forward

function back(length) {
  redo.push(...state.line.slice(length).reverse());
  return go({ line: state.line.slice(0, length) }, true);
}

$("undo").addEventListener("click", () => {
  redo.push(state.line[state.line.length - 1]);
  go({ line: state.line.slice(0, -1) }, true);
});
$("redo").addEventListener("click", () => {
  const turn = redo.pop();
  if (turn) go({ line: [...state.line, turn] }, true);
});
$("start").addEventListener("click", () => {
  redo.push(...state.line.slice().reverse());
  go({ line: [] }, true);
});

// ---- placing units

/// Returns the reference to the symbol of a unit, given its letter in upper case.
function symbol(letter) {
  return "#u-" + (view.drawn_as_letters.includes(letter) ? letter.toLowerCase() : letter);
}

/// Returns a small picture of a unit.
function figure(letter) {
  const make = (name, is) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(is)) made.setAttribute(key, value);
    return made;
  };
  const svg = make("svg", { class: "fp", viewBox: "0 0 45 45", "aria-hidden": "true" });
  svg.append(make("use", { class: letter === letter.toUpperCase() ? "w" : "b", href: symbol(letter.toUpperCase()) }));
  return svg;
}

function palette() {
  const units = [...view.units, ...view.units.toLowerCase()];
  const button = (unit, text, label) => element("button", { type: "button", "aria-pressed": String(placing === unit), "aria-label": label, "data-unit": unit, onclick: () => { placing = unit; palette(); $("palette").querySelector("[aria-pressed=true]").focus(); } }, text);
  $("palette").replaceChildren(
    ...units.map((unit) => button(unit, figure(unit), (unit === unit.toUpperCase() ? "White " : "Black ") + unit.toUpperCase())),
    button("", "✕", "clear a square"),
    element("button", { type: "button", id: "turnover", "aria-label": "the other side to move", onclick: () => edit({ change: "side" }) }, "w/b"),
    element("button", { type: "button", id: "clear", "aria-label": "clear the board except for kings", onclick: () => edit({ change: "clear" }) }, "⌫"));
}

/// Changes the position that is shown. A position that is not legal yet is kept as a draft.
async function edit(change) {
  const fen = draft ? draft.fen : view.fen;
  let edited;
  try {
    edited = await ask("/api/edit", { variant: state.variant, fen, ...change });
  } catch (error) {
    fail(error);
    return;
  }
  if (!edited.error && await go({ fen: edited.fen, line: [] })) return;
  draft = edited;
  $("fen").value = edited.fen;
  $("error").textContent = `Not a position yet: ${edited.error}`;
  for (const unit of $("board").querySelectorAll("svg > use")) unit.remove();
  for (const { square: name, unit: letter, side } of edited.squares) {
    const at = square(name);
    const unit = document.createElementNS("http://www.w3.org/2000/svg", "use");
    const is = { class: side, href: symbol(letter.replace("+", "")), x: at.getAttribute("x"), y: at.getAttribute("y") };
    for (const [key, value] of Object.entries(is)) unit.setAttribute(key, value);
    $("board").firstElementChild.append(unit);
  }
}

const place = (name) => edit({ change: "put", square: name, unit: placing });

$("edit").addEventListener("click", () => { placing = placing === null ? view.units[0] : null; draw(); });
$("fenform").addEventListener("submit", (event) => { event.preventDefault(); go({ fen: $("fen").value.trim(), line: [] }); });
$("variant").addEventListener("change", () => go({ variant: $("variant").value, fen: "", line: [] }));

// ---- work

const here = () => ({ variant: state.variant, fen: view.fen });

async function work(path, values, done) {
  $("error").textContent = "";
  $("result").replaceChildren();
  try {
    let shown = await ask(path, values, true);
    job = shown.job;
    $("cancel").hidden = false;
    $("cancel").scrollIntoView({ block: "nearest" });
    while (shown.state === "running") {
      $("progress").textContent = `${shown.done}${shown.of ? " of " + shown.of : ""} …`;
      // The server waits for the end of the job. Timers of hidden pages may be too slow: the server
      // cancels a job that is not requested for 15 seconds.
      shown = await ask("/api/job", { job: shown.job, wait: document.hidden ? 5000 : 300 });
    }
    $("progress").textContent = shown.state;
    if (shown.state === "done") await done(shown.result);
    if (shown.state === "failed") throw new Error(shown.error);
  } catch (error) {
    fail(error);
  } finally {
    job = 0;
    $("cancel").hidden = true;
  }
}

$("cancel").addEventListener("click", () => { if (job) ask("/api/cancel", { job }, true).catch(fail); });

$("solve").addEventListener("submit", (event) => {
  event.preventDefault();
  work("/api/solve", { ...here(), stipulation: $("stipulation").value }, (result) => {
    $("result").innerHTML = result.html;
    $("progress").textContent = `${result.verdict}: ${result.keys.join(" ")}`;
  });
});

$("perft").addEventListener("submit", (event) => {
  event.preventDefault();
  work("/api/perft", { ...here(), depth: Number($("depth").value) }, (result) => {
    const lines = result.turns.map((row) => `${row.turn}: ${row.nodes}`);
    $("result").replaceChildren(element("pre", {}, [...lines, "", `Nodes searched: ${result.nodes}`].join("\n")));
  });
});

const DIFFERENCES = {
  reading: "the position is read differently", "only-first": "only in the first", "only-second": "only in the second", effect: "with another effect",
};

$("compare").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("error").textContent = $("progress").textContent = "";
  try {
    const result = await ask("/api/compare", { first: state.variant, second: $("other").value, fen: view.fen });
    const head = element("tr", {}, ...["Turn", "Difference", view.name, $("other").selectedOptions[0].textContent].map((name) => element("th", {}, name)));
    const body = result.differences.map((row) => element("tr", {}, ...[row.turn || "–", DIFFERENCES[row.difference] || row.difference, row.first_outcome || "–", row.second_outcome || "–"].map((cell) => element("td", {}, cell))));
    $("result").replaceChildren(result.differences.length ? element("table", {}, head, ...body) : element("p", {}, "No difference here."));
  } catch (error) {
    fail(error);
  }
});

// ---- expressions

let asked = 0; // number of the newest evaluation: older answers are dropped
let typing = 0; // timer between the last key and the evaluation

/// Shows the value of the expression at the position, and marks its squares; while it is wrong, its first
/// error.
async function evaluate() {
  const number = ++asked;
  const expression = $("expression").value.trim();
  const shown = (text, wrong, squares) => {
    $("answer").textContent = text;
    $("wrong").textContent = wrong;
    for (const marked of document.querySelectorAll("#board .s.found")) marked.classList.remove("found");
    for (const name of squares) square(name)?.classList.add("found");
  };
  if (!expression) return shown("", "", []);
  try {
    const value = await ask("/api/eval", { variant: state.variant, fen: state.fen, line: state.line.join(","), expression });
    if (number === asked) shown(`${value.type}: ${value.text}`, value.notes.join("; "), value.squares);
  } catch (error) {
    if (number === asked) shown("", error.message, []);
  }
}

$("expression").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(evaluate, 150); });

$("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  $("error").textContent = $("progress").textContent = "";
  try {
    const found = await ask("/api/states", { ...here(), expression: $("expression").value.trim() });
    $("progress").textContent = `${found.count} of ${found.states} states`;
    $("result").replaceChildren(element("ol", { id: "states" }, ...found.fens.map((fen) =>
      element("li", {}, element("button", { type: "button", onclick: () => go({ fen, line: [] }) }, fen)))));
    if (found.count > found.fens.length) $("result").append(element("p", {}, `The first ${found.fens.length} are listed.`));
  } catch (error) {
    fail(error);
  }
});

$("table").addEventListener("click", () => work("/api/plan", here(), (plan) => {
  const size = (bytes) => bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 2 ** 20)} MiB`;
  const groups = plan.groups.length === 1 ? "1 group" : `${plan.groups.length} groups`;
  const kept = plan.kept ? "" : ", not stored on disk";
  const text = `${plan.signature}: ${groups} to build, ${plan.indices} positions, up to ${size(plan.memory_bytes)} of memory (${size(plan.allowed_bytes)} allowed)${kept}.`;
  $("progress").textContent = "";
  $("result").replaceChildren(element("p", {}, text));
  if (plan.memory_bytes > plan.allowed_bytes) {
    $("result").append(element("p", {}, "Too large for this server: start it with a larger --memory."));
    return;
  }
  const build = element("button", { type: "button", id: "build", onclick: () => work("/api/table", here(), show) }, "Build it");
  $("result").append(build);
  build.focus();
}));

$("graph").addEventListener("click", () => work("/api/graph", here(), async (result) => {
  await show();
  $("progress").textContent = `${result.states} positions solved`;
}));

// ---- begin

function choose(select, id) {
  if (![...select.options].some((option) => option.value === id)) select.append(element("option", { value: id }, id));
  select.value = id;
}

addEventListener("popstate", () => { read(); redo = []; showAddress(); });

async function begin() {
  read();
  try {
    $("symbols").outerHTML = await (await fetch("/symbols.svg")).text();
    for (const row of await ask("/api/variants", {})) {
      $("variant").append(element("option", { value: row.id }, row.name));
      $("other").append(element("option", { value: row.id }, row.name));
    }
  } catch (error) {
    fail(error);
  }
  choose($("variant"), state.variant);
  await showAddress();
}

begin();
