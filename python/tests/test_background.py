"""Searches in the background: threads, signals, asyncio."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import proofwood as pw


def search(**keywords: object) -> pw.Search:
    return pw.Search(pw.position("othello"), threads=1, memory="64M", **keywords)  # type: ignore[arg-type]


def visits(r: pw.SearchResult) -> int:
    return sum(known.visits for known in r.moves)


def test_a_search_can_be_looked_at_stopped_and_gone_on_with() -> None:
    s = search()
    assert not s.running
    s.start()
    with pytest.raises(pw.SearchError, match="already running"):
        s.start()
    while s.snapshot().playouts < 100:
        time.sleep(0.001)
    assert s.running and s.wait(0.001) is None
    s.stop()
    r = s.wait()
    assert r is not None and r.stop_reason == "cancelled" and not s.running
    assert s.wait() == r, "an answer can be taken again"
    more = s.run(playouts=500)
    assert more.playouts == 500 and more.stop_reason == "playouts"
    assert visits(more) > visits(r), "the tree is the same"


def test_a_search_that_was_never_started_has_no_answer() -> None:
    with pytest.raises(pw.SearchError, match="no search is running"):
        search().wait()


def test_limits_given_at_first_hold_for_every_run() -> None:
    s = search(playouts=100)
    assert s.run().playouts == 100 and s.run().playouts == 100
    assert s.run(playouts=1).playouts == 1
    with pytest.raises(TypeError, match="unexpected keyword argument 'threads'"):
        s.start(threads=2)  # type: ignore[call-arg]


def test_snapshots_end_with_the_answer() -> None:
    with search(playouts=3000) as s:
        seen = list(s.start().snapshots(every=0.001))
    assert seen[-1].playouts == 3000 and seen[-1].stop_reason == "playouts"
    assert [r.playouts for r in seen] == sorted(r.playouts for r in seen)


def test_a_tree_is_kept_when_a_move_is_played() -> None:
    s = search()
    s.run(playouts=1000)
    kept = s.advance("f5").snapshot()
    assert s.position == pw.position("othello", "f5") and 0 < visits(kept) < 1000
    s.start()
    s.advance(s.position.legal_moves[0])
    assert not s.running
    s.run(playouts=10)
    s.audit()
    with pytest.raises(pw.TextError):
        s.advance("a1")
    # All moves of a text are played.
    four = pw.Search(pw.position("connect-four"), threads=1, memory="64M")
    four.run(playouts=100)
    r = four.advance("43").run(playouts=50)
    assert r.position == pw.position("connect-four", "43") and r.to_move == 0
    four.audit()


def test_a_forced_pass_may_be_left_out() -> None:
    seed, p = 0, pw.position("othello:4")
    while p.legal_moves != ("pass",):
        seed, p = seed + 1, p.play_random(seed)
        if p.is_over:
            p = pw.position("othello:4")
    s = pw.Search(p, threads=1, memory="64M", playouts=50)
    s.run()
    after = p.play("pass")
    s.advance(after.legal_moves[0])
    assert s.position == after.play(after.legal_moves[0])
    # The forced pass is a move of the game.
    assert s.position.moves[-2:] == ("pass", after.legal_moves[0])
    assert p.play(after.legal_moves[0]).moves == s.position.moves
    assert s.run().to_move == s.position.to_move


def test_several_threads_may_start_and_wait() -> None:
    s, refused = search(), []

    def work() -> None:
        for _ in range(30):
            try:
                s.start(playouts=50)
            except pw.SearchError:
                refused.append(1)
            assert s.wait() is not None

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not s.running and len(refused) < 120


def test_of_several_threads_that_start_a_search_one_does() -> None:
    for _ in range(5):
        s, barrier = search(), threading.Barrier(4)
        started: list[pw.Search] = []

        def work(
            s: pw.Search = s,
            started: list[pw.Search] = started,
            barrier: threading.Barrier = barrier,
        ) -> None:
            barrier.wait()
            try:
                started.append(s.start())
            except pw.SearchError:
                pass

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        waiting = [thread for thread in threads if thread.is_alive()]
        s.stop()
        assert waiting == [] and len(started) == 1


def test_other_threads_run_during_a_search() -> None:
    s, counted = search().start(), 0

    def work() -> None:
        nonlocal counted
        while s.running:
            counted += 1

    worker = threading.Thread(target=work)
    worker.start()
    while counted < 1000:
        s.wait(0.001)
    s.stop()
    worker.join()


def test_four_threads_search_at_once() -> None:
    results: list[pw.SearchResult] = []

    def work(seed: int) -> None:
        p = pw.position("connect-four")
        results.append(pw.search(p, playouts=3000, threads=1, memory="64M", seed=seed))

    threads = [threading.Thread(target=work, args=(seed % 2,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and {r.playouts for r in results} == {3000}
    by_seed = {r.seed: {q.nodes for q in results if q.seed == r.seed} for r in results}
    assert all(len(nodes) == 1 for nodes in by_seed.values()), "each is the tree of its seed"


def test_asyncio_waits_for_several_at_once() -> None:
    async def main() -> None:
        searches = [search(playouts=2000).start() for _ in range(3)]
        results = await asyncio.gather(*searches)
        assert [r.playouts for r in results] == [2000] * 3
        ended = search(playouts=10)
        ended.run()
        assert (await ended.start()).playouts == 10
        seen = [r async for r in search(playouts=2000).start()]
        assert seen[-1].playouts == 2000

        async def forever() -> pw.SearchResult:
            return await endless

        endless = search().start()
        task = asyncio.create_task(forever())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await asyncio.to_thread(endless.wait)) is not None

    asyncio.run(main())


INTERRUPTED = """
import signal
import proofwood as pw
# Where the tests run in the background of a shell, Ctrl-C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
try:
    print("ready", flush=True)
    {call}
