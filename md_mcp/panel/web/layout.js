// A force layout: links pull, all nodes push each other, everything drifts to the
// middle, and the forces cool down until nothing moves. Pushing by a tree of cells
// (Barnes and Hut) costs n log n a step instead of n².

const STEPS = 260;
const COLD = 0.002;
const COOLING = 1 - COLD ** (1 / STEPS);
const WARM = 0.15;
const FRICTION = 0.6;
const LENGTH = { link: 90, broken: 34, part: 26 };
const CHARGE = { document: 170, section: 40, missing: 40 };
const GRAVITY = 0.045;
const NEAR = 10; // closer nodes push no harder
const FAR = 650; // and farther ones not at all, so that the unconnected stay close
const ACCURACY = 0.9; // a cell this wide for its distance counts as one node
const SMALLEST = 0.01; // half the width of a cell
const PORTION = 100; // nodes between two looks at the clock

export class Layout {
  // `aspect` is width over height of where the graph is shown.
  constructor(nodes, edges, aspect) {
    this.nodes = nodes;
    this.edges = edges.filter((edge) => edge.from !== edge.to);
    this.heat = 1;
    this.pushed = 0; // how many nodes have been pushed in this step
    this.gravityX = GRAVITY / Math.sqrt(aspect);
    this.gravityY = GRAVITY * Math.sqrt(aspect);
    this.tree = new Tree(nodes);
    nodes.forEach((node, index) => { if (node.x === undefined) place(node, index); });
  }

  get settled() {
    return this.heat <= COLD;
  }

  warm() {
    this.heat = Math.max(this.heat, WARM);
  }

  // Work until the time is over, or everything stands still; a step may take several
  // calls. Return whether anything has moved.
  run(until) {
    let moved = false;
    while (!this.settled && performance.now() < until) {
      if (this.pushed === 0) {
        this.pull();
        this.tree.build();
      }
      this.pushSome(until);
      if (this.pushed < this.nodes.length) break;
      for (const node of this.nodes) this.move(node);
      this.heat *= 1 - COOLING;
      this.pushed = 0;
      moved = true;
    }
    return moved;
  }

  pushSome(until) {
    do {
      const end = Math.min(this.pushed + PORTION, this.nodes.length);
      for (; this.pushed < end; this.pushed += 1) this.tree.push(this.pushed, this.heat);
    } while (this.pushed < this.nodes.length && performance.now() < until);
  }

  move(node) {
    if (node.fixed) {
      node.vx = 0;
      node.vy = 0;
      return;
    }
    node.vx = (node.vx - node.x * this.gravityX * this.heat) * FRICTION;
    node.vy = (node.vy - node.y * this.gravityY * this.heat) * FRICTION;
    node.x += node.vx;
    node.y += node.vy;
  }

  // The end with fewer edges does most of the moving.
  pull() {
    for (const { from, to, kind } of this.edges) {
      const dx = to.x + to.vx - from.x - from.vx || 0.01;
      const dy = to.y + to.vy - from.y - from.vy || 0.01;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const pull = ((distance - LENGTH[kind]) / distance) * this.heat / Math.min(from.degree, to.degree);
      const share = from.degree / (from.degree + to.degree);
      to.vx -= dx * pull * share;
      to.vy -= dy * pull * share;
      from.vx += dx * pull * (1 - share);
      from.vy += dy * pull * (1 - share);
    }
  }
}

// A sunflower spiral around the document that the node belongs to, else around the
// middle: even, and the same at each load.
function place(node, index) {
  const near = node.parent?.x === undefined ? null : node.parent;
  const radius = near ? 12 : 16 * Math.sqrt(index + 1);
  const angle = index * 2.399963;
  node.x = (near ? near.x : 0) + radius * Math.cos(angle);
  node.y = (near ? near.y : 0) + radius * Math.sin(angle);
  node.vx = 0;
  node.vy = 0;
}

// Square cells, each with four slots: 0 is empty, n > 0 the cell n, n < 0 the node ~n.
class Tree {
  constructor(nodes) {
    this.nodes = nodes;
    this.nodeX = new Float64Array(nodes.length);
    this.nodeY = new Float64Array(nodes.length);
    this.nodeCharge = Float64Array.from(nodes, ({ kind }) => CHARGE[kind]);
    this.grow(4 * nodes.length + 64);
    this.stack = new Int32Array(256);
  }

