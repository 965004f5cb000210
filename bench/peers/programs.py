"""Runs a program of steps (bench/src/alphas/steps.ts) in a peer's vocabulary, each step once, in order."""
import sys

from panel_input import PanelInput
from turns import serve, timed

OPERATORS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "^": "power", "<": "less", "<=": "less_equal", ">": "greater",
    ">=": "greater_equal", "==": "equal", "or": "either", "and": "both", "?:": "choose", "negative": "negative", "not": "opposite",
    "abs": "absolute", "max": "larger", "min": "smaller",
}


def run(peer, steps):
    values = []
    for step in steps:
        if step["do"] == "number":
            values.append(step["numbers"][0])
        elif step["do"] == "field":
            values.append(peer.field(step["key"]))
        elif step["do"] == "group":
            values.append(step["key"])
        else:
            method = getattr(peer, OPERATORS.get(step["do"], step["do"]))
            values.append(method(*(values[place] for place in step["args"]), *(int(n) if n == int(n) else n for n in step["numbers"])))
    return values[-1]


def main(make):
    """`make(panel)` answers the peer; it has `load(fields)` (untimed), the vocabulary, and `dense(value)` → days × securities."""
    panel = PanelInput(sys.argv[1])
    peer = make(panel)

    def answer(question):
        peer.load(panel.moved(question["turn"]))
        told, value = timed(lambda: run(peer, question["steps"]))
        if "to" in question:
            peer.dense(value).astype("float64").tofile(question["to"])
        return told

    serve(answer)
