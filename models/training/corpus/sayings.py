"""Ordinary sentences, as people write and say them: to be copied, not to be answered."""
import re

from . import filler, lexicon
from .grammar import expand

STATEMENTS = [
    "[The|Our|The next] [meeting|class|train|bus|concert|film|show] [starts|begins|leaves] at [nine|noon|{h}|half past six][ tomorrow| on {w}| this evening|].", "[We|They|My parents|The kids] [went|walked|drove] to the [beach|park|market|lake|library] [yesterday|last {w}|after lunch|in the rain].",
    "[The|A|My] [cat|dog|child|bird|neighbor] [sleeps|sat|waits|is hiding] [under the table|by the window|on the roof|behind the {n}].", "[I|We] [will|would like to|have to|want to] [visit|call|meet|help] {p} [next week|on {w}|after work|in {m}].",
    "[It|Today it] [is|was] [too|very|so] [cold|warm|windy|quiet|dark] [to go outside|for a walk|in the office|for {m}].", "{p} [bought|lost|found|sold|broke] [a|the|her|his] [{a} |]{n} [in {city}|last {w}|by accident|for ten euros|].",
    "[Please|Kindly] [close|open|lock|clean] the [door|window|gate|kitchen] [before you leave|when you come in|every evening|].", "[Never|Always|Do not] [leave|forget|touch|open] the {n} [at home|in the {n2}|without asking|on {w}].",
    "[Nobody|Everybody|Someone|No one] [knows|saw|remembers|asked about] [the {n}|what happened|the old {j}|where {p} lives].", "[The|This] [soup|coffee|tea|bread|cake] [is|was|tastes] [cold|too sweet|very good|ready|burnt].",
    "[Good|Bad|Great|No] news [travels fast|is good news|came today|from {city}].", "[A|One] [stitch in time saves nine|picture is worth a thousand words|friend in need is a friend indeed|step at a time is enough].",
    "[The early bird catches the worm|Practice makes perfect|Better late than never|Honesty is the best policy|Time flies when you have fun|Silence is golden|Actions speak louder than words|Slow and steady wins the race].",
    "[All|Most|Some|Few] [birds|people|students|cats|trees|cities] [like|need|have] [water|music|sunlight|time|a {n}].", "[My|Her|His|Our] [brother|sister|teacher|boss|friend] [lives|works|studies] in {city}[ and likes it| since {m}|].",
    "[There is|There was|Here is] [a|no] {n} [on the {n2}|in the garden|for everyone].", "[You|We|They] [can|should|must|cannot] [park|sit|smoke|eat|wait] here[ until {h}| today| any longer|].", "[Your|The] [order|package|ticket|room|table|password] [is ready|has arrived|was sent|was changed|is not valid][ today|].",
    "[I am|I was|She was|He was] not [sure|hungry|ready|at home][ yet| today|].", "[Happy birthday|Good luck|Welcome back|Congratulations|Good morning|Get well soon], {p}!", "[What a|Such a] [lovely|strange|long|busy] [day|story|song|trip]!",
    "[The|A] [{a} ][fox|rabbit|horse|bear] [jumps over|runs past|looks at] the [lazy|{a}|sleeping] [dog|{j}|cat].", "[In the|One] [morning|evening|winter|spring] the [sky|river|street|garden] [turned|became|was] [red|white|silent|full of light].",
    "[I|We] have {d} [{n}s|reasons|new messages|unread books] and [no|only one|a] {n2}.", "[If|When] it rains[,| again,] we [stay|eat|play|work] [inside|at home|in the {n}].", "[Dogs|Cats|Stars|Rivers|Books|Clouds] are [{a}|everywhere|{c}|good company].",
    "Roses are red[ and violets are blue|, violets are blue|].", "[Access|Permission|Payment] [granted|denied|pending].", "[Thank you|Thanks] for [your help|calling|waiting|the {n}|coming to {city}].", "The [password|answer|secret|capital|winner] is [{n}|not here|{p}|unknown|{city}].",
    "[{p} and {p2}|{p}] [will be|was never|cannot be] there [at {h}|on {w}|in time].", "[Bring|Take|Buy|Leave] {d} {n}s and [a|the] {n2}[, please|, {p}|].", "[We|They|You] have {d} [minutes|hours|days] [left|to go|until {w}].",
    "{p}'s [dog|car|sister|{n}] is [{a}|at home|in {city}|very old].", "[I|We|She] didn't [see|hear|find|forget] [{p}|the {n}|anything].", "[Don't worry|No|Yes|Well|Oh|Look], [it's only a {n}|the {n} is {a}|we are late|that's {p}].", "[At|Around] {h} [the {n} was closed|{p} called|we ate lunch].",
    "[Two|Three|{d}] {n}s and [one|a] {n2} make a [good|strange|long] [story|day|meal].", "[The {j}|My boss|Our teacher] said: [wait here|go home|never again|that is enough].", "[It's|That's|This is] [fine|true|too late|not my {n}|the best {n} in {city}][!|.|]", "[Chapter|Part|Page|Room|Day] {d} [is about {t}|was {a}|is missing].",
    "[Let's|We should|Shall we] [meet|eat|talk|leave] [at {h}|on {w}|near the {n}].", "[Sorry|Excuse me|Listen], [{p}|I] [forgot|lost|sold] the {n}.", "Since {w} the [shop|pool|{n}] is [open|closed]."]
