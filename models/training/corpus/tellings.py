"""How people tell several things at once, tell them in passing, correct them, and ask for them in general words."""
import re

from . import correction_phrasings, lexicon, memory_phrasings, told_again, told_asides
from .grammar import choose, expand
from .keepsakes import ANYTHING, FAVORITES, NAMED, NUMBERED, PUT

CLAUSES = {
    "name": ["[my name is|my name's|I am|I'm|I'm called|they call me|my friends call me|everyone calls me|you can call me] {x}"],
    "city": ["I [live|am living] in {x}", "[I'm|I am|I come] from {x}", "[my home is|I have a flat|I rent a room|my family lives] in {x}", "[I've lived|I have lived] in {x} for years", "my home town is {x}"],
    "color": ["my [favorite|favourite] [color|colour] is {x}", "I [like|love] the color {x}", "the color I like best is {x}"],
    "job": ["I [work|earn my living] as a {x}", "[I'm|I am] a {x}", "my [job|profession] is {x}", "I make a living as a {x}"],
    "pet": ["[I have|I've got] a dog [called|named] {x}", "my dog is [called|named] {x}", "my dog's name is {x}", "I walk my dog {x} every morning"],
    "number": ["my [lucky |favorite ]number is {x}", "the number is {x}"], "code": ["[the|my] code is {x}", "the door code is {x}"], "word": ["the [secret |magic |]word is {x}"],
    "age": ["[I'm|I am] {x}[ years old]*", "I [just |]turned {x}", "my age is {x}"], "food": ["my favorite food is {x}", "I [love|like] [to eat|eating] {x}", "I could eat {x} every day"],
    "friend": ["my best friend is [called |]{x}", "I have a best friend [called|named] {x}", "my best friend's name is {x}"],
    "appointment": ["[my appointment|my meeting] is at {x}", "I have an appointment at {x}", "my meeting starts at {x}"],
    "company": ["I work [for|at] {x}", "my employer is {x}", "I have a job at {x}"], "birthday": ["my birthday is[ on|] {x}", "I was born on {x}"], "allergy": ["[I'm|I am] allergic to {x}", "I have an allergy to {x}"],
    "language": ["[I'm|I am] learning {x}", "I study {x}"], "trip": ["[I'm|I am] [flying|going|travelling] to {x} [soon|next week|tomorrow|in spring]", "I have a trip to {x} coming up"],
    "car": ["I drive a {x}", "my car is a {x}"], "hobby": ["my hobby is {x}", "I [love|enjoy] {x} in my free time", "I spend my weekends on {x}"], "instrument": ["I play the {x}"], "favorite drink": ["my favorite drink is {x}", "I mostly drink {x}"],
    "room number": ["[I'm|I am] in room {x}", "my room number is {x}"], "table": ["I have table {x}", "my table is {x}"], "flight": ["I fly with flight {x}", "my flight is {x}"], "hotel": ["[I'm|I am] staying at {x}, my hotel", "my hotel is {x}"],
    "school": ["I go to school at {x}", "my school is {x}"]}
"""Facts as parts of a sentence, after which 'and' can follow."""
for _k, _lines in told_again.CLAUSES.items():
    CLAUSES.setdefault(_k, []).extend(_lines)
for _k in NAMED:
    CLAUSES.setdefault(_k, [f"my {_k} is [called|named] {{x}}", f"my {_k}'s name is {{x}}", f"[I have|I've got] {lexicon.article(_k)} [called|named] {{x}}", f"{{x}} is my {_k}"])
for _k in FAVORITES:
    CLAUSES.setdefault(f"favorite {_k}", [f"my [favorite|favourite] {_k} is {{x}}", f"the {_k} I like best is {{x}}"])
for _k in NUMBERED:
    _the = NUMBERED[_k][1]
    CLAUSES.setdefault(_k, [f"{_the} {_k} is {{x}}"])
for _k in ANYTHING:
    CLAUSES.setdefault(_k, [f"my {_k} is {{x}}", f"{{x}} is my {_k}"])
