"use strict";
// Lines of JSON to the engine and back. The engine runs as WebAssembly in a worker, or behind
// `proofwood explore` over HTTP.

/** Connects to the engine as WebAssembly in a worker. */
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

  /** Restarts the engine after a fault; open requests are lost. */
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

/** Connects to the engine behind the page's server. */
class HttpTransport {
  constructor(onLines, onFault) {
    this.onLines = onLines;
    this.onFault = onFault;
    this.sending = Promise.resolve();
    this.listen();
  }

  /** Receives answers until the page closes; retries while there is no connection. */
  async listen() {
    // The engine ends with its page, so that it does not keep working.
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

  /** Returns the message for an engine that does not answer. */
  silence() {
    return `The engine does not answer. If it has ended, run: ${command()}`;
  }

  /** Sends requests one after the other. */
  send(line) {
    this.sending = this.sending
      .then(() => fetch("ask", { method: "POST", body: line }))
      .then((answer) => {
        if (!answer.ok) throw new Error(`the engine refused the request with status ${answer.status}`);
      })
      // A TypeError comes from fetch itself, with the browser's own wording.
      .catch((error) => this.onFault(error instanceof TypeError ? this.silence() : error.message));
  }
}

/** Numbers requests and hands each answer to the caller that waits for it. */
class Client {
  constructor() {
    this.waiting = new Map();
    // Numbers are unique to this page: a running engine may still answer an earlier page.
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

  /** Sends a request and returns its number; `on` is called with each answer. */
  ask(request, on) {
    const id = `${this.page}-${++this.last}`;
    this.waiting.set(id, on);
    this.transport.send(JSON.stringify({ id, ...request }));
    return id;
  }

  /** Sends a request and returns its last answer. */
  once(request) {
    return new Promise((answer) => this.ask(request, (it) => it.done && answer(it)));
  }

  /** Stops a request; its last answer still arrives. */
  stop(which) {
    if (this.waiting.has(which)) this.ask({ ask: "stop", which }, () => {});
  }
}