QUESTIONS = ["[Where|When|How|Why] did [you|they|{p}] [go|leave|sleep|find it]?", "[Where is|Who has|Who took] [the {n}|my {n}|the key]?", "[Can|Could|Will] [you|we|{p}] [help me|come later|open the {n}|wait a minute]?", "What [time is it|is your name|day is it|is the matter|happened]?",
    "What is the capital of [France|Spain|{city}|Peru]?", "How much is [the {n}|{d} and {d}]?", "[Is|Was] [it|the {n}|dinner] [ready|open|{a}|far]?", "Who [are you|is there|wrote this|lives here]?", "Are we there yet?", "To be or not to be?", "[Do|Did] you [like|see|buy|need] the {a} {n}?", "[May|Should|Can] I [open|take|use|sell] [the {n}|your {n}]?", "Which {n} is {a}?", "How [old|long|far|big] is the {n}?", "[Isn't|Wasn't] that {p}?", "Why is the {n} [so {a}|{c}|here]?",
    "Does {p} [live|work] in {city}?", "What's [new|up|wrong|the {n} for], {p}?", "Is it {h} [already|yet|now]?"]
SHORT = ["[Hello world|Good night|See you soon|No problem|Not today|Never mind|Yes, sir|Of course|Be careful|Come in|Keep calm|All done|Ready, steady, go|Open sesame|Mission complete|Out of order|Do not disturb|No entry|Fresh paint|Happy new year][!|.|]",
    "[Yes|No|Maybe|Done|Stop|Ready|Understood|Banana|Hello]", "[the|a] {a} {n}", "{a}, {a2} and {c}", "{p} & {p2}", "[{n}|{n2}] no. {d}", "[{d}|Two|Three] {n}s", "{n} + {n2}", "[Ta-da|Hooray|Oops|Wow|Ouch|Hmm|Psst|Cheers]!", "[So far, so good|Here we go|Not again|Let it be|Who knows|Any time|Why not|Over and out|Roger that][!|.|]", "{w}, {h}", "[Long live|Beware of|Welcome to] [{city}|the {n}|the {a} {j}]"]


def made(r, line):
    """One of the sentences of a line, with a capital at the start."""
    text = filler._fill(r, expand(r, line).replace("{p2}", r.choice(lexicon.NAMES)))
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", re.sub(r" +([.!?,]|$)", r"\1", text.replace("  ", " ")))
    return text[0].upper() + text[1:]


def saying(r):
    """A statement, a question, or a few words; now and then two sentences."""
    lines = r.choices([STATEMENTS, QUESTIONS, SHORT], [68, 15, 17])[0]
    text = made(r, r.choice(lines))
    if lines is SHORT and r.random() < 0.4:
        text = text[0].lower() + text[1:]
    return f"{text} {made(r, r.choice(STATEMENTS))}" if lines is STATEMENTS and r.random() < 0.15 else text