for _k, _v in PUT.items():
    CLAUSES[f"place of {_k}"] = [f"my {_k} {_v} {{x}}", f"I [put|left|keep] my {_k} {{x}}"]

COMBINED = [
    "[I'm|I am|my name is|this is] {name}[ from| and I'm from| and I live in| and I come from|, living in|, I live in| and my home is in] {city}", "{name} from {city} here",
    "[greetings|hello|hi] from {city}, [I'm|my name is|this is] {name}", "[I'm|I am|my name is] {name}[, a| and I'm a| and I work as a|, I work as a|, working as a] {job}",
    "[I'm|I am|my name is] {name}[, | and I'm | and I am |, aged ]{age}", "[I'm|I am] {name}, {age} years old", "[I'm|I am] {age} and my name is {name}",
    "[I'm|I am|my name is] {name}[, a {job} from| and I'm a {job} from|, I work as a {job} and live in|. I work as a {job} in|, a {job} living in|, I live and work as a {job} in] {city}",
    "[I'm|my name is] {name}[ from {city} and|, I live in {city} and I|. I live in {city}, where I] work as a {job}", "[I'm|I am|my name is] {name}[, {age}, from|, {age} years old, from|, I'm {age} and I live in] {city}",
    "[I'm|I am|I work as] a {job} [in|from] {city}", "[I'm|I am] a {age}-year-old {job}", "[I'm|I am] {age} and [I |]work as a {job}", "[I'm|I am] a {age}-year-old {job} from {city}",
    "[I'm|I am] {age}[ and live in| and I live in|, living in| and come from] {city}", "I live in {city} with my dog {pet}", "[I'm|I am|my name is] {name} and [my dog is called|this is my dog|my dog is|I have a dog named] {pet}",
    "[I have|I've got|we have] a dog [called|named] {pet} and a cat [called|named] {cat}", "[at home I have|I have] two pets: {cat} the cat and {pet} the dog", "[I have|I've got] a sister[, {sister},| called {sister}| named {sister}] and a brother[, {brother}| called {brother}| named {brother}]",
    "my sister is {sister} and my brother is {brother}", "I have two kids: my son {son} and my daughter {daughter}", "my mother is called {mother} and my father {father}", "[I'm|I am|I work as] a {job} at {company}",
    "[I'm|I am|this is] {name} [from|and I work for|and I work at|, I work for] {company}", "[I'm|this is|my name is] {name} and I have an appointment at {appointment}", "I have table {table} at my hotel, {hotel}",
    "I live in {city} with my wife {wife}", "I live in {city} with my husband {husband}", "I share a flat in {city} with my roommate {roommate}", "[I'm|my name is] {name} and [my birthday is on|I was born on] {birthday}",
    "I love to eat {food} and [my favorite drink is|I always drink] {favorite drink}", "my favorite color is {color} and my favorite food {food}", "[I'm|I am] allergic to {allergy}, but I love [to eat |]{food}", "[I'm|my name is] {name} and my best friend is[ called|] {friend}",
    "my flight is {flight} and it leaves from gate {gate}", "my flight is {flight}, seat {seat}", "[I'm|I am] in room {room number} and the wi-fi password is {wi-fi password}", "my hobby is {hobby} and [I'm|I am] learning {language}",
    "I work as a {job}, but my hobby is {hobby}", "[I'm|my name is] {name} and my hobby is {hobby}", "I live in {city} and my sister is called {sister}", "I work for {company} and my boss is called {boss}"]