  grow(size) {
    const larger = (old, made) => { if (old) made.set(old); return made; };
    this.size = size;
    this.slots = larger(this.slots, new Int32Array(4 * size));
    for (const name of ["middleX", "middleY", "half", "charge", "x", "y"]) {
      this[name] = larger(this[name], new Float64Array(size));
    }
  }

  build() {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let index = 0; index < this.nodes.length; index += 1) {
      const { x, y } = this.nodes[index];
      this.nodeX[index] = x;
      this.nodeY[index] = y;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    this.count = 0;
    this.cell((left + right) / 2, (top + bottom) / 2, Math.max(right - left, bottom - top, 1) / 2);
    for (let index = 0; index < this.nodes.length; index += 1) this.insert(index);
    this.weigh();
  }

  cell(x, y, half) {
    if (this.count === this.size) this.grow(2 * this.size);
    const cell = this.count;
    this.count += 1;
    this.slots.fill(0, 4 * cell, 4 * cell + 4);
    this.middleX[cell] = x;
    this.middleY[cell] = y;
    this.half[cell] = half;
    return cell;
  }

  quarter(cell, index) {
    const right = this.nodeX[index] > this.middleX[cell] ? 1 : 0;
    const below = this.nodeY[index] > this.middleY[cell] ? 2 : 0;
    return 4 * cell + right + below;
  }

  insert(index) {
    let cell = 0;
    // Of nodes in one place only the first pushes; they part by what else moves them.
    while (this.half[cell] > SMALLEST) {
      const slot = this.quarter(cell, index);
      const held = this.slots[slot];
      if (held === 0) {
        this.slots[slot] = ~index;
        return;
      }
      cell = held > 0 ? held : this.split(cell, slot, ~held);
    }
  }

  split(cell, slot, index) {
    const half = this.half[cell] / 2;
    const x = this.middleX[cell] + (slot & 1 ? half : -half);
    const y = this.middleY[cell] + (slot & 2 ? half : -half);
    const made = this.cell(x, y, half);
    this.slots[slot] = made;
    this.slots[this.quarter(made, index)] = ~index;
    return made;
  }

  // Charge and its middle, from the smallest cells up: they were made last.
  weigh() {
    for (let cell = this.count - 1; cell >= 0; cell -= 1) {
      let [charge, x, y] = [0, 0, 0];
      for (let slot = 4 * cell; slot < 4 * cell + 4; slot += 1) {
        const held = this.slots[slot];
        if (held === 0) continue;
        const part = held > 0 ? this.charge[held] : this.nodeCharge[~held];
        charge += part;
        x += part * (held > 0 ? this.x[held] : this.nodeX[~held]);
        y += part * (held > 0 ? this.y[held] : this.nodeY[~held]);
      }
      this.charge[cell] = charge;
      this.x[cell] = x / charge;
      this.y[cell] = y / charge;
    }
  }

  // Let everything else push the node.
  push(index, heat) {
    const { slots, stack } = this;
    const x = this.nodeX[index];
    const y = this.nodeY[index];
    let [forceX, forceY, depth] = [0, 0, 1];
    stack[0] = 0;
    while (depth > 0) {
      depth -= 1;
      const first = 4 * stack[depth];
      for (let slot = first; slot < first + 4; slot += 1) {
        const held = slots[slot];
        if (held === 0 || held === ~index) continue;
        const isCell = held > 0;
        const dx = x - (isCell ? this.x[held] : this.nodeX[~held]);
        const dy = y - (isCell ? this.y[held] : this.nodeY[~held]);
        const square = dx * dx + dy * dy;
        const width = isCell ? 2 * this.half[held] : 0;
        if (width * width > ACCURACY * ACCURACY * square) {
          stack[depth] = held;
          depth += 1;
        } else if (square < FAR * FAR) {
          const charge = isCell ? this.charge[held] : this.nodeCharge[~held];
          const force = charge * (1 - square / (FAR * FAR)) / Math.max(square, NEAR * NEAR);
          forceX += dx * force;
          forceY += dy * force;
        }
      }
    }
    this.nodes[index].vx += forceX * heat;
    this.nodes[index].vy += forceY * heat;
  }
}
