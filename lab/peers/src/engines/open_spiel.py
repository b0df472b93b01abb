"""OpenSpiel's Monte Carlo tree search, for `peers match`.

Arguments: the game and the seconds for a move. Reads a line of moves from the start of the game,
and answers with the move that it chooses and the processor time that it took, line by line.
"""

import sys
import time

import pyspiel


def name(game, action, text):
    """A move as Proofwood writes it."""
    if game == "connect_four":
        return str(action + 1)
    text = text.rstrip("*")
    if game == "breakthrough":  # Its first player begins at the top.
        return "".join(str(9 - int(c)) if c.isdigit() else c for c in text)
    return text


def actions(game, state):
    """The legal moves by their names."""
    return {name(game, a, state.action_to_string(a)): a for a in state.legal_actions()}


def main():
    game, seconds = sys.argv[1], float(sys.argv[2])
    rules = pyspiel.load_game(game)
    for number, line in enumerate(sys.stdin):
        state = rules.new_initial_state()
        for move in line.split():
            state.apply_action(actions(game, state)[move])
        started = time.process_time()
        bot = pyspiel.MCTSBot(
            rules,
            pyspiel.RandomRolloutEvaluator(1, number + 1),
            2.0,  # uct_c, as in its examples
            1_000_000_000,  # simulations: the time ends it
            1_000,  # MB
            True,  # solve
            number + 1,
            False,
            max_wall_clock_time=seconds,
        )
        chosen = bot.step(state)
        took = time.process_time() - started
        names = {a: text for text, a in actions(game, state).items()}
        print(names[chosen], took, flush=True)


main()
