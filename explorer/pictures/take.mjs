// Takes the pictures of the explorer that the README shows, with Chromium.
//
//   cargo xtask page
//   node explorer/pictures/take.mjs target/page/explorer.html
//
// writes docs/src/figures/explorer-*.png. Chromium is found as `chromium`, or as CHROMIUM says.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const FIGURES = join(dirname(fileURLToPath(import.meta.url)), "../../docs/src/figures");
const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"];

/** File, address, width, height, colours, seconds to wait, and what is done before. */
const PICTURES = [
  ["explorer-tree", "game=connect-four&moves=1,6,1,1,2,1,1,6,6,1,4,6,4,7,5&ask=who-wins", 1280, 800, "light", 6],
  ["explorer-hex", "game=hex:6&moves=c4,b3&ask=analyse", 1280, 800, "dark", 3],
  ["explorer-phone", "game=othello:6&moves=d2,e2,b5&ask=analyse", 360, 780, "light", 3],
];

/** A browser, spoken to through a pipe. */
class Browser {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "explorer-pictures-"));
    this.process = spawn(process.env.CHROMIUM ?? "chromium",
      [...FLAGS, "--remote-debugging-pipe", `--user-data-dir=${this.folder}`],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.last = 0;
    let rest = "";
    this.process.stdio[4].on("data", (data) => {
      const messages = (rest + data).split("\0");
      rest = messages.pop();
      for (const { id, result, error } of messages.map((text) => JSON.parse(text))) {
        if (id) this.waiting.get(id)?.(error ? { error } : result);
      }
    });
  }

  ask(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((answer) => this.waiting.set(id, answer));
  }

  async close() {
    await this.ask("Browser.close");
    await new Promise((end) => this.process.once("exit", end));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const sleep = (seconds) => new Promise((wake) => setTimeout(wake, 1000 * seconds));

async function take(browser, page, [name, hash, width, height, colours, seconds]) {
  const { targetId } = await browser.ask("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.ask("Target.attachToTarget", { targetId, flatten: true });
  const ask = (method, params) => browser.ask(method, params, sessionId);
  await ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: colours }] });
  await ask("Page.navigate", { url: `${page}#${hash}` });
  for (let tries = 0; tries < 200; tries += 1) {
    const { result } = await ask("Runtime.evaluate", { expression: "document.body?.dataset.ready" });
    if (result?.value) break;
    await sleep(0.1);
  }
  await sleep(seconds);
  const { data } = await ask("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(FIGURES, `${name}.png`), Buffer.from(data, "base64"));
  await browser.ask("Target.closeTarget", { targetId });
}

const file = process.argv[2];
if (!file) {
  console.error("usage: node explorer/pictures/take.mjs PAGE.html");
  process.exit(2);
}
const page = /^https?:/.test(file) ? file : pathToFileURL(resolve(file)).href;
if (!/^https?:/.test(file)) readFileSync(file);
const browser = new Browser();
for (const picture of PICTURES) await take(browser, page, picture);
await browser.close();