"""Facts that share a sentence."""
COMBINED += memory_phrasings.COMBINED
KINDS_OF = {line: [k for k in sorted(CLAUSES, key=len, reverse=True) if "{" + k + "}" in line] for line in COMBINED}
JOINTS = [", ", " and ", " and ", ", and ", ", also ", " and by the way ", "; ", ". "]
FRAMES = ["[By the way|Oh|FYI|Just so you know|Before I forget|A quick note|For later|For the record|Some background|A bit about me|Something about me|Let me introduce myself|Note|Remember this|Remember|Well|So|Hi|Hello|Hey|OK][,|:] @.",
    "[Keep in mind|Remember|Don't forget|Please note|You should know|I want you to know|Let me tell you|I should mention|I should add|Please remember] that @.", "[Save|Store|Note|Keep] this[ for later| for me|]: @.",
    "@[, just so you know|, by the way|, in case you need it later|, I'll ask you later|, please remember that|, okay|, keep it in mind].", "@. [I may ask you later.|Remember it for me.|Keep that in mind.|Don't forget it.|Memorize that.|You will need it later.|I will test you on it.]",
    "[Let's get started|I'm new here|Nice to meet you|We have not met|Let's chat|Good to be here|It's been a long day|The weather is nice today][.|!] @.", "@.", "@.", "~It may interest you that @.", "~Put this on record: @."]
RECALL = ["[Earlier|Before|A moment ago|At the start] I [told you|mentioned|said|gave you] my {n}. [What was it|What is it|Can you say it|Can you repeat it]?", "[I forgot|I can't remember|I don't recall] my {n}. [What is it|Help me|Can you help|What did I tell you]?",
    "What [did I say|did I tell you] [my {n} is|my {n} was|about my {n}]?", "[Remind me|Tell me again|Now tell me|Quick|One question|So]: what [is|was] my {n}?", "[I need|Someone needs|They ask for] my {n}[ for a form| now| again|]. What [is it|should I write]?",
    "[Given|From|Based on|According to] what I [told you|said|wrote][ earlier|], what is my {n}?", "You know my {n}, [right|don't you]? [What is it?|Say it.]", "My {n}, [what was it again|do you still know it|can you say it]?", "[Do|Can] you still [remember|recall] my {n}?",
    "[Let's see if you remember|Memory test|Test|Let me test you|Let me see if you listened]: what is my {n}?", "[Have you got|Did you note|Did you save] my {n}? What is it?", "[If someone asks|If I ask you] for my {n}, what [do|will] you say?", "~Were you listening when I told you my {n}?", "~Surely you noted my {n}?"]
NOUNS = {"pet": "dog's name", "friend": "[best |]friend's name", "color": "favorite color", "food": "favorite food", "city": "[city|home town]", "job": "[job|profession]", "name": "name", "age": "age",
    "number": "number", "code": "code", "word": "[secret |]word", "company": "employer", "birthday": "birthday", "allergy": "allergy", **{k: f"{k}'s name" for k in NAMED}, **{f"favorite {k}": f"favorite {k}" for k in FAVORITES},
    **{k: k for k in [*NUMBERED, *ANYTHING] if k != "wi-fi password"}}
ABOUT_ME = ["What [do you know|have I told you|did I tell you|have you learned|do you remember] about me[ so far|]?", "[Tell me|List|Say|Repeat] [everything|all|what] you know about me[.|?]", "What have I told you [so far|until now]?", "[Sum up|Summarize] what I told you[ about me|].",
    "~Which facts about me do you have?"]
CORRECTED = ["[Actually|Sorry|No|No, sorry|Wait|Oh wait|Hmm, no|My mistake|Correction|I was wrong], [it's|it is|that's|it should be] {y}, not {x}.", "[Actually|Sorry|No|No, sorry|Wait|I meant|Correction:] {y}, not {x}.", "Not {x}[, but|, it's|. It's|,] {y}.",
    "I meant {y}[, not {x}|, sorry].", "[Make that|Change that to|Change it to|Let it be] {y}[, please|].", "[Change|Correct] {x} to {y}[, please|].", "{x} [is|was] wrong[, it's|. It's|, the right one is] {y}.", "I said {x}[, but it's| but I meant|, I meant] {y}.",
    "[Sorry|Oops|Wait|No|Hold on], [that should be|I meant to say|it must be|I should have said] {y}.", "[It's|It is] {y}, not {x}[, sorry|].", "Forget {x}[, it's|. It's|: it's] {y}.", "[Please |]replace {x} [with|by] {y}.", "~{x}? I misspoke, {y} it is.", "~Strike {x} and put {y}."]
