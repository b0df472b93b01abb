"""Takes the pictures of the explorer that the README and the book show.

    cargo xtask page
    cargo run --release -- solve tic-tac-toe --certificate target/draw.proof
    python3 crates/explorer/tests/pictures.py chromium target/page/proofwood.html target/draw.proof

It writes docs/src/figures/explorer-*.png. The figures of a search differ from machine to machine,
so no test compares the pictures.
"""

import base64
import pathlib
import shutil
import sys
import tempfile

from browser import Browser

FIGURES = pathlib.Path(__file__).parents[2] / "docs" / "src" / "figures"

# File, address, width, height, colours, and a script to run before the picture.
PICTURES = [
    (
        "explorer-tree",
        "game=connect-four&moves=1,6,1,1,2,1,1,6,6,1,4,6,4,7,5&ask=who-wins",
        (1000, 690),
        "light",
        "$('width').value = 2; while (!state.report?.done) await sleep(100);",
    ),
    (
        "explorer-moves",
        "game=hex:7&moves=d3,c5&ask=analyse",
        (1040, 680),
        "dark",
        "while (!(state.report?.playouts > 20000 || state.report?.done)) await sleep(100); halt();",
    ),
    (
        "explorer-phone",
        "game=tic-tac-toe",
        (360, 780),
        "light",
        """await proof.open(await (await fetch(CERTIFICATE)).blob(), "tic-tac-toe.proof");
           while (!proof.at) await sleep(50);
           await proof.play(proof.at.answer);
           await proof.play("a1");""",
    ),
]


def take(browser, page, certificate, name, address, size, colours, before):
    """Takes one picture."""
    width, height = size
    browser.call(
        "Emulation.setDeviceMetricsOverride",
        width=width,
        height=height,
        deviceScaleFactor=1,
        mobile=width < 500,
    )
    browser.call("Emulation.setScrollbarsHidden", hidden=True)
    scheme = {"name": "prefers-color-scheme", "value": colours}
    browser.call("Emulation.setEmulatedMedia", features=[scheme])
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=f"{page.resolve().as_uri()}#{address}")
    browser.until("document.body?.dataset.ready")
    sleep = "const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));"
    browser.run(f"const CERTIFICATE = '{certificate}'; {sleep} {before} await sleep(600);")
    picture = browser.call("Page.captureScreenshot", format="png")["data"]
    file = FIGURES / f"{name}.png"
    file.write_bytes(base64.b64decode(picture))
    print(f"{file}: {file.stat().st_size // 1024} KiB")


def main(program, page, proof):
    folder = tempfile.mkdtemp(prefix="proofwood-pictures-")
    browser = Browser(program, folder)
    try:
        certificate = f"data:application/octet-stream;base64,{base64.b64encode(proof).decode()}"
        for picture in PICTURES:
            take(browser, page, certificate, *picture)
        assert not browser.wrong, "on the console: " + "\n".join(browser.wrong)
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) != 3:
        sys.exit("usage: python3 pictures.py CHROMIUM PAGE CERTIFICATE_OF_TIC-TAC-TOE")
    main(arguments[0], pathlib.Path(arguments[1]), pathlib.Path(arguments[2]).read_bytes())
