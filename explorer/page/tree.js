"use strict";
// Part of a search tree, drawn from the left to the right.

const STEP = 28; // from one node to the one below, in pixels
const NODE = 9;
const MOST = 512; // nodes of the lowest row, so that drawing stays quick

class TreeView {
  /** `ask` asks for a part of the tree, `onLook` is called with the path to look into. */
  constructor(ask) {
    this.ask = ask;
    this.path = [];
    this.pending = false;
    this.again = false;
    for (const id of ["depth", "width"]) $(id).addEventListener("change", () => this.refresh());
    $("tree-up").addEventListener("click", () => this.look(this.path.slice(0, -1)));
  }

  /** Forgets the tree of another position. */
  clear() {
    this.path = [];
    this.shown = false;
    this.paths();
    $("tree").replaceChildren(html("p", { class: "hint" },
      "No tree yet: ask who wins, by tree search, or analyse."));
  }

  look(path) {
    this.path = path;
    this.paths();
    this.refresh();
  }

  paths() {
    $("tree-up").disabled = !this.path.length;
    $("tree-path").textContent = this.path.length ? `after ${this.path.join(" ")}` : "";
  }

  /** Asks for the part that is shown; a second question waits for the first one's answer. */
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
      const rows = laid.children.map((child) => child.row);
      laid.row = rows.length ? (rows[0] + rows.at(-1)) / 2 : row++;
      return laid;
    };
    const top = lay(root, 0, this.path);
    // A node's text, "d4  56.7  +12", stands to the right of it.
    const text = 102 + widest * 8;
    const available = $("tree").clientWidth || 600;
    const step = Math.max(text - 14, (available - 40 - text) / Math.max(1, deepest));
    const place = ({ depth, row }) => [16 + depth * step, 20 + row * STEP];
    const [width, height] = [20 + deepest * step + text, Math.max(1, row) * STEP + 10];
    const picture = svg("svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": `Tree: ${counted(nodes.length, "position")}`,
    });
    const all = Math.max(1, root.visits ?? 1);
    for (const parent of nodes) {
      const [x, y] = place(parent);
      for (const child of parent.children) {
        const [toX, toY] = place(child);
        const middle = x + Math.min(90, (toX - x) / 2);
        const wide = 1 + 11 * Math.sqrt(Math.min(1, (child.node.visits ?? 0) / all));
        picture.append(tint(svg("path", {
          class: "branch", "stroke-width": wide.toFixed(2), "aria-hidden": "true",
          d: `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`,
        }), child.node));
      }
    }
    for (const laid of nodes) picture.append(this.node(laid, place(laid), laid === top));
    const { scrollLeft: left, scrollTop, clientHeight } = $("tree");
    const first = !$("tree").querySelector("svg");
    const focused = document.activeElement?.dataset?.path;
    $("tree").replaceChildren(picture);
    $("tree").scrollLeft = left;
    // At first the root is in the middle.
    $("tree").scrollTop = first ? place(top)[1] - ($("tree").clientHeight || clientHeight) / 2 : scrollTop;
    if (focused !== undefined) {
      [...picture.querySelectorAll("[data-path]")].find((it) => it.dataset.path === focused)?.focus();
    }
  }

  node({ node, path, children }, [x, y], isTop) {
    // Above the branch that comes in, where others go out.
    const place = !children.length ? { x: NODE + 5, y: 4 }
      : isTop ? { x: -NODE, y: -NODE - 6 } : { x: NODE, y: -NODE - 5, class: "before" };
    const value = isProven(node) ? WORDS[node.value] : node.visits === 0 ? "" : shareText(node);
    const name = isTop ? "" : node.move;
    const label = [name || "root", isProven(node) ? `proven ${WORDS[node.value]}` : spoken(node),
      `${whole(node.visits ?? 0)} playouts`, proofText(node) && `proof numbers ${proofText(node)}`,
      boundsText(node) && `bounds ${boundsText(node)}`].filter(Boolean).join(", ");
    const group = svg("g", {
      class: "node", transform: `translate(${x} ${y})`, "data-path": path.join(" "),
      role: isTop ? "img" : "button", tabindex: isTop ? null : "0", "aria-label": label,
      click: () => isTop || this.look(path),
      keydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        this.look(path);
      },
    },
    svg("title", {}, label),
    svg("circle", { r: NODE }),
    svg("text", place, svg("tspan", { class: "name" }, name),
      svg("tspan", { class: "figure" }, `${name ? "  " : ""}${value}`),
      svg("tspan", { class: "rest" }, node.more ? `  +${node.more}` : "")));
    return tint(group, node);
  }
}
