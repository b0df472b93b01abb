"""The page in headless Chromium, as `cargo xtask page --test` runs it.

    python3 browser.py CHROMIUM PAGE FOLDER_OF_CERTIFICATES

It drives the browser through a pipe (the Chrome DevTools protocol) and needs nothing but
Python. Every game is drawn and played to an end, every certificate checked and walked, an
altered one refused, and the page shown narrow and wide. Nothing may be wrong on the console.
Times are told, and nothing fails by them.
"""

import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--remote-debugging-pipe""".split()
# A step of the page that takes longer than this, in seconds, will never end.
PATIENCE = 120


class Browser:
    """Chromium with one page."""

    def __init__(self, program, folder):
        to_read, self.to_write = os.pipe()
        self.to_hear, to_say = os.pipe()

        def pipes():
            # The browser reads from 3 and writes to 4; neither may be overwritten too early.
            reading, writing = os.dup2(to_read, 30), os.dup2(to_say, 31)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={folder}"],
            preexec_fn=pipes,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_say)
        self.heard, self.last, self.session, self.wrong = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "DOM"]:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Asks the browser, and waits for the answer."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_write, data) :]
        while True:
            answer = self.hear(method)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def hear(self, method):
        """The next thing that the browser says."""
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.heard:
            ready, _, _ = select.select([self.to_hear], [], [], until - time.monotonic())
            assert ready, f"the browser does not answer to {method}"
            data = os.read(self.to_hear, 1 << 20)
            assert data, f"the browser has ended at {method}"
            self.heard += data
        message, self.heard = self.heard.split(b"\0", 1)
        message = json.loads(message)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, event):
        """Keeps what is wrong on the console."""
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details["text"]
            self.wrong.append(said)
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            self.wrong.append(" ".join(str(it.get("value", it)) for it in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.wrong.append(event["entry"]["text"])

    def run(self, script):
        """What a script of the page comes to; a promise is waited for."""
        answer = self.call(
            "Runtime.evaluate",
            expression=f"(async () => {{ {script} }})()",
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def until(self, condition):
        """Waits until a condition holds in the page."""
        return self.run(
            f"""for (let n = 0; n < {PATIENCE * 20}; n++) {{
                  const found = {condition};
                  if (found) return found;
                  await new Promise((wake) => setTimeout(wake, 50));
                }}
                throw new Error("it does not come: " + {json.dumps(condition)});"""
        )

    def give(self, file):
        """Chooses a file in the page."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(file)], nodeId=node)

    def close(self):
        self.process.terminate()
        self.process.wait()


def load(browser, page):
    """Opens the page; returns the seconds until a position is shown."""
    begun = time.monotonic()
    browser.call("Page.navigate", url=page.resolve().as_uri())
    browser.until(
        "typeof state !== 'undefined' && state.place && state.games.length > 0"
        " && document.querySelector('#board [data-name]') !== null"
    )
    return time.monotonic() - begun


# Plays a game to its end by the page's own buttons: the first moves by clicks on cells where
# they have some, the others as the page plays a move.
PLAY = """
  leaveWalk();
  const info = state.games.find((it) => it.name === GAME);
  $("game").value = info.name;
  $("options").value = info.game.split(":")[1] ?? "";
  await startGame();
  if (state.place.game.split(":")[0] !== GAME) throw new Error("not shown: " + state.place.game);
  let seed = 12345, clicked = 0;
  const draw = (n) => Math.floor((seed = (seed * 48271) % 2147483647) / 64) % n;
  const turn = async (before) => {
    for (let n = 0; n < 400 && state.place === before; n++) {
      await new Promise((wake) => setTimeout(wake, 5));
    }
  };
  let plies = 0;
  for (; !state.place.over && plies < 2500; plies++) {
    const { place } = state;
    const drawn = document.querySelectorAll("#board [data-name]").length;
    if (place.board.cells.length === 0 && !place.board.notes.length) throw new Error("no board");
    if (drawn < place.board.cells.length) throw new Error(`${drawn} cells are drawn of ${place.board.cells.length}`);
    if (!place.legal.length) throw new Error("no legal move");
    const legal = place.legal[draw(place.legal.length)];
    if (plies < 6 && legal.cells.length) {
      for (const name of legal.cells) {
        const cell = document.querySelector(`#board [data-name="${CSS.escape(name)}"]`);
        if (!cell) throw new Error(`${legal.move}: no cell ${name}`);
        cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      }
      // Moves that share their cells: one is chosen.
      if (state.place === place) {
        const choice = [...document.querySelectorAll("#buttons .choice button")];
        (choice.find((it) => it.textContent.trim() === legal.move) ?? choice[0])?.click();
      }
      await turn(place);
      if (state.place !== place) { clicked++; continue; }
    }
    await move(legal.move);
    if (state.place === place) throw new Error(`${legal.move} cannot be played: ${$("fault").textContent}`);
  }
  return { plies, clicked, over: state.place.over, cells: state.place.board.cells.length,
           status: $("status").textContent };
"""

