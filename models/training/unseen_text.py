"""Filler for the evaluation: the corpus's own, and ordinary prose that no training sample contains."""
from corpus import filler

PROSE = (
    "When the harbour froze that winter, the ferries stopped and the fishermen mended their nets indoors. "
    "The committee could not agree whether the old theatre should be restored or replaced by a library. "
    "Software updates are usually released in the spring, although urgent fixes may arrive at any moment. "
    "Her grandmother kept the recipes in a tin box, written in pencil on the backs of old envelopes. "
    "Rain fell steadily through the afternoon, and the footpath along the canal disappeared under water. "
    "Several researchers have argued that shorter working hours improve both health and productivity. "
    "The engine coughed twice, shuddered, and then ran as smoothly as it had on the day it was built. "
    "Visitors are kindly requested to leave their coats at the entrance before they enter the gallery. "
    "Nothing in the contract prevents either side from ending the agreement after six months. "
    "The orchestra rehearsed the difficult passage again and again until the conductor was satisfied. "
    "Most of the villagers had left for the city years before the new road was finally opened. "
    "A thin layer of dust covered everything, as if the house had been waiting for someone to return. "
    "Customers who ordered before noon will receive their deliveries on the following business day. "
    "He explained, rather patiently, that the map was upside down and the valley lay behind them. "
    "The museum closes early in December, but the café next door stays open until late in the evening. "
    "Every migration of the database must be tested on a copy before it is applied to the real system."
).replace(". ", ".\n").split("\n")


def filler_of(r, tokens, tokenizer, unseen):
    """Sentences that together have at most `tokens` tokens."""
    out, size = [], 0
    while True:
        sentence = r.choice(PROSE) if unseen else filler.sentence(r)
        size += len(tokenizer.encode(" " + sentence))
        if size > tokens:
            return out
        out.append(sentence)
