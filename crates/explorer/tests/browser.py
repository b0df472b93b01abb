"""Tests the page in headless Chromium, as `cargo xtask page --test` runs it.

    python3 browser.py CHROMIUM SITE FOLDER_OF_CERTIFICATES PROGRAM

It drives the browser through a pipe (the Chrome DevTools protocol) and needs nothing but
Python. SITE holds the page and the book's results. The test draws every game and plays it to
its end, checks and walks every certificate, sees an altered one refused, opens a result by its
address, and shows the page narrow and wide; then PROGRAM serves the page with its engine. The
console must report no error. The test prints times but does not judge them.
"""

import functools
import http.server
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--remote-debugging-pipe""".split()
# The longest time to wait for a step of the page, in seconds.
PATIENCE = 120


class Browser:
    """Drives Chromium with one page."""

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
        """Sends a request to the browser and returns its answer."""
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
        """Returns the browser's next message."""
        # Longer than `until` waits in the page, so that its condition is named.
        until = time.monotonic() + PATIENCE + 10
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
        """Collects errors that the console reports."""
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details["text"]
            self.wrong.append(said)
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "assert"):
            self.wrong.append(" ".join(str(it.get("value", it)) for it in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] == "error":
            self.wrong.append(event["entry"]["text"])

    def run(self, script):
        """Runs a script in the page and awaits its result."""
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


def load(browser, address):
    """Opens the page; returns the seconds until a position is shown."""
    begun = time.monotonic()
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=address)
    browser.until(
        "typeof state !== 'undefined' && state.place && state.games.length > 0"
        " && document.querySelector('#board [data-name]') !== null"
    )
    return time.monotonic() - begun


# Plays a game to its end: the first moves by clicks on their cells, if they have any, the others
# by the page's own function.
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
    if (state.place === place) throw new Error(`${legal.move} cannot be played: ${$("fault-text").textContent}`);
  }
  return { plies, clicked, over: state.place.over, cells: state.place.board.cells.length,
           status: $("status").textContent };