# Walks through the proof that is open, to the end of a game: always the reply with most left.
WALK = """
  let steps = 0;
  for (; steps < 400; steps++) {
    const at = proof.at;
    if (!at.answer && !at.replies.length) return { steps, over: at.over, left: at.left };
    const next = at.answer ?? at.replies.reduce((a, b) => (b.left > a.left ? b : a)).move;
    await proof.go([...proof.path, next]);
    if (proof.at === at) throw new Error(`no way on by ${next}: ${$("fault").textContent}`);
  }
  throw new Error("the walk does not end");
"""


def play_all(browser):
    games = browser.run("return state.games.map((it) => it.name)")
    assert len(games) >= 28, games
    for game in games:
        played = browser.run(f"const GAME = {json.dumps(game)}; {PLAY}")
        assert played["over"], (game, played)
        print(f"  {game}: {played['cells']} cells, {played['plies']} moves, "
              f"{played['clicked']} by clicks: {played['status']}")


def prove_all(browser, folder):
    files = sorted(folder.glob("*.proof"))
    assert len(files) >= 10, files
    for file in files:
        browser.run("proof.opened = null; proof.at = null; proof.walking = false;")
        browser.give(file)
        browser.until("proof.opened && proof.opened.done && proof.at")
        walked = browser.run(WALK)
        assert walked["left"] == 0, (file.name, walked)
        claims = browser.run("return proof.opened.claims.map((it) => it.text)")
        print(f"  {file.name}: {'; '.join(claims)}; walked {walked['steps']} moves")
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 1
    with tempfile.NamedTemporaryFile(suffix=".proof") as altered:
        altered.write(data)
        altered.flush()
        browser.run("leaveWalk(); proof.opened = null;")
        browser.give(altered.name)
        browser.until("document.querySelector('#proof .result-head')?.textContent === 'Refused.'")
        print("  altered:", browser.run("return $('proof').textContent"))


def search(browser):
    """Searches in the page: the rate of Connect Four, and a question that is settled."""
    for name, time_ in [("connect-four", 3), ("othello", 1)]:
        found = browser.run(
            f"""return await client.once({{ ask: "search", game: "{name}", moves: [], time: {time_},
                options: {{ seed: 1 }} }});"""
        )
        assert found["done"] and not found.get("error"), found
        assert found["playouts"] > 100 and found["best_move"], found
        print(f"  {name}: {found['rate']:,.0f} playouts a second, {found['nodes']:,} nodes")
    for request, value in [
        ({"game": "mnk:4,3,3"}, "win"),
        ({"game": "tic-tac-toe", "algorithm": "gpn"}, "draw"),
        ({"game": "hex:3", "algorithm": "pns"}, "win"),
        ({"game": "connect-four:5x4"}, "draw"),
    ]:
        request = {"ask": "solve", **request}
        found = browser.run(f"return await client.once({json.dumps(request)});")
        assert found.get("value") == value, found
        print(f"  {request['game']}: {value}, {found['nodes']:,} nodes, {found['seconds']:.2f} s")
    # A search without end is stopped, and its tree stays.
    stopped = browser.run(
        """const answers = [];
           const last = new Promise((done) => {
             const id = client.ask({ ask: "search", game: "hex:7", moves: [], every: 0.05 }, (it) => {
               answers.push(it);
               if (answers.length === 3) client.stop(id);
               if (it.done) done(it);
             });
           });
           const { stop_reason } = await last;
           const tree = await client.once({ ask: "tree", depth: 2, width: 3 });
           return { stop_reason, children: tree.tree.children.length };"""
    )
    assert stopped == {"stop_reason": "stopped", "children": 3}, stopped


def widths(browser):
    for width in [360, 1440]:
        browser.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        for game in ["connect-four", "othello", "chinese-checkers", "minishogi"]:
            browser.run(
                f"""leaveWalk(); await go({{ game: "{game}", position: null, moves: [] }});
                    await new Promise((drawn) => requestAnimationFrame(drawn));"""
            )
            wide = browser.run(
                "return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
            )
            assert wide <= width, f"{game} at {width} pixels is {wide} wide"
    browser.call("Emulation.clearDeviceMetricsOverride")


def main(program, page, certificates):
    folder = tempfile.mkdtemp(prefix="proofwood-browser-")
    browser = Browser(program, folder)
    try:
        begun = time.monotonic()
        for part in [
            lambda: print(f"  shown after {load(browser, page):.2f} s, "
                          f"and again after {load(browser, page):.2f} s"),
            lambda: play_all(browser),
            lambda: prove_all(browser, certificates),
            lambda: search(browser),
            lambda: widths(browser),
        ]:
            part()
            assert not browser.wrong, "on the console: " + "\n".join(browser.wrong)
        print(f"  all in {time.monotonic() - begun:.0f} s")
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
