"""The peer's end of bench/src/worker.ts: a line of JSON each way."""
import json
import sys
import time


def serve(answer, ready=True):
    _say({"ready": ready})
    for line in sys.stdin:
        try:
            _say(answer(json.loads(line)))
        except Exception as error:  # what a peer cannot do is told, not fatal
            _say({"error": f"{type(error).__name__}: {error}"[:300]})


def timed(work):
    """The run as worker.ts wants it, and what came out."""
    cpu, clock = time.process_time(), time.perf_counter()
    value = work()
    return {"ms": (time.perf_counter() - clock) * 1000, "cpu": (time.process_time() - cpu) * 1000}, value


def _say(told):
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
