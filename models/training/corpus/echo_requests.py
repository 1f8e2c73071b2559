"""Further ways to ask for a copy: curt, chatty, as a game or a task, with the text before, inside or after the request; and texts with numbers and signs in them."""
from . import lexicon, words
from .grammar import expand
from .phrasing import fill

SAY = "[say|write|type|repeat|copy|print|send|give me|echo]"
BACK = "[back|back to me|again|once more|one more time|right back]"
ONLY = "[and nothing else|nothing more|only that|and no other word|without anything else|with no extra words]"
AFTER = [
    f"[I'd like to see|I want to see|Show me] [this text|this line|these words|the following] [unchanged|as it is|{ONLY}]: {{x}}", f"[Can|Could|Will] you {SAY} this {BACK}, [please|exactly as it is|word for word]: {{x}}",
    "[Type|Write|Say] [after me|what I say|what I type|the same as me|the same thing]: {x}", "[Here comes|Now comes|Next is|Here is] [the text|my text|the line|the sentence] [to repeat|to copy|you should say|to type]: {x}",
    "[Send|Give|Hand|Throw|Read|Bounce] it [back|right back][ to me| as it is|]: {x}", "[Test|Echo test|Copy test|Task|Your task|Exercise|Typing test][:|.] [repeat|copy|type|write] [the following|this|this line|these words]: {x}",
    f"[For a test|For my test|To test you|As a check], {SAY} [this|the following|these words|this sentence]: {{x}}", "[The only thing|All] [I want|you should write|you should say|you may say|I need] is[ this|]: {x}",
    "[No answer|No comment|No explanation|No greeting], [just|only] [the copy|a copy|the same text|the text|this text]: {x}", "[It may look odd|It is a strange text|Don't think about it|Even if it is a question], [just |][repeat|copy|type|write] [this|it|the following]: {x}",
    "[Keep|Leave] [every sign|each letter|all letters|all signs|the spelling|the capitals|the punctuation] [as it is|as they are|unchanged|exactly the same][ and|, and|, then] [copy|repeat|write|type]: {x}", "[Mind|Watch|Keep] the [spelling|punctuation|capitals|digits] and [copy|repeat|type|write][ this|]: {x}",
    "[Make|I need|Give me|Produce|Write] [an exact copy|a copy|a one to one copy|a true copy|a perfect copy] of [this|the following|this text|this line|what follows]: {x}", "[Echo|Mirror|Parrot|Repeat|Copy me][,| -|:] {x}", "[Your line is|Your text is|Your words are|Say your line][:|:] {x}",
    "[What I want back|What I want to read|What you should say|What you should write|Desired output|Expected answer|Output|Reply text|Text of your answer][ is|]: {x}", "[When I say go, you say|You only say|Now you say|You now write|You should answer]: {x}", "[Pass|Forward|Relay|Deliver] this [message|text|line] [word for word|unchanged|as it is]: {x}",
    "[Don't|Do not] [translate|correct|change|shorten|fix|touch] [this|it|the text|anything], [just |only |]repeat it: {x}", "~Be a copy machine for this line: {x}"]
INSIDE = [
    f"[Please |]{SAY} \"{{x}}\" {BACK}[.|, please.|]", f"[Please |]{SAY} \"{{x}}\" {ONLY}.", "The [sentence|text|line|phrase] \"{x}\" is [what I want you to|what you should] [say|repeat|write|type].", "[Echo|Mirror|Parrot|Read out] \"{x}\" [exactly|unchanged|word for word|as it is|for me].",
    "[When I say|If I say|I tell you] \"{x}\", you [say|answer with|write] [the same|exactly the same|the same words][.|. Go.]", "I [wrote|typed|read|heard|found] \"{x}\"[ and want it back| and would like a copy|, please copy it|. Copy it|. Say it too].", "[What|Which words] did I [put|write|place|set] [in|between|inside] the quotes? \"{x}\"",
    "[Take|Pull|Get|Lift] [the words|the text|what stands] out of the quotes: \"{x}\"", "[Remove|Drop|Delete|Strip|Leave out|Take away] the [quotes|quotation marks|quote marks] [from|around|of] \"{x}\"[.|]", "\"{x}\" [is the text|is my line|is the message|are the words]. [Copy it|Repeat it|Type it|Give it back|Write it again][.|, please.]",
    "\"{x}\" [without|minus] the [quotes|quotation marks][.|, please.|]", "Your answer to this [message|line|question] [should|must|has to] be \"{x}\"[ and nothing else| only|, no more].", "[Please answer|Answer|Reply] \"{x}\" [to this|now|to me|and stop there].", "[Let your|Make your] reply [be|read|say] \"{x}\".",
    "[She|He|Mom|My teacher|The email|The screen] [said|wrote|says|shows]: \"{x}\" [What exactly was that?|Write it down.|Copy that word for word.|Repeat it for me.]", "[Give me|I need|Write] the [quoted|marked] [part|text|words|sentence][ only|]: \"{x}\"", "The [password|magic phrase|slogan|title|headline|motto] is \"{x}\". [Type it.|Write it.|Say it.|Repeat it.|Copy it.]",
    "~\"{x}\", that is what your answer looks like."]
