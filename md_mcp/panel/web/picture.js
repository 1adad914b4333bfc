// Draws the nodes and edges on the canvas, and knows which place of it means what.

const MAX_LABELS = 90;
const LABEL_HEIGHT = 15;
const LONGEST = 30;
const EDGE_KINDS = ["part", "link", "broken"];
const NODE_KINDS = ["section", "missing", "document"];
const FULL_CIRCLE = 2 * Math.PI;

export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.view = { x: 0, y: 0, scale: 1 };
    this.colours = {};
    this.readColours();
  }

  readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["document", "section", "missing", "edge", "text", "mark", "page"]) {
      this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  get aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  // Show all nodes, with room for labels.
  fit(nodes) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const { x, y } of nodes) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (left > right) return;
    const { clientWidth, clientHeight } = this.canvas;
    this.view.scale = Math.min(2, (clientWidth - 120) / (right - left + 1), (clientHeight - 60) / (bottom - top + 1));
    this.view.x = (left + right) / 2;
    this.view.y = (top + bottom) / 2;
  }

  zoom(factor, point) {
    const before = this.toGraph(point);
    this.view.scale = Math.max(0.03, Math.min(10, this.view.scale * factor));
    const after = this.toGraph(point);
    this.view.x += before.x - after.x;
    this.view.y += before.y - after.y;
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
  }

  // Bring a node into sight that is not, `covered` being the width that something on the
  // right hides. Return whether the view was moved.
  show(node, covered) {
    const { x, y } = this.toScreen(node);
    const width = this.canvas.clientWidth - covered;
    if (x > 20 && y > 20 && x < width - 20 && y < this.canvas.clientHeight - 20) return false;
    this.view.x = node.x + covered / 2 / this.view.scale;
    this.view.y = node.y;
    return true;
  }

  // Points of the screen count from the canvas's corner.
  toScreen({ x, y }) {
    return {
      x: (x - this.view.x) * this.view.scale + this.canvas.clientWidth / 2,
      y: (y - this.view.y) * this.view.scale + this.canvas.clientHeight / 2,
    };
  }

  toGraph({ x, y }) {
    return {
      x: (x - this.canvas.clientWidth / 2) / this.view.scale + this.view.x,
      y: (y - this.canvas.clientHeight / 2) / this.view.scale + this.view.y,
    };
  }

  // Nodes shrink less than distances do when the view is zoomed out, and grow less.
  radius(node) {
    return node.radius / Math.sqrt(this.view.scale);
  }

  nodeAt(nodes, point) {
    const { x, y } = this.toGraph(point);
    let best = null;
    let nearest = 5 / this.view.scale;
    for (const node of nodes) {
      const distance = Math.hypot(node.x - x, node.y - y) - this.radius(node);
      if (distance < nearest) [best, nearest] = [node, distance];
    }
    return best;
  }

  // `scene` holds `nodes` and `edges`, `labelled` (the nodes by importance), `focus`
  // (a node whose edges stand out, or null) and `bright` (a set of nodes, the others
  // being dimmed, or null).
  draw(scene) {
    this.clear();
    for (const kind of EDGE_KINDS) this.drawEdges(scene, kind);
    if (scene.focus) this.drawFocus(scene);
    for (const kind of NODE_KINDS) this.drawNodes(scene, kind);
    this.drawRings(scene);
    this.drawLabels(scene);
  }

  clear() {
    const { canvas, context, view } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio);
    const height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.translate(canvas.clientWidth / 2, canvas.clientHeight / 2);
    context.scale(view.scale, view.scale);
    context.translate(-view.x, -view.y);
  }

  drawEdges({ edges, bright }, kind) {
    const { context } = this;
    context.beginPath();
    for (const edge of edges) if (edge.kind === kind) this.line(edge);
    context.strokeStyle = kind === "broken" ? this.colours.missing : this.colours.edge;
    const crowded = edges.length > 800 ? 0.55 : 1;
    context.globalAlpha = (kind === "broken" ? 0.5 : 0.9) * crowded * (bright ? 0.35 : 1);
    context.lineWidth = 1 / this.view.scale;
    context.stroke();
    context.globalAlpha = 1;
  }

  line({ from, to }) {
    this.context.moveTo(from.x, from.y);
    this.context.lineTo(to.x, to.y);
  }

  drawFocus({ edges, focus }) {
    const { context } = this;
    context.lineWidth = 1.8 / this.view.scale;
    for (const kind of EDGE_KINDS) {
      context.beginPath();
      for (const edge of edges) {
        if (edge.kind === kind && (edge.from === focus || edge.to === focus)) this.line(edge);
      }
      context.strokeStyle = kind === "broken" ? this.colours.missing : this.colours.document;
      context.stroke();
    }
  }

  drawNodes({ nodes, bright }, kind) {
    const { context } = this;
    context.fillStyle = this.colours[kind];
    for (const dim of bright ? [true, false] : [false]) {
      context.globalAlpha = dim ? 0.25 : 1;
      context.beginPath();
      for (const node of nodes) {
        if (node.kind === kind && (!bright || bright.has(node) !== dim)) this.circle(node, 0);
      }
      context.fill();
    }
  }

  // Red around documents that lack a heading they link to themselves, the mark's colour
  // around what was found.
  drawRings({ nodes, edges, selected }) {
    const { context, view } = this;
    context.lineWidth = 2 / view.scale;
    context.strokeStyle = this.colours.missing;
    context.beginPath();
    for (const { from, to } of edges) if (from === to) this.circle(from, 1 / view.scale);
    context.stroke();
    context.lineWidth = 3 / view.scale;
    context.strokeStyle = this.colours.mark;
    context.beginPath();
    for (const node of nodes) if (node.marked || node === selected) this.circle(node, 3 / view.scale);
    context.stroke();
  }

  circle(node, further) {
    const radius = this.radius(node) + further;
    this.context.moveTo(node.x + radius, node.y);
    this.context.arc(node.x, node.y, radius, 0, FULL_CIRCLE);
  }

  // In screen size, the most important first, where there is room.
  drawLabels({ labelled, bright }) {
    const { context, canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = this.colours.page;
    const boxes = [];
    for (const node of labelled) {
      if (boxes.length === MAX_LABELS) break;
      if (bright && !bright.has(node)) continue;
      const { x, y } = this.toScreen(node);
      if (x < 0 || y < 0 || x > canvas.clientWidth || y > canvas.clientHeight) continue;
      this.drawLabel(node, x, y + this.radius(node) * this.view.scale + 2, boxes);
    }
  }

  drawLabel(node, x, top, boxes) {
    const { context } = this;
    if (node.label === undefined) {
      node.label = node.title.length > LONGEST ? `${node.title.slice(0, LONGEST - 1)}…` : node.title;
      node.labelWidth = context.measureText(node.label).width;
    }
    const half = node.labelWidth / 2 + 5;
    for (const box of boxes) {
      if (Math.abs(box.x - x) < box.half + half && Math.abs(box.top - top) < LABEL_HEIGHT) return;
    }
    boxes.push({ x, top, half });
    context.strokeText(node.label, x, top + 11);
    context.fillStyle = node.kind === "missing" ? this.colours.missing : this.colours.text;
    context.fillText(node.label, x, top + 11);
  }
}
