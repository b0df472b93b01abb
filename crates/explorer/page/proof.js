"use strict";
// The view of a certificate: it is checked against the rules, then walked through.

/** The largest file, in bytes, that fits into a request to `proofwood explore`. */
const LARGEST_FILE = 48_000_000;

class ProofView {
  /** Calls `onPlace` with each position of the walk, `onLeave` at its end, and `onVerdict` with the
      verdict on a file that was refused. */
  constructor(client, onPlace, onLeave, onVerdict) {
    this.client = client;
    this.onPlace = onPlace;
    this.onLeave = onLeave;
    this.onVerdict = onVerdict;
    this.opened = null;
    this.walking = false;
    this.path = [];
    this.claim = 0;
    this.listen();
  }

  listen() {
    const drop = $("drop");
    const over = (event) => {
      if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
      event.preventDefault();
      drop.classList.add("over");
    };
    for (const name of ["dragenter", "dragover"]) document.addEventListener(name, over);
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) drop.classList.remove("over");
    });
    document.addEventListener("drop", (event) => {
      drop.classList.remove("over");
      const file = event.dataTransfer?.files?.[0];
      if (!file) return;
      event.preventDefault();
      this.open(file, file.name);
    });
    $("file").addEventListener("change", () => {
      const file = $("file").files[0];
      if (file) this.open(file, file.name);
      $("file").value = "";
    });
  }

  /** Reads a file and has it checked. The walk through an earlier file ends. */
  async open(blob, name) {
    showTab("proof");
    await this.leave();
    this.opened = this.summary = this.at = null;
    this.onVerdict("open", `Checking ${name} …`);
    this.say();
    // Only the newest file counts, even if an older one is read later.
    const file = this.file = {};
    if (blob.size > LARGEST_FILE) {
      return this.refuse("Not checked.", `${name} is ${bytes(blob.size)}, but this page takes at most `
        + `${bytes(LARGEST_FILE)}. proofwood check takes files of any size.`);
    }
    const url = await new Promise((read, fail) => {
      const reader = new FileReader();
      reader.onload = () => read(reader.result);
      reader.onerror = () => fail(reader.error);
      reader.readAsDataURL(blob);
    }).catch((error) => this.refuse("Not checked.", `The file cannot be read: ${error?.message ?? error}`));
    if (!url || this.file !== file) return;
    const certificate = url.slice(url.indexOf(",") + 1);
    this.say(html("p", {}, `Checking ${name} (${bytes(blob.size)}) against the rules …`));
    $("progress").hidden = false;
    $("progress").removeAttribute("value");
    const begun = performance.now();
    announce(`Checking ${name}`);
    this.client.ask({ ask: "open", certificate }, (answer) => {
      if (this.file !== file) return;
      if (!answer.done) return this.progress(answer, name);
      $("progress").hidden = true;
      if (answer.error) return this.refuse("Not checked.", capital(answer.error));
      if (!answer.accepted) {
        const why = String(answer.reason).replace(/^the certificate is refused: /, "");
        return this.refuse("Refused.", capital(why));
      }
      this.accept(answer, name, (performance.now() - begun) / 1000);
    });
  }

  progress({ entries, of }, name) {
    if (of) {
      $("progress").max = of;
      $("progress").value = entries;
    }
    this.say(html("p", {}, `Checking ${name}: ${counted(entries ?? 0, "entry").replace("entrys", "entries")} so far …`));
  }

  say(...parts) {
    $("proof").replaceChildren(...parts);
  }

  /** Reports a file that the rules refuse or that could not be checked. */
  refuse(head, why) {
    const tone = head === "Refused." ? "loss" : "open";
    this.say(html("div", { class: "result", "data-tone": tone },
      html("p", { class: "result-head" }, head), html("p", {}, why)));
    this.onVerdict(tone, `${head} The file proves nothing.`, why);
    announce(`${head} ${why}`);
  }

  accept(answer, name, seconds) {
    this.opened = answer;
    this.summary = html("div", { class: "result", "data-tone": "win" },
      html("p", { class: "result-head" }, "Accepted."),
      html("p", {}, `${name}: ${whole(answer.entries ?? 0)} entries, ${bytes(answer.bytes ?? 0)}, `
        + `checked against the rules alone in ${seconds.toFixed(seconds < 10 ? 2 : 0)} s.`));
    announce("The certificate is accepted");
    this.claim = 0;
    if (!answer.too_large) return this.go([]);
    const claims = answer.claims.map((it) => it.text).join("; ");
    this.onVerdict("walk", `${claims}.`, "Accepted; too large to walk through here");
    this.say(this.summary, html("p", { class: "claim" }, claims),
      html("p", { class: "hint" }, capital(answer.too_large)));
  }

  /** Goes to the position that `path` leads to in the proof. */
  async go(path) {
    this.path = path;
    this.walking = true;
    const { opened } = this;
    const at = await this.client.once({ ask: "walk", claim: this.claim, path });
    // Another file was opened, or the walk has ended.
    if (this.opened !== opened || !this.walking) return;
    if (at.error) {
      fault(capital(at.error));
      return;
    }
    fault(null);
    this.at = at;
    this.onPlace(at, this.marks(at), opened);
    this.draw(at);
  }

  /** Returns figures for the proof's answer and the replies, for the board and the table. */
  marks(at) {
    const marks = new Map();
    if (at.answer) marks.set(at.answer, { tag: "✓", mark: "proof", spoken: "the proof's answer" });
    for (const { move, left } of at.replies ?? []) {
      marks.set(move, { tag: left ? short(left) : "✓", mark: left ? "reply" : "shown", left,
        spoken: `${counted(left ?? 0, "entry").replace("entrys", "entries")} left to show` });
    }
    return marks;
  }

  /** Plays a move of the walk, then the proof's answer to it if it is to follow at once. */
  async play(move) {
    const replies = this.at?.replies ?? [];
    const known = move === this.at?.answer || replies.some((reply) => reply.move === move);
    if (!known) {
      fault(this.at?.answer
        ? `The proof plays ${this.at.answer} here; it does not cover ${move}.`
        : `The proof does not cover ${move} here.`);
      return;
    }
    await this.go([...this.path, move]);
    if (this.follow && this.at.answer && move !== this.at.answer) await this.answer();
  }

  async answer() {
    const answer = this.at?.answer;
    if (!answer) return;
    await this.go([...this.path, answer]);
    announce(`The proof answers ${answer}`);
    this.answered = answer;
  }

  back(moves) {
    this.go(this.path.slice(0, Math.max(0, this.path.length - moves)));
  }

  draw(at) {
    const claims = this.opened.claims ?? [];
    const choice = claims.length > 1
      ? html("label", { class: "field block" }, html("span", {}, "Claim"),
        html("select", { change: (event) => { this.claim = Number(event.target.value); this.go([]); } },
          claims.map((claim, number) => html("option", { value: number, selected: number === this.claim },
            claim.text ?? String(claim)))))
      : null;
    const parts = [this.summary, choice,
      html("p", { class: "walk-path" }, at.played?.length || this.path.length
        ? ["After ", html("span", { class: "moves-text" }, this.path.join(" "))] : "At the start of the proof"),
      html("div", { class: "bar" },
        html("button", { disabled: !this.path.length, click: () => this.go([]) }, "To the beginning"),
        html("button", { disabled: !this.path.length, click: () => this.back(1) }, "Back"),
        html("label", { class: "check" },
          dress(html("input", { type: "checkbox", checked: this.follow }),
            { change: (event) => { this.follow = event.target.checked; } }, []),
          "answer automatically"),
        html("button", { class: "quiet", click: () => this.leave() }, "Leave the proof here"))];
    if (at.answer) {
      parts.push(html("p", {}, "The proof answers ",
        html("button", { class: "primary", click: () => this.answer() }, at.answer)));
    } else if (at.replies?.length) {
      parts.push(html("p", {}, at.chance ? "Chance decides. Choose any outcome:"
        : `Choose any reply: the proof has an answer to all ${at.replies.length}.`), this.replies(at.replies));
    } else {
      parts.push(html("p", { class: "shown" }, at.over ? "The game is over here, and the claim holds."
        : "Nothing is left to prove here."));
    }
    this.say(...parts.filter(Boolean));
  }

  replies(replies) {
    const most = Math.max(1, ...replies.map((reply) => reply.left ?? 0));
    return html("ul", { class: "replies" }, replies.map(({ move, left }) => {
      const button = html("button", { click: () => this.play(move) },
        html("span", { class: "move" }, move),
        html("span", { class: "count" }, left ? whole(left) : "✓"));
      button.style.setProperty("--part", `${(100 * Math.sqrt((left ?? 0) / most)).toFixed(0)}%`);
      return html("li", {}, button);
    }));
  }

  /** Ends the walk and stays at its position. */
  async leave() {
    if (!this.walking) return;
    this.walking = false;
    this.say(this.summary, html("p", {}, html("button", { click: () => this.go(this.path) }, "Back to the proof")));
    await this.onLeave(this.opened, this.path);
  }
}
ProofView.prototype.follow = true;
