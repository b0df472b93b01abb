"""Plays games between this program, as OpenSpiel's GTPBot, and random moves.

OpenSpiel has its own rules. At every position both must list the same legal moves, and at the
end the same winner. Usage: openspiel.py PROGRAM. Ends with 77 where OpenSpiel is missing.
"""

import random
import sys

try:
    import pyspiel
    from open_spiel.python.bots import gtp
except ImportError as error:
    print(error)
    sys.exit(77)

# OpenSpiel's game, ours, and the number of games to play.
GAMES = [
    ("hex(board_size=5)", "hex:5", 6),
    ("othello", "othello", 4),
    ("clobber(rows=5,columns=6)", "clobber:6x5", 6),
]


def check(state, bot):
    """Checks that both have the same legal moves."""
    theirs = sorted(state.action_to_string(action).lower() for action in state.legal_actions())
    ours = sorted(bot.gtp_cmd("gogui-rules_legal_moves").split())
    assert theirs == ours, f"{state}\ntheirs {theirs}\nours   {ours}"


def play(theirs, ours, seed):
    """Plays one game; the seed's parity is our seat."""
    chance = random.Random(seed)
    game = pyspiel.load_game(theirs)
    command = [sys.argv[1], "gtp", ours, "--letters", "plain", "--playouts", "50"]
    bot = gtp.GTPBot(game, command + ["--threads", "1", "--seed", str(seed)])
    assert bot.name == "proofwood"
    bot.restart()
    state = game.new_initial_state()
    while not state.is_terminal():
        check(state, bot)
        player = state.current_player()
        if player == seed % 2:
            action = bot.step(state)
            assert action in state.legal_actions()
        else:
            action = chance.choice(state.legal_actions())
            bot.inform_action(state, player, action)
        state.apply_action(action)
    score = bot.gtp_cmd("final_score")
    first = state.returns()[0]
    assert score[0] == ("b" if first > 0 else "w" if first < 0 else "0"), (score, first)
    bot.close()
    return state.returns()[seed % 2]


for theirs, ours, count in GAMES:
    results = [play(theirs, ours, seed) for seed in range(count)]
    print(f"{ours}: {count} games, {sum(result > 0 for result in results)} won")
