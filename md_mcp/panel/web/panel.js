// The page: fetches the graph, keeps what is chosen, and answers mouse and keyboard.

import { describe } from "./details.js";
import { Layout } from "./layout.js";
import { Picture } from "./picture.js";

const KINDS = ["document", "section", "missing"];
const EVERYWHERE = "*"; // no folder can be called so in the list: they end in "/"
const STEP_BUDGET = 6; // milliseconds of layout in a frame

const element = (id) => document.getElementById(id);
const picture = new Picture(element("graph"));

let graph = { nodes: [], edges: [] };
let documents = new Map(); // by path
let shown = { nodes: [], edges: [], labelled: [] };
let layout = new Layout([], [], 1);
let fitting = true; // until the view is moved by hand
let selected = null;
let hovered = null;
let grip = null; // what the pointer holds, and where it was
let awake = false; // whether a frame is asked for
let isStale = true; // whether the picture is

async function get(address) {
  const response = await fetch(address);
  const value = await response.json();
  if (value.problem) throw new Error(value.problem);
  return value;
}

function tell(error) {
  element("problem").hidden = error === null;
  element("problem").textContent = error === null ? "" : error.message;
}

async function start() {
  graph = await get("graph");
  documents = new Map(graph.nodes.filter(({ kind }) => kind === "document").map((node) => [node.path, node]));
  for (const edge of graph.edges) {
    edge.from = graph.nodes[edge.source];
    edge.to = graph.nodes[edge.target];
    if (edge.to.kind !== "document") edge.to.parent ??= edge.from;
  }
  for (const node of graph.nodes) node.words = `${node.path}\n${node.title}`.toLowerCase();
  fillFolders();
  listen();
  choose();
}

// All folders that hold documents, at any depth.
function fillFolders() {
  const folders = new Set();
  for (const path of documents.keys()) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end + 1));
  }
  const options = [...folders].sort().map((folder) => new Option(folder, folder));
  element("folder").replaceChildren(new Option("all folders", EVERYWHERE), ...options);
}

// What the filters leave of the graph. A missing file is where the links to it are.
function choose() {
  const kinds = new Set(KINDS.filter((kind) => element(`kind-${kind}`).checked));
  const folder = element("folder").value;
  const isInside = (node) => folder === EVERYWHERE || node.path.startsWith(folder);
  const present = new Set(graph.nodes.filter((node) => node.kind !== "missing" && isInside(node)));
  for (const { from, to } of graph.edges) if (to.kind === "missing" && present.has(from)) present.add(to);
  const nodes = [...present].filter(({ kind }) => kinds.has(kind));
  const left = new Set(nodes);
  const edges = graph.edges.filter(({ from, to }) => left.has(from) && left.has(to));
  measure(nodes, edges);
  shown = { nodes, edges, labelled: [] };
  layout = new Layout(nodes, edges, picture.aspect);
  fitting = true;
  if (selected && !left.has(selected)) select(null);
  hovered = null;
  mark();
}

function measure(nodes, edges) {
  for (const node of nodes) node.degree = 0;
  for (const { from, to } of edges) {
    from.degree += 1;
    to.degree += 1;
  }
  for (const node of nodes) {
    const grown = Math.min(9, Math.sqrt(node.degree) * 1.2);
    node.radius = node.kind === "document" ? 3.5 + grown : 2.5;
  }
}

// The search leaves everything where it is.
function mark() {
  const words = element("search").value.toLowerCase();
  for (const node of shown.nodes) node.marked = words !== "" && node.words.includes(words);
  sortLabels();
  count(words !== "");
  wake();
}

function sortLabels() {
  const weight = (node) => (
    (node === selected ? 1e6 : 0) + (node.marked ? 1e5 : 0) + (node.kind === "document" ? 0.5 : 0) + node.degree
  );
  shown.labelled = [...shown.nodes].sort((a, b) => weight(b) - weight(a));
}

function count(searching) {
  const number = (value, word) => `${value.toLocaleString("en")} ${word}`;
  const some = (kind) => shown.nodes.filter((node) => node.kind === kind);
  const sum = (items, field) => items.reduce((total, item) => total + item[field], 0);
  const parts = [
    number(some("document").length, "documents"),
    ...(some("section").length ? [number(some("section").length, "sections")] : []),
    number(sum(shown.edges.filter(({ kind }) => kind === "link"), "count"), "links"),
    number(sum(some("document"), "broken"), "broken"),
  ];
  if (searching) parts.unshift(number(shown.nodes.filter(({ marked }) => marked).length, "found"));
  element("count").textContent = parts.join(" · ");
}