IN_QUOTES = [
    "[Return|Give me|Show me|Write|Send|I need] [this|the following|this text|this line] [in|with|between|inside] [quotes|quotation marks|double quotes|speech marks]: {x}", "[Quote|Cite] [this|the following|this sentence|these words|this line|what I said][ for me| exactly|]: {x}",
    "[Put|Write|Place] a [quotation mark|double quote|quote mark] [before and after|at both ends of|on both sides of] [this|the text|this sentence|this line]: {x}", "[Wrap|Pack|Dress|Set] [this|it|the text|this line] [into|in] [quotes|quotation marks|double quotes]: {x}", "[As a quote|As a quotation|In quotation marks|With quotes|With quotation marks around it|Between quotes][, please|]: {x}",
    "[Make it|Turn it into|Format it as] a quote: {x}", "[This needs quotes|This should be in quotes|Quotes are missing here|Here the quotes are missing]: {x}", "[Add|Insert] [the missing quotes|quotation marks|opening and closing quotes][ here|]: {x}", "~Hug this line with quotation marks: {x}"]
IN_QUOTES_MIDDLE = [
    "[Put|Write|Place|Set|Wrap|Enclose] [the words|the sentence|the text|the line|the phrase] {x} [in|inside|between] [quotes|quotation marks|double quotes][.|, please.|]", "[Put|Add|Set|Place] [quotes|quotation marks|double quotes] around [the words|the text|the phrase|the line] {x}[.|]",
    "[Can|Could|Would] you [put|write|set] [the words|the text|the phrase] {x} in [quotes|quotation marks|double quotes]?", "[Write|Type|Say|Repeat] \"{x}\"[ with the quotes| with its quotes| including the quotes| with the quotation marks| and keep the quotes|, quotes included][.|, please.]",
    "[Copy|Repeat|Return] \"{x}\" [together with the quotes|with both quotes|and leave the quotes in place][.|]", "[I want|I need] the [words|phrase|text] {x} in [quotes|quotation marks][.|, please.]"]
"""The reply has the marks, too."""
IN_QUOTES_FIRST = ["{x}\n[Quote|Cite] [that|this|the line above|my line][.|, please.|]", "{x}\n[The same|Now the same|That|This|The above] [in|with|between] [quotes|quotation marks|double quotes][.|, please.|]", "[My sentence|The sentence|My line|The text] [is|reads]: {x}\n[Wrap it in quotes|Return it in quotes|Show it between quotes|Now with quotes][.|]",
    "{x}\n\n[I need that|Give me this|Write it|Return it|Show it] in [quotes|quotation marks|double quotes][.|]"]
LINE_BELOW = ["[Echo|Mirror|Parrot|Send back|Give back|Hand back] [the line|the text|what comes|the words|the message] below[ exactly| unchanged| word for word| and nothing else|][:|.]\n{x}", "[Copy|Repeat|Type|Write] [everything|all|what stands|what is written] [below|under this line|after this line][:|.]\n{x}",
    "[Make|Give me|Write] [an exact copy|a copy] of the [line|text|sentence] [below|under this][:|.]\n{x}", "[Keep|Leave] the [signs|capitals|digits] as they are and [copy|repeat] [this|the line below]:\n{x}", "[Text|Line|Message|Input]:\n{x}\n[Copy it|Repeat it|Echo it|Same again|Your answer is the same text][.|]",
    "[Repeat|Copy|Return|Echo] this:\n\n{x}\n\n[Thanks|Thank you|No changes|Nothing else|Exactly like that][.|!]", "[Copy|Repeat|Type] the [following|next] [line|text|sentence], [please|exactly|unchanged]:\n{x}", "[Do not|Don't] [reply to|comment on|change|correct|translate] the text[ below|], [just|only] [repeat|copy|echo] it:\n{x}"]
