"use strict";
// Part of a search tree, drawn from left to right.

const STEP = 28; // from one node to the one below, in pixels
const NODE = 9;
const MOST = 512; // nodes of the lowest row, so that drawing stays quick

class TreeView {
  /** `ask` requests part of the tree from the engine. */
  constructor(ask) {
    this.ask = ask;
    this.path = [];
    this.pending = false;
    this.again = false;
    for (const id of ["depth", "width"]) $(id).addEventListener("change", () => this.refresh());
    $("tree-up").addEventListener("click", () => this.look(this.path.slice(0, -1)));
  }

  /** Removes the drawn tree and shows why there is none. */
  clear(why = "No tree yet: analyse, or ask who wins with \"Proven by: a tree\".") {
    this.path = [];
    this.shown = false;
    this.picture = null;
    this.paths();
    $("tree").replaceChildren(html("p", { class: "hint" }, why));
  }

  look(path) {
    this.path = path;
    this.paths();
    this.refresh();
  }

  paths(depth) {
    $("tree-up").disabled = !this.path.length;
    const cut = depth < Number($("depth").value) ? `depth ${depth}: at most ${MOST} nodes per row` : "";
    $("tree-path").textContent = [this.path.length ? `after ${this.path.join(" ")}` : "", cut].filter(Boolean).join("; ");
  }

  /** Requests the shown part again; a second request waits for the first one's answer. */
  async refresh() {
    if (this.pending) {
      this.again = true;
      return;
    }
    this.pending = true;
    const number = (id) => Math.min(8, Math.max(1, Math.round(Number($(id).value)) || 1));
    const width = number("width");
    let depth = number("depth");
    while (width ** depth > MOST) depth -= 1;
    this.paths(depth);
    const answer = await this.ask({ ask: "tree", path: this.path, depth, width });
    this.pending = false;
    if (this.again) {
      this.again = false;
      return this.refresh();
    }
    if (answer.tree) this.draw(answer.tree);
    else if (answer.error && !this.shown) $("tree").firstChild.textContent = capital(answer.error);
  }

  draw(root) {
    this.shown = true;
    const nodes = [];
    let row = 0;
    let deepest = 0;
    let widest = 1;
    const lay = (node, depth, path) => {
      const children = node.children ?? [];
      deepest = Math.max(deepest, depth);
      widest = Math.max(widest, (node.move ?? "").length);
      const laid = { node, depth, path, children: [] };
      nodes.push(laid);
      for (const child of children) laid.children.push(lay(child, depth + 1, [...path, child.move]));
      // The best line is the top row, which is always visible.
      laid.row = laid.children[0]?.row ?? row++;
      return laid;
    };
    const top = lay(root, 0, this.path);
    // A node's text, "d4  56.7  +12", stands to its right and grows with the reader's font size.
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const text = (102 + widest * 8) * rem;
    const available = $("tree").clientWidth || 600;
    const step = Math.max(text - 14, (available - 40 - text) / Math.max(1, deepest));
    const place = ({ depth, row }) => [16 + depth * step, 34 + row * STEP * rem];
    const [width, height] = [20 + deepest * step + text, Math.max(1, row) * STEP * rem + 24];
    this.size(width, height, `Tree: ${counted(nodes.length, "position")}`);
    const all = Math.max(1, root.visits ?? 1);
    const shown = new Set();
    for (const parent of nodes) {
      const [x, y] = place(parent);
      this.node(parent, [x, y], parent === top, shown);
      for (const child of parent.children) {
        const [toX, toY] = place(child);
        const middle = x + Math.min(90, (toX - x) / 2);
        const wide = 1 + 11 * Math.sqrt(Math.min(1, (child.node.visits ?? 0) / all));
        const { branch } = this.part(child.path, shown);
        put(branch, "stroke-width", wide.toFixed(2));
        put(branch, "d", `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`);
        tint(branch, child.node);
      }
    }
    for (const [key, { group, branch }] of this.parts) {
      if (shown.has(key)) continue;
      group.remove();
      branch.remove();
      this.parts.delete(key);
    }
    this.order(nodes.map(({ path }) => this.part(path, shown).group));
  }

  /** Resizes the picture and keeps its parts, so that an update is cheap. */
  size(width, height, label) {
    if (!this.picture) {
      this.parts = new Map();
      this.branches = svg("g", { "aria-hidden": "true" });
      this.nodes = svg("g", {});
      this.picture = svg("svg", { role: "group" }, this.branches, this.nodes);
      $("tree").replaceChildren(this.picture);
    }
    put(this.picture, "width", String(width));
    put(this.picture, "height", String(height));
    put(this.picture, "viewBox", `0 0 ${width} ${height}`);
    put(this.picture, "aria-label", label);
  }

  /** Puts the nodes into the order in which the keys visit them. */
  order(groups) {
    if (groups.every((group, at) => group === this.nodes.children[at])) return;
    const focused = document.activeElement;
    const had = this.nodes.contains(focused);
    this.nodes.append(...groups);
    if (had) focused.focus();
  }

  /** Returns the elements of a node, new or from before. */
  part(path, shown) {
    const key = path.join(" ");
    shown.add(key);
    if (!this.parts.has(key)) this.parts.set(key, this.newPart(key, path));
    return this.parts.get(key);
  }

  newPart(key, path) {
    const look = () => path.length > this.path.length && this.look(path);
    const [title, text] = [svg("title", {}), svg("text", {})];
    const spans = ["name", "figure", "rest"].map((name) => svg("tspan", { class: name }));
    text.append(...spans);
    const group = svg("g", {
      class: "node", "data-path": key, click: look,
      keydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        look();
      },
    }, title, svg("circle", { r: NODE }), text);
    const branch = svg("path", { class: "branch" });
    this.nodes.append(group);
    this.branches.append(branch);
    return { group, branch, title, text, spans };
  }

  /** Writes a node's newest figures. */
  node({ node, path, children }, [x, y], isTop, shown) {
    const { group, branch, title, text, spans } = this.part(path, shown);
    // A node with children has its text above the branches.
    const [left, top, kind] = !children.length ? [NODE + 5, 4, ""]
      : isTop ? [-NODE, -NODE - 6, ""] : [NODE, -NODE - 5, "before"];
    const value = isProven(node) ? WORDS[node.proven] : node.visits === 0 ? "" : shareText(node);
    const name = isTop ? "" : node.move;
    // The label begins with the text beside the node.
    const label = [[name || "root", value, node.more ? `+${node.more}` : ""].filter(Boolean).join(" "), isProven(node) ? `proven ${WORDS[node.proven]}` : spoken(node),
      `${whole(node.visits ?? 0)} playouts`, proofText(node) && `proof numbers ${proofText(node)}`,
      boundsText(node) && `bounds ${boundsText(node)}`].filter(Boolean).join(", ");
    put(group, "transform", `translate(${x} ${y})`);
    put(group, "role", isTop ? "img" : "button");
    if (isTop) {
      group.removeAttribute("tabindex");
      branch.removeAttribute("d");
    } else put(group, "tabindex", "0");
    put(group, "aria-label", label);
    write(title, label);
    put(text, "x", String(left));
    put(text, "y", String(top));
    put(text, "class", kind);
    const words = [name, `${name ? "  " : ""}${value}`, node.more ? `  +${node.more}` : ""];
    spans.forEach((span, at) => write(span, words[at]));
    tint(group, node);
  }
}
