"use strict";
// Lines of JSON to the engine and back. The engine is in a worker, as WebAssembly, or behind
// `proofwood explore`, over HTTP; the page does not care which.

/** The engine as WebAssembly in a worker of its own. */
class WorkerTransport {
  constructor(onLines, onFault) {
    this.onLines = onLines;
    this.onFault = onFault;
    const code = $("engine-worker").textContent;
    this.code = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.start();
  }

  start() {
    this.worker = new Worker(this.code);
    this.worker.onmessage = ({ data }) => {
      if (data.fault) this.fail(data.fault);
      else this.onLines(data.lines);
    };
    this.worker.onerror = (event) => this.fail(event.message || "the engine cannot be started");
    this.worker.postMessage({ wasm: $("engine-wasm").textContent });
  }

  /** After a fault the engine begins anew; what it was asked is lost. */
  fail(why) {
    this.worker.terminate();
    this.onFault(why);
    this.failures = (this.failures ?? 0) + 1;
    if (this.failures < 5) this.start();
  }

  send(line) {
    this.worker.postMessage({ line });
  }
}

/** The engine behind the server that this page came from. */
class HttpTransport {
  constructor(onLines, onFault) {
    this.onLines = onLines;
    this.onFault = onFault;
    this.sending = Promise.resolve();
    this.listen();
  }

  /** Waits for answers, again and again; without a connection, until there is one. */
  async listen() {
    // A page that goes takes its engine along, which would else work on for nobody.
    addEventListener("pagehide", () => navigator.sendBeacon("end"));
    for (let failures = 0; ; ) {
      try {
        const answer = await fetch("answers", { cache: "no-store" });
        if (answer.status === 410) return this.onFault("This page's engine was closed: reload the page.");
        if (!answer.ok) throw new Error();
        const lines = (await answer.text()).split("\n").filter((line) => line.trim());
        if (failures > 2) fault(null);
        failures = 0;
        if (lines.length) this.onLines(lines);
      } catch {
        failures += 1;
        if (failures === 3) this.onFault(this.silence());
        await new Promise((wake) => setTimeout(wake, 300 * Math.min(failures, 10)));
      }
    }
  }

  /** How to go on where the program does not answer. */
  silence() {
    return `The engine does not answer. If it has ended: ${command()}`;
  }

  /** Sends requests one after the other. */
  send(line) {
    this.sending = this.sending
      .then(() => fetch("ask", { method: "POST", body: line }))
      .then((answer) => {
        if (!answer.ok) throw new Error(`the engine refuses the request with ${answer.status}`);
      })
      // What fetch itself says are the browser's words.
      .catch((error) => this.onFault(error instanceof TypeError ? this.silence() : error.message));
  }
}

/** Requests by their numbers, and who waits for the answers. */
class Client {
  constructor() {
    this.waiting = new Map();
    // Numbers of this page alone: an engine that stays may still answer an earlier one.
    this.page = Date.now().toString(36);
    this.last = 0;
    const http = document.querySelector('meta[name="engine"]').content === "http";
    const Transport = http ? HttpTransport : WorkerTransport;
    this.transport = new Transport(
      (lines) => lines.forEach((line) => this.take(JSON.parse(line))),
      (why) => this.lose(why),
    );
  }

  take(answer) {
    const on = this.waiting.get(answer.id);
    if (!on) return;
    if (answer.done) this.waiting.delete(answer.id);
    on(answer);
  }

  lose(why) {
    const all = [...this.waiting];
    this.waiting.clear();
    if (!all.length) fault(why);
    for (const [id, on] of all) on({ id, error: why, done: true });
  }

  /** Asks; `on` is called with each answer. Returns the request's number. */
  ask(request, on) {
    const id = `${this.page}-${++this.last}`;
    this.waiting.set(id, on);
    this.transport.send(JSON.stringify({ id, ...request }));
    return id;
  }

  /** Asks for one answer. */
  once(request) {
    return new Promise((answer) => this.ask(request, (it) => it.done && answer(it)));
  }

  /** Ends a request; its last answer still comes. */
  stop(which) {
    if (this.waiting.has(which)) this.ask({ ask: "stop", which }, () => {});
  }
}