LATER = {"city": ["I used to live in {x}, but now I live in {y}.", "I moved from {x} to {y}.", "I left {x} and live in {y} now."], "job": ["I used to be a {x}, but now I work as a {y}.", "I changed jobs, from {x} to {y}."],
    "color": ["I used to like {x}, but now my favorite color is {y}."], "food": ["I used to love {x}, but now my favorite food is {y}."], "company": ["I used to work for {x}, now I work for {y}.", "I left {x} and now I work for {y}."],
    "appointment": ["My appointment was moved from {x} to {y}.", "My appointment is not at {x} anymore, it is at {y}."], "room number": ["I moved from room {x} to room {y}."], "code": ["The code was {x}, but it was changed to {y}."],
    "wi-fi password": ["The wi-fi password was {x}, but now it is {y}."], "password": ["My password was {x}, now it is {y}."]}
JOBS = lexicon.JOBS + "nurse,cook,mechanic,student,journalist,librarian,waiter,carpenter,translator,photographer,musician,programmer,scientist,judge,soldier,sailor,tailor,barber,florist,vet,cashier,postman,surgeon,butcher,dancer,biologist,consultant,banker,builder".split(",")
FRAMES += memory_phrasings.FRAMES
RECALL += memory_phrasings.RECALL
ABOUT_ME += memory_phrasings.ABOUT_ME
CORRECTED += memory_phrasings.CORRECTED + correction_phrasings.CORRECTED
for _k, _lines in correction_phrasings.LATER.items():
    LATER.setdefault(_k, []).extend(_lines)


def begin(text):
    """A capital at the start, but not of a value."""
    return text if text.startswith("{") else text[0].upper() + text[1:]


def slot(kind):
    """How a kind is named in a template."""
    return "{" + re.sub(r"\W", "_", kind) + "}"


def combined(r):
    """(kinds, a sentence that tells them)."""
    line = r.choice(COMBINED)
    text = expand(r, line)
    for kind in KINDS_OF[line]:
        text = text.replace("{" + kind + "}", slot(kind))
    return sorted(KINDS_OF[line], key=lambda kind: text.index(slot(kind))), text


def filled(template, told):
    """The values in their slots, with the article that they need."""
    for kind, value in told.items():
        name, value = slot(kind), str(value)
        if re.match(r"[aeiouAEIO]|8|11\b|18\b", value):
            template = re.sub(r"\b([Aa]) (?=%s)" % re.escape(name), r"\1n ", template)
        template = template.replace(name, value)
    return template


def one(r, kind):
    """A fact as a clause, its slot named by the kind."""
    return expand(r, choose(r, CLAUSES[kind])).replace("{x}", slot(kind))


def compound(r, kinds):
    """Some facts in one sentence; what follows 'I' need not repeat it."""
    clauses, text = [one(r, k) for k in kinds], ""
    for i, c in enumerate(clauses):
        joint = " and " if i == len(clauses) - 1 and r.random() < 0.7 else r.choice(JOINTS)
        if i and joint in (" and ", ", ") and c.startswith("I ") and clauses[i - 1].startswith("I ") and (joint != ", " or i < len(clauses) - 1) and r.random() < 0.6:
            c = c[2:]
        text += (joint if i else "") + (begin(c) if joint == ". " else c)
    return text


def framed(r, text):
    """Clauses as a message of its own."""
    out = expand(r, choose(r, FRAMES)).replace("@", text if text.startswith(("I ", "I'", "{")) else text[0].lower() + text[1:])
    return told_asides.beside(r, begin(out)) if r.random() < 0.15 else begin(out)


def recall(r, kind):
    """A question in general words, or None where there is no word for the thing."""
    noun = NOUNS.get(kind)
    return noun and expand(r, choose(r, RECALL)).replace("{n}", expand(r, noun))