except KeyboardInterrupt as raised:
    result = getattr(raised, "result", None)
    print("kept" if {kept} else f"lost {{result}}", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals of this kind")
@pytest.mark.parametrize(
    ("before", "call", "kept"),
    [
        ("p = pw.position('othello')", "pw.search(p, time=600, threads=1, memory='64M')",
         "result.playouts >= 0 and result.stop_reason"),
        ("p = pw.position('othello')", "pw.solve(p, threads=1, tt='16M')",
         "result.nodes >= 0 and result.stop_reason"),
        ("s = pw.Search(pw.position('othello'), threads=1, memory='64M').start()", "s.wait()",
         "s.running"),
        ("p = pw.position('othello')", "p.perft(30)", "True"),
        ("", "pw.match('othello', dict(time=600), dict(time=600), games=4)",
         "not result.finished"),
    ],
)
def test_ctrl_c_keeps_what_was_found(
    before: str, call: str, kept: str, tmp_path: Path
) -> None:
    script = INTERRUPTED.format(before=before, call=call, kept=kept)
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        # The signal comes between "ready" and the call, or within the call.
        time.sleep(0.2)
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "kept\n"
        assert program.wait() == 0


def test_the_interpreter_ends_with_searches_under_way(tmp_path: Path) -> None:
    script = """
import proofwood as pw
s = pw.Search(pw.position('othello'), threads=2, memory='64M').start()
t = pw.Search(pw.position('othello'), threads=1, memory='64M').start()
del t
print(s.running)
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_leaves_searches_alone(tmp_path: Path) -> None:
    script = """
import os, sys
import proofwood as pw
p = pw.position('othello')
s = pw.Search(p, threads=1, memory='64M').start()
child = os.fork()
if child == 0:
    try:
        s.wait()
    except pw.SearchError as error:
        print(error, s.running, flush=True)
    del s
    print(pw.search(p, playouts=20, threads=1, memory='64M').playouts, flush=True)
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), s.running)
"""
    command = [sys.executable, "-W", "ignore", "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "this search belongs to the parent process; create a new one after a fork False",
        "20",
        "7 True",
    ]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it looks at Linux's threads")
def test_counting_ends_after_ctrl_c(tmp_path: Path) -> None:
    script = INTERRUPTED.format(
        before="import os, time\np = pw.position('othello')", call="p.perft(30)",
        kept="[time.sleep(0.01) for _ in range(3000) if len(os.listdir('/proc/self/task')) > 1] "
        "is None or len(os.listdir('/proc/self/task')) == 1",
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.2)
        program.send_signal(signal.SIGINT)
        assert program.stdout.readline() == "kept\n"


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at the ends of a named pipe")
def test_a_check_ends_after_ctrl_c(tmp_path: Path) -> None:
    proof = tmp_path / "whole.proof"
    pw.certificate(pw.position("connect-four:5x4"), proof, threads=1)
    os.mkfifo(tmp_path / "pipe")
    # The check reads its certificate from a pipe. After Ctrl-C it must not wait for the rest.
    script = """
import os, select, signal, threading
import proofwood as pw
signal.signal(signal.SIGINT, signal.default_int_handler)
whole = open("whole.proof", "rb").read()
raised = threading.Event()
def feed():
    with open("pipe", "wb", buffering=0) as pipe:
        pipe.write(whole[: len(whole) // 2])
        os.kill(os.getpid(), signal.SIGINT)
        raised.wait()
        # Linux reports a closed pipe here if its other end is closed already, or else below.
        try:
            pipe.write(whole[len(whole) // 2 :][:1])
        except BrokenPipeError:
            pass
        end = select.poll()
        end.register(pipe, 0)
        print("given up" if end.poll(30_000) else "it waits for the rest")
feeder = threading.Thread(target=feed)
feeder.start()
try:
    print(pw.check("pipe"))
except KeyboardInterrupt:
    raised.set()
feeder.join()
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("given up\n", "")