LINE_ABOVE = ["{x}\n[Echo|Mirror|Parrot|Send|Give] [that|this|it|the line] back[ to me| exactly| unchanged|][.||, please]", "{x}\n\n[Copy|Repeat|Type|Write|Echo] [exactly |only |]what [I wrote|stands above|is above|I just said][.|]", "{x}\n[Don't answer that|Do not answer|Don't react to it|No answer, please][,|:] [just|only] [repeat|copy|echo] it[.|]",
    "{x}\n[Make|Give me|Write] [an exact copy|a copy] of [that|this|the line above][.|]", "{x}\n[What did I say|What did I type|What was my message|What is my line|What were my words][ exactly|]?", "{x}\n[Say|Type|Write] it [exactly like that|the same way|just like me|as I did][.|]", "{x}\n\n[That's|This is] what I want to [read|hear|see] [from you|back|again][.|]"]
MARKED = ["[Say|Write|Type|Repeat|Copy|Echo] [the text|the words|what is|only what is] [inside|between] the [signs|marks|symbols]: {x}", "[Please |][say|write|type|repeat|copy] {x} [back to me|again|once more|exactly as it is].", "[Remove|Drop|Leave out] the [signs|marks|symbols] at both ends: {x}",
    "[Your answer should be|Your reply must be|The answer I want is] {x}[.|]", "The text [between the marks|inside the signs] is {x}. [Copy it.|Repeat it.|Write it.]"]
CODED = [
    "[The|My|Your|Our] [code|order number|ticket|serial number|booking|reference|key] is {code}[.|!|]", "[Call|Text|Phone] {p} at {phone}[ after {clock}| today|][.|]", "[Write|Send it|Reply] to {email}[ by {day}| today|][.|]", "[The|Our] [meeting|train|flight|show] [is|starts|leaves] at {clock}[, {place}| on {day}|][.|]",
    "[It|The {n}|A ticket] costs ${d}.{dd}[.|!|, right?|]", "[Total|Price|Sum|Amount]: {d}.{dd} [EUR|USD|euros|dollars]", "{d} + {d2} = {d3}", "{d} x {d2}, {d3} / {d4}; {d5}%", "[Room|Gate|Seat|Platform|Floor|Line|Step] {d}[: {a} {n}|, {p}|, {code}]", "[Hello|Hi|Dear] {p}[!|,] [how are you?|see you at {clock}.|the {n} is {a}.|I'm {a}!]",
    "[Wait|Stop|What|Really|Oh no|Hey]... [{n} {d}?!|the {n} is {a}!|is that {p}?]", "[Step|Rule|Item|Point|Chapter] {d}: [open|close|clean|check] the {n}[; then the {n2}|, then wait {d2} minutes|][.|]", "{p} [said|asked|wrote]: the {n} is {a}[; the {n2} is not|, isn't it?|.|]", "{n}, {n2} & {a} {n3}", "{n}/{n2}/{n3}", "{n}_{n2}-{d}", "{a}-{n} #{d}",
    "{code}, {code2}, {code3}", "{code} / {code2}", "{code} -> {code2}", "{n}={d}; {n2}={d2}", "{n}: {d}, {n2}: {d2}", "v{d}.{d2}.{d3}", "{d}:{d2}:{d3}", "[It's|It isn't|That's|I'm|We're|They're|Don't|You can't] [{a}, {p}|{a}|the {n}][!|.|?| :-)|]", "[Visit|Open|See|Look at] {url}[ for more| now|][.|]", "[Version|Update|Build] {d}.{d2} [is ready|fails|was {a}][!|.|]",
    "{d}% of the {n}s [are|were] {a}[.|!|]", "[Yes|No|OK|Well|So], {p}[, {d} {n}s|: the {a} {n}|; not the {n}][!|.|?]", "(the {a} {n}) and {d} {n2}s", "{d} {n}s, {d2} {n2}s and {d3} {n3}s[.|]", "[A|B|C]{d}; [X|Y|Z]{d2}; {code}", "[{day}|Tomorrow], {clock}: {n} with {p}", "{p}: {phone}, {p2}: {phone2}"]
"""Texts with codes, numbers and punctuation."""


def coded(r):
    """A text with codes, numbers and punctuation in it."""
    names = r.sample(lexicon.NAMES, 2)
    nouns = r.sample(lexicon.NOUNS, 3)
    numbers = {f"d{i}" if i > 1 else "d": r.randint(2, r.choice([9, 99, 999])) for i in range(1, 6)}
    codes = {f"code{i}" if i > 1 else "code": lexicon.identifier(r) for i in range(1, 4)}
    line = r.choice(CODED)
    return fill(expand(r, line), p=names[0], p2=names[1], n=nouns[0], n2=nouns[1], n3=nouns[2], a=r.choice(lexicon.ADJECTIVES), dd=f"{r.randint(1, 99):02d}", day=r.choice(lexicon.DAYS),
        clock=words.clock(r), phone=words.phone(r), phone2=words.phone(r), email=lexicon.email(r), url=words.url(r), place=lexicon.random_city(r), **numbers, **codes)
