"""Plays a game through python-chess's engine client.

python-chess only knows chess. Its `Board`, given the moves of Breakthrough, lets its client
check every move and every line of play of the engine. Usage:
uci_client.py PROGRAM. Ends with 77 where python-chess is missing.
"""

import random
import sys

try:
    import chess
    import chess.engine
except ImportError as error:
    print(error)
    sys.exit(77)


class Breakthrough(chess.Board):
    """A board whose pawns move one step ahead: straight to an empty square, or diagonally."""

    uci_variant = "breakthrough"
    starting_fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"

    def __init__(self, fen=starting_fen, chess960=False):
        super().__init__(None, chess960=chess960)
        if fen:
            self.set_fen(fen)

    def is_over(self):
        ends = self.occupied_co[chess.WHITE] & chess.BB_RANK_8
        ends |= self.occupied_co[chess.BLACK] & chess.BB_RANK_1
        return bool(ends) or not all(self.occupied_co)

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        if self.is_over():
            return
        own = self.occupied_co[self.turn]
        step = 1 if self.turn == chess.WHITE else -1
        for square in chess.scan_forward(own & from_mask):
            rank = chess.square_rank(square) + step
            for file in range(chess.square_file(square) - 1, chess.square_file(square) + 2):
                if not (0 <= file < 8 and 0 <= rank < 8):
                    continue
                to = chess.square(file, rank)
                straight = file == chess.square_file(square)
                blocked = self.occupied if straight else own
                if not blocked & chess.BB_SQUARES[to] and to_mask & chess.BB_SQUARES[to]:
                    yield chess.Move(square, to)

    generate_pseudo_legal_moves = generate_legal_moves

    def is_pseudo_legal(self, move):
        return move in self.generate_legal_moves()

    def is_legal(self, move):
        return self.is_pseudo_legal(move)

    def push(self, move):
        """Plays a move; no pawn may be captured en passant."""
        self.ep_square = None
        super().push(move)
        self.ep_square = None

    def status(self):
        return chess.STATUS_VALID


def play(engine, seed):
    """Plays a game against random moves; returns its number of moves."""
    chance = random.Random(seed)
    board = Breakthrough()
    while not board.is_over():
        if board.turn == (seed % 2 == 0):
            limit = chess.engine.Limit(nodes=100)
            result = engine.play(board, limit, game=seed, info=chess.engine.INFO_ALL)
            assert result.move in board.legal_moves, result
            assert result.info["score"].relative is not None, result
            # The client has played the line on its board, so every move is legal.
            assert result.info["pv"][0] == result.move, result
            board.push(result.move)
        else:
            board.push(chance.choice(list(board.legal_moves)))
    assert engine.analyse(board.root(), chess.engine.Limit(time=0.05))["nodes"] > 0
    return board.ply()


command = [sys.argv[1], "uci", "breakthrough", "--threads", "1"]
with chess.engine.SimpleEngine.popen_uci(command) as engine:
    assert engine.id["name"].startswith("Proofwood"), engine.id
    assert "Threads" in engine.options and "UCI_Variant" in engine.options
    engine.configure({"Hash": 32, "c-pn": "0.5"})
    print([play(engine, seed) for seed in range(4)])
    # The client ends an endless search.
    with engine.analysis(Breakthrough()) as analysis:
        for info in analysis:
            if info.get("nodes", 0) > 1000:
                break
    engine.ping()
