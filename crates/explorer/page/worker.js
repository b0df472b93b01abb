"use strict";
// Runs the engine in a worker, in short steps so that a request to stop gets through.

const STEP = 40; // milliseconds
const lines = [];
let engine = null;
let message = null; // of a panic
let running = false;
const { port1, port2 } = new MessageChannel();
port1.onmessage = work;

onmessage = ({ data }) => {
  if (data.wasm !== undefined) start(data.wasm).catch(stopped);
  else {
    lines.push(data.line);
    wake();
  }
};

async function start(base64) {
  const answer = await fetch(`data:application/octet-stream;base64,${base64.trim()}`);
  let module = await answer.arrayBuffer();
  const head = new Uint8Array(module, 0, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const stream = new Blob([module]).stream().pipeThrough(new DecompressionStream("gzip"));
    module = await new Response(stream).arrayBuffer();
  }
  const env = {
    now: () => performance.now(),
    // Lines that cannot wait for the end of a step, such as a check's progress.
    tell: (at, length) => postMessage({ lines: [text(at, length)] }),
    fail: (at, length) => { message = text(at, length); },
  };
  const { instance } = await WebAssembly.instantiate(module, { env });
  engine = instance.exports;
  wake();
}

function stopped(error) {
  engine = null;
  const why = message ?? error.message ?? error;
  postMessage({ fault: `the engine has stopped: ${String(why).slice(0, 300)}` });
}

/** Decodes a text in the engine's memory. */
function text(at, length) {
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, at, length));
}

function wake() {
  if (engine && !running) {
    running = true;
    port2.postMessage(null);
  }
}

function work() {
  running = false;
  if (!engine) return;
  try {
    for (const line of lines.splice(0)) {
      const request = new TextEncoder().encode(line);
      const at = engine.reserve(request.length);
      new Uint8Array(engine.memory.buffer, at, request.length).set(request);
      engine.ask();
    }
    engine.step(STEP);
    const length = engine.answers_length();
    if (length) postMessage({ lines: text(engine.answers(), length).split("\n").filter(Boolean) });
    if (engine.busy() || lines.length) wake();
  } catch (error) {
    stopped(error);
  }
}
