"""How a trainer takes batches from the process that makes them."""
import pickle
from queue import Empty


def take(queue, feeder):
    """The next of the pickled batches; fails if the process that makes them has ended, so that a fault in the corpus ends the run."""
    while True:
        try:
            return pickle.loads(queue.get(timeout=5))
        except Empty:
            if not feeder.is_alive() and queue.empty():
                raise RuntimeError("The process that makes the batches has ended; its error stands above.") from None
