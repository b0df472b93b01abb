"""Tests `proofwood analyze` with a client in plain Python: queries from two threads at once,
answers in any order, saved trees, and the end. Usage: json_client.py PROGRAM FOLDER.
"""

import json
import subprocess
import sys
import threading


class Client:
    """Runs the program and collects its answers."""

    def __init__(self, *arguments):
        command = [sys.argv[1], "analyze", *arguments]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.answers = {}
        self.came = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.writing = threading.Lock()

    def read(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            with self.came:
                self.answers.setdefault(answer["id"], []).append(answer)
                self.came.notify_all()

    def ask(self, **query):
        with self.writing:
            self.process.stdin.write(json.dumps(query) + "\n")
            self.process.stdin.flush()

    def wait(self, name, count=1):
        with self.came:
            there = self.came.wait_for(lambda: len(self.answers.get(name, [])) >= count, 60)
            assert there, (name, self.answers)
            return self.answers[name]

    def end(self):
        self.process.stdin.close()
        self.reader.join()
        return self.process.wait()


client = Client("--jobs", "2", "--threads", "1", "--trees", sys.argv[2])


def many(prefix):
    for number in range(50):
        game = ["tic-tac-toe", "connect-four", "othello"][number % 3]
        client.ask(id=f"{prefix} {number}", game=game, turns=[0], playouts=20)


threads = [threading.Thread(target=many, args=(prefix,)) for prefix in "ab"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
client.ask(id="text ☃", game="tic-tac-toe", moves="b2", algorithm="auto")
assert client.wait("text ☃")[0]["proven"] == "draw"
client.ask(id=1.5, game="othello", time="1h", every=0.05)
assert not client.wait(1.5, 2)[0]["done"]
client.ask(id="end", ask="stop", which=1.5)
assert client.wait("end")[0]["stopped"]
# A search that continues another.
client.ask(id="save", game="othello", playouts=500, save_tree="a.tree")
assert client.wait("save")[0]["saved_tree"] == "a.tree"
client.ask(id="load", game="othello", playouts=500, load_tree="a.tree")
first, second = client.wait("save")[0], client.wait("load")[0]
visits = [sum(info["visits"] for info in answer["moves"]) for answer in (first, second)]
assert visits[1] > visits[0] + 490, visits
client.ask(id="wrong", game="othello", moves="a1")
assert client.wait("wrong")[0]["field"] == "moves"
assert client.end() == 0
final = [answer for answer in client.answers[1.5] if answer["done"]]
assert len(final) == 1 and final[0]["stop_reason"] == "cancelled", final
for prefix in "ab":
    for number in range(50):
        (answer,) = client.answers[f"{prefix} {number}"]
        assert answer["playouts"] == 20 and answer["moves"][0]["visits"], answer
print("ok")