"""

# Walks through the open proof to the end of a game, always by the reply with the most entries left.
WALK = """
  let steps = 0;
  for (; steps < 400; steps++) {
    const at = proof.at;
    if (!at.answer && !at.replies.length) return { steps, over: at.over, left: at.left };
    const next = at.answer ?? at.replies.reduce((a, b) => (b.left > a.left ? b : a)).move;
    await proof.go([...proof.path, next]);
    if (proof.at === at) throw new Error(`no way on by ${next}: ${$("fault-text").textContent}`);
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
        browser.run("await leaveWalk(); proof.opened = proof.at = null;")
        browser.give(file)
        browser.until("proof.opened && proof.opened.done && proof.at")
        walked = browser.run(WALK)
        assert walked["left"] == 0, (file.name, walked)
        claims = browser.run("return proof.opened.claims.map((it) => it.text)")
        print(f"  {file.name}: {'; '.join(claims)}; walked {walked['steps']} moves")
    data = files[0].read_bytes()
    middle = len(data) // 2
    altered = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    for name, wrong in [("altered", altered), ("cut", data[:middle]), ("junk", b"junk" * 100)]:
        refused(browser, files[0], name, wrong)


def refused(browser, good, name, data):
    """Checks that a refused file removes an earlier file's verdict from the page."""
    browser.give(good)
    browser.until("proof.walking && $('verdict').dataset.tone === 'walk'")
    claim = browser.run("return proof.at.claim")
    with tempfile.NamedTemporaryFile(suffix=".proof") as file:
        file.write(data)
        file.flush()
        browser.give(file.name)
        browser.until("document.querySelector('#proof .result-head')?.textContent === 'Refused.'")
    said = browser.run("return $('proof').textContent")
    shown = browser.run(
        "return [$('verdict').dataset.tone, document.body.innerText, proof.walking, state.figures]"
    )
    assert shown[0] == "loss" and claim not in shown[1] and "✓" not in shown[1], (name, shown)
    assert shown[2:] == [False, None], (name, shown)
    # The position can be searched like any other.
    browser.run("$('who-wins').click();")
    browser.until("state.report?.done && state.report.proven")
    print(f"  {name}: {said}")


def search(browser):
    """Searches in the page: measures Connect Four's rate and settles a question."""
    for name, time_ in [("connect-four", 3), ("othello", 1)]:
        found = browser.run(
            f"""return await client.once({{ ask: "search", game: "{name}", moves: [], time: {time_},
                options: {{ seed: 1 }} }});"""
        )
        assert found["done"] and not found.get("error"), found
        assert found["playouts"] > 100 and found["best_move"], found
        print(f"  {name}: {found['playouts_per_second']:,.0f} playouts a second, {found['nodes']:,} nodes")
    for request, proven in [
        ({"game": "mnk:4,3,3"}, "win"),
        ({"game": "tic-tac-toe", "algorithm": "gpn"}, "draw"),
        ({"game": "hex:3", "algorithm": "pns"}, "win"),
        ({"game": "connect-four:5x4"}, "draw"),
    ]:
        request = {"ask": "solve", **request}
        found = browser.run(f"return await client.once({json.dumps(request)});")
        assert found.get("proven") == proven, found
        print(f"  {request['game']}: {proven}, {found['nodes']:,} nodes, {found['seconds']:.2f} s")
    # A search without a limit is stopped, and its tree stays.
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


# Searches for some seconds with the tree in view and returns the page's longest task.
LONG_TASKS = """
  const tasks = [];
  const observer = new PerformanceObserver((list) => {
    for (const task of list.getEntries()) tasks.push(task.duration);
  });
  await go({ game: GAME, position: null, moves: [] });
  observer.observe({ type: "longtask" });
  showTab(VIEW);
  analyse();
  await new Promise((wake) => setTimeout(wake, 1500));
  const { playouts } = state.report;
  analyse();
  for (const task of observer.takeRecords()) tasks.push(task.duration);
  observer.disconnect();
  return { playouts, longest: Math.max(0, ...tasks), tasks: tasks.length };
"""


def frames(browser):
    """Measures the longest task; the browser reports only tasks of more than 50 ms."""
    for game, view in [("othello", "tree"), ("hex:11", "moves")]:
        found = browser.run(f"const [GAME, VIEW] = {json.dumps([game, view])}; {LONG_TASKS}")
        assert found["playouts"] > 0, found
        print(f"  {game}, {view}: {found['tasks']} tasks of more than 50 ms in 1.5 s"
              + (f", the longest {found['longest']:.0f} ms" if found["tasks"] else ""))


def results(browser, site):
    """Opens results by their addresses, from the disk and from a server."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    files = sorted((site / "results").glob("*.proof"), key=lambda file: file.stat().st_size)
    assert len(files) >= 10, files
    places = [site.resolve().as_uri() + "/", f"http://127.0.0.1:{server.server_port}/"]
    for place, file in [(places[0], files[0]), (places[0], files[-1]), (places[1], files[-1])]:
        address = f"{place}proofwood.html#certificate=results/{file.name}"
        browser.call("Page.navigate", url="about:blank")
        browser.call("Page.navigate", url=address)
        browser.until("typeof proof !== 'undefined' && proof.opened?.done && proof.at")
        shown = browser.run(
            "return [proof.opened.accepted, proof.walking, $('verdict-text').textContent, location.hash]"
        )
        assert shown[:2] == [True, True], shown
        assert shown[3] == f"#certificate=results/{file.name}", shown
        print(f"  {place[:4]}: {file.name}: {shown[2]}")
    # The page opens no file outside its own folder.
    browser.call("Page.navigate", url=f"{places[0]}proofwood.html#certificate=../index.html")
    browser.until("document.getElementById('fault')?.hidden === false")
    said = browser.run("return $('fault-text').textContent")
    assert "from the folder of this page" in said, said
    server.shutdown()


def names(browser):
    """Checks that every control and every picture has a name for screen readers."""
    used = {"button", "link", "textbox", "combobox", "checkbox", "spinbutton", "tab", "tabpanel",
            "progressbar", "image", "table", "toolbar", "main", "region", "columnheader"}
    browser.call("Accessibility.enable")
    for game, tab in [("hex:4", "tree"), ("minishogi", "moves"), ("oware", "game")]:
        browser.run(f"""leaveWalk(); await go({{ game: "{game}", position: null, moves: [] }});
                        showGame(); showTab("{tab}");""")
        if tab == "tree":
            browser.run("study({ ask: 'search', playouts: 2000 });")
            browser.until("state.running === null && document.querySelector('.node')")
        tree = browser.call("Accessibility.getFullAXTree")["nodes"]
        bare = [
            (node["role"]["value"], node.get("backendDOMNodeId")) for node in tree
            if not node["ignored"] and node["role"]["value"] in used - {"main"}
            and not node.get("name", {}).get("value", "").strip()
        ]
        assert not bare, f"{game}: without a name: {bare}"
        roles = {node["role"]["value"] for node in tree if not node["ignored"]}
        assert {"main", "heading", "status", "tablist"} <= roles, roles
    browser.call("Accessibility.disable")


class Program:
    """Starts `proofwood explore` with these arguments."""

    def __init__(self, program, *arguments):
        command = [program, "explore", *arguments, "--no-open", "--threads", "2"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=PATIENCE)
        assert status == 0, status


# Watches a search, looks into it, stops it and continues it; none of its work is lost.
STEER = """
  const until = async (is, what) => {
    for (let n = 0; n < 1200 && !is(); n++) await new Promise((wake) => setTimeout(wake, 50));
    if (!is()) throw new Error("it does not come: " + what);
  };
  const press = (id) => $(id).click();
  press("tab-tree");
  await until(() => state.report?.playouts > 2000, "a search");
  await until(() => document.querySelector('.node[role="button"]'), "a tree");
  document.querySelector('.node[role="button"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await until(() => tree.path.length === 1 && $("tree-path").textContent, "a look into a move");
  const into = tree.path[0];
  if (state.running === null) throw new Error("a look ends the search");
  press("analyse");
  const before = state.report.playouts;
  if (state.running !== null || !before) throw new Error("it is not stopped");
  press(ASK);
  await until(() => state.running !== null && state.report.playouts && !state.report.done, "more");
  const after = state.report.playouts;
  // A move is played on the board; its part of the tree stays.
  press("analyse");
  state.analysing = true;
  const known = Math.max(...[...state.figures.values()].map((it) => it.visits));
  const [best] = [...state.figures.values()].find((it) => it.visits === known).pv;
  await move(best);
  await until(() => state.report?.playouts && !state.report.done, "the search after a move");
  const kept = state.report.playouts;
  press("analyse");
  return { into, before, after, best, known, kept };
"""

# Does the same with a prover, which continues with its table and its time.
PROVE = """
  const until = async (is) => {
    for (let n = 0; n < 1200 && !is(); n++) await new Promise((wake) => setTimeout(wake, 50));
    if (!is()) throw new Error("it does not come");
  };
  await go({ game: "othello:6", position: null, moves: [] });
  $("method").value = "provers";
  const seconds = [], nodes = [];
  for (let part = 0; part < 2; part++) {
    $("who-wins").click();
    await until(() => state.report?.kind === "solve" && !state.report.done && state.report.seconds > 0.4);
    if (part) seconds.push(state.report.seconds);
    $("analyse").click();
    seconds.push(state.report.seconds);
    nodes.push(state.report.nodes);
  }
  return { seconds, nodes };
"""


def served(browser, program):
    """Tests the page with the native engine behind it."""
    with Program(program, "connect-four", "--moves", "44", "--solve") as serving:
        load(browser, serving.address)
        assert browser.run("return document.querySelector('meta[name=engine]').content") == "http"
        found = browser.run(f'const ASK = "who-wins"; {STEER}')
        assert found["after"] >= found["before"] and found["kept"] >= found["known"], found
        print(f"  served: {found}")
        proven = browser.run(PROVE)
        assert proven["seconds"] == sorted(proven["seconds"]), proven
        assert proven["nodes"][1] > proven["nodes"][0], proven
        print(f"  a prover: {proven}")
        browser.call("Page.reload")
        browser.until("typeof state !== 'undefined' && document.body?.dataset.ready")
        again = browser.run("return [state.place.game, $('fault').hidden]")
        assert again == ["othello:6", True], again
        # The closed page may still wait for answers, and gets the reply that it is closed.
        browser.wrong = [said for said in browser.wrong if "410 (Refused)" not in said]
        browser.call("Page.navigate", url="about:blank")
    # A saved tree is shown at once, and a search continues it.
    with tempfile.TemporaryDirectory() as folder:
        tree = f"{folder}/a.tree"
        search = "search othello:6 --threads 1 --playouts 3000 --save-tree".split()
        subprocess.run([program, *search, tree], check=True, stdout=subprocess.DEVNULL)
        with Program(program, tree) as serving:
            load(browser, serving.address)
            browser.until("state.report?.playouts === 3000 && document.querySelector('.node')")
            browser.run("$('analyse').click();")
            browser.until("state.report.playouts > 3000 && !state.report.done")
            browser.run("$('analyse').click();")
            print("  a kept tree:", browser.run("return $('verdict-more').textContent"))
            browser.call("Page.navigate", url="about:blank")


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


def main(chromium, site, certificates, program):
    folder = tempfile.mkdtemp(prefix="proofwood-browser-")
    browser = Browser(chromium, folder)
    page = (site / "proofwood.html").resolve().as_uri()
    try:
        begun = time.monotonic()
        for part in [
            lambda: print(f"  shown after {load(browser, page):.2f} s, "
                          f"and again after {load(browser, page):.2f} s"),
            lambda: play_all(browser),
            lambda: prove_all(browser, certificates),
            lambda: search(browser),
            lambda: frames(browser),
            lambda: widths(browser),
            lambda: names(browser),
            lambda: results(browser, site),
            lambda: served(browser, program),
        ]:
            since = time.monotonic()
            part()
            print(f"  ({time.monotonic() - since:.1f} s)")
            assert not browser.wrong, "on the console: " + "\n".join(browser.wrong)
        print(f"  all in {time.monotonic() - begun:.0f} s")
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4])