// Ask for a frame, and for the picture to be drawn in it.
function wake() {
  isStale = true;
  document.body.dataset.settled = "false";
  request();
}

function request() {
  if (!awake) requestAnimationFrame(frame);
  awake = true;
}

function frame() {
  awake = false;
  if (layout.run(performance.now() + STEP_BUDGET)) isStale = true;
  if (isStale) {
    if (fitting) picture.fit(shown.nodes);
    picture.draw({ ...shown, selected, focus: hovered ?? selected, bright: bright() });
  }
  isStale = false;
  if (layout.settled) document.body.dataset.settled = "true";
  else request();
}

// The nodes to see clearly: what was found, or what the selected node is linked with.
function bright() {
  if (element("search").value !== "") {
    return new Set(shown.nodes.filter((node) => node.marked || node === selected));
  }
  if (selected === null) return null;
  const beside = new Set([selected]);
  for (const { from, to } of shown.edges) {
    if (from === selected) beside.add(to);
    if (to === selected) beside.add(from);
  }
  return beside;
}

async function select(node) {
  selected = node;
  sortLabels();
  wake();
  element("details").hidden = node === null;
  if (node === null) return;
  reveal(node);
  element("details").replaceChildren();
  try {
    const note = node.kind === "missing" ? null : await get(`note?number=${node.number}`);
    if (selected !== node) return;
    describe(element("details"), node, note, sources(node), go);
    tell(null);
  } catch (error) {
    tell(error);
  }
}

// Bring a node into the part of the canvas that the details leave free.
function reveal(node) {
  if (!shown.nodes.includes(node)) return;
  if (picture.show(node, element("details").offsetWidth)) fitting = false;
}

function sources(node) {
  const edges = graph.edges.filter(({ to, kind }) => to === node && kind === "broken");
  return edges.map(({ from, count: times }) => ({ path: from.path, count: times }));
}

function go(path) {
  select(documents.get(path) ?? null);
}

function pointOf(event) {
  const box = picture.canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function press(event) {
  const point = pointOf(event);
  picture.canvas.setPointerCapture(event.pointerId);
  picture.canvas.classList.add("dragging");
  grip = { node: picture.nodeAt(shown.nodes, point), point, moved: false };
}

function move(event) {
  const point = pointOf(event);
  if (!grip) {
    hover(picture.nodeAt(shown.nodes, point));
    return;
  }
  const { x, y } = grip.point;
  if (!grip.moved && Math.hypot(point.x - x, point.y - y) < 4) return;
  fitting = false;
  grip.moved = true;
  grip.point = point;
  if (grip.node) {
    Object.assign(grip.node, picture.toGraph(point), { fixed: true });
    layout.warm();
  } else {
    picture.pan(point.x - x, point.y - y);
  }
  wake();
}

function hover(node) {
  if (hovered === node) return;
  hovered = node;
  picture.canvas.classList.toggle("over", node !== null);
  wake();
}

function release() {
  if (!grip) return;
  const { node, moved } = grip;
  grip = null;
  picture.canvas.classList.remove("dragging");
  if (node) node.fixed = false;
  if (!moved) select(node);
}

function turn(event) {
  event.preventDefault();
  fitting = false;
  const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1);
  picture.zoom(Math.exp(-pixels * 0.0015), pointOf(event));
  wake();
}

function findFirst(event) {
  if (event.key === "Enter") select(shown.labelled.find(({ marked }) => marked) ?? null);
}

function listen() {
  const { canvas } = picture;
  canvas.addEventListener("pointerdown", press);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => hover(null));
  canvas.addEventListener("wheel", turn, { passive: false });
  element("search").addEventListener("input", mark);
  element("search").addEventListener("keydown", findFirst);
  element("folder").addEventListener("change", choose);
  for (const kind of KINDS) element(`kind-${kind}`).addEventListener("change", choose);
  new ResizeObserver(wake).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    picture.readColours();
    wake();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") select(null); });
}

// For tests, which cannot see where on the canvas a node is: a point of the window.
window.placeOf = (kind, path, title) => {
  const node = shown.nodes.find((each) => each.kind === kind && each.path === path && each.title === title);
  if (!node) return null;
  const box = picture.canvas.getBoundingClientRect();
  const { x, y } = picture.toScreen(node);
  return { x: box.left + x, y: box.top + y };
};

start().catch(tell);
