"""The mixture: which skill comes how often, and how turns become a chat with or without a system message and thinking."""
import chat_format

from . import arithmetic, copying, dialogue, grammar, knowledge, lists, long_context, multi_step, product, structured, system_prompts, tools, unknown, writing

THINK_LINE = "/think"
STEP_BY_STEP = ["[Think|Reason|Please think|Let's think|Go] [step by step|carefully|first|step for step|it through]*[.|:] ",
    "[Before you answer, think|Take your time and think|Think before you answer|Use your reasoning|Show your reasoning][.|:] ", "Think first. ",
    "[Please think |Think ][about this |about it |this through |it over |hard |well |slowly |]before [answering|you answer|replying|you reply][.|:] ",
    "[I want you to|You should|Try to|Please] [think|reason] [first|step by step|carefully|it through|before you answer][.|:] ", "[Step by step|One step at a time|With reasoning|With steps|Slowly]: ",
    "[Take it|Do it|Solve it|Work it out|Go through it] [slowly|step by step|one step at a time|in small steps|carefully][.|:] ", "[Reason|Think] [aloud|out loud|about it|about this][.|:] ",
    "[Give it some thought|Take a moment|Think it over|Think twice|Let us reason|Let's reason|Let's work it out|Let's do this step by step][.|:] ",
    "[Explain|Show|Write down|Tell me] [your|the] [steps|thinking|thoughts|reasoning|way][.|:] ",
    "[Don't|Do not] [rush|guess|hurry][.|:| here.] [Think|Reason|Work] [first|it through|step by step][.|:] ", "[Work through this|Let's go through this|Let's take this|Break this down|Break it down] [step by step|slowly|bit by bit|in steps][.|:] ",
    "[I'd like you to|Can you|Could you|You need to|It helps to|Be sure to|Make sure to|Remember to] [think|reason] [first|step by step|it through|before answering][.|:] ",
    "[Careful|Be careful|Attention|This is tricky|A tricky one], [think|reason] [first|step by step|before you answer][.|:] ", "[Walk|Talk] me through [it|this|your thinking|your steps|the steps][.|:] ",
    "[First think|First reason|Think now], [then answer|then reply|answer later][.|:] ", "[With|Using] [your thoughts|all your steps|careful thinking|some thinking|a bit of thinking][.|:] ", "~Reason slowly. "]
STEP_BY_STEP_AFTER = [" [Think|Please think|Let's think|Reason|Think about it] [step by step|carefully|first].",
    " [Show|Explain|Write] [your|the] [steps|reasoning|work|thinking|thoughts].",
    " [Think before you answer|Take it step by step|Step by step, please|Think it through|With reasoning, please].", " Think step by step.",
    " [Please think|Think] [about it|hard|well|slowly|it over|this through] before [answering|you answer|replying|you reply].",
    " [Do it|Solve it|Work it out|Go through it|Reason|Go] [slowly|step by step|one step at a time|in small steps|carefully][, please]*.",
    " [I want to see|Show me|Let me see|Tell me|Write down|Also give me] [how you think|how you get there|your steps|the steps|your reasoning|your thoughts][, please]*.",
    " [Take your time|Take a moment|Use your reasoning|Think out loud|Think aloud|Reason out loud|Give it some thought|Think twice|Think it over|Reason about it first].",
    " [Can you|Could you] [think|reason] [step by step|first|it through|about it first]?", " [Explain|Tell me] how you [get|got] [there|the answer|the result].",
    " [Don't|Do not] [rush|guess|hurry][, think first|, reason first|, go step by step]*.", " [Walk|Talk] me through [it|this|your thinking|the steps|your steps][, please]*.", " [First think|First reason], [then answer|then reply].",
    " [Work through it|Break it down|Take it] [step by step|slowly|bit by bit|in steps][, please]*.", " [Please |]think it [through|over] [first|before you answer|before replying].", " [Could you|Can you|Would you] [show|explain|write] [your|the] [steps|thinking|reasoning|thoughts]?",
    " [I'd like|I want|I need] [to see |]your [steps|reasoning|thinking|thoughts][ too| as well| first]*.", " [And|But] [think|reason] [first|carefully|step by step][, please]*.", "~ Reason it out first."]
JSON_LINE = "Answer with JSON."

SKILLS = [
    (dialogue.greeting, 18), (product.about_self, 5), (product.about_product, 7), (arithmetic.sum_turn, 110), (arithmetic.story_turn, 40),
        (multi_step.multi_step, 50),
    (arithmetic.compare_turn, 3), (knowledge.capital, 6), (knowledge.country_of, 1.5), (knowledge.unit, 5), (knowledge.color_of, 1.5), (knowledge.opposite, 1.5),
        (knowledge.animal, 1.5),
    (knowledge.calendar, 2.5), (knowledge.fact, 17), (unknown.unknown, 18), (lists.list_turn, 9), (lists.array_turn, 4), (lists.counting, 2), (structured.sentence_json, 9),
        (structured.object_json, 9),
    (structured.people_json, 1), (structured.words_json, 3), (structured.known_json, 1), (structured.extraction, 7), (structured.yes_no, 0.7),
        (copying.edit, 2.5),
    (writing.story, 2), (writing.summary, 1.5)]
COPY_SKILLS = [(copying.repeat, 5), (copying.lookup, 2), (copying.pairs, 2)]
JSON_SKILLS = [structured.sentence_json, structured.object_json, structured.words_json, lists.array_turn, structured.known_json]
STYLED = [product.about_self, product.about_product, arithmetic.sum_turn, knowledge.capital, knowledge.unit, knowledge.fact, dialogue.greeting,
    unknown.unknown, arithmetic.story_turn, knowledge.opposite]


# Adding digits and counting items are learnt, like copying, only when they are most of the mixture for a while.
FOCUS = (0.44, 0.58)
FOCUS_SHARE = 0.7
FOCUS_SKILLS = [(arithmetic.sum_turn, 12), (arithmetic.story_turn, 2), (multi_step.multi_step, 1), (lists.list_turn, 1)]
TOOLS_SHARE = 0.34
THINKING = (0.16, 0.26)
"""Shares of chats with thinking: up to the first /think is in the system message, up to the second it is asked in words."""


def weighted(r, table):
    return r.choices([f for f, _ in table], [w for _, w in table])[0](r)


def one_skill(r, copying_share=0.1):
    return weighted(r, COPY_SKILLS if r.random() < copying_share else SKILLS)


def messages(r, system, turns, think):
    """Turns to messages. `think`: 'system' for all replies, 'user' for a request inside the last question, or None."""
    system = f"{system}\n{THINK_LINE}" if think == "system" and system else THINK_LINE if think == "system" else system
    out = [("system", system)] if system else []
    for i, turn in enumerate(turns):
        user, asked = turn.user, think == "user" and i == len(turns) - 1
        if asked:
            before, after = grammar.expand(r, grammar.choose(r, STEP_BY_STEP)), grammar.expand(r, grammar.choose(r, STEP_BY_STEP_AFTER))
            user = before + user if r.random() < 0.5 else (user if user[-1:] in ".?!" else user + ".") + after
        thinks = asked or think == "system"
        reply = chat_format.thinking(turn.thought, turn.reply_after_thought()) if thinks else turn.reply
        out += [("user", user), ("assistant", reply)]
    return out


def with_thoughts(r, chat, thoughts):
    """Tool chats with thinking on: /think ends the system message, before or after the tools are added to it; each reply has a thought."""
    out, i, before_tools = [], 0, r.random() < 0.6
    for role, content in chat:
        if role == "assistant":
            content = chat_format.thinking(thoughts[i], content)
            i += 1
        elif role == "system" and before_tools and "# Tools\n" in content:
            own, tools_block = content.split("# Tools\n", 1)
            own = own.rstrip("\n")
            content = (f"{own}\n" if own else "") + f"{THINK_LINE}\n\n# Tools\n{tools_block}"
        elif role == "system":
            content = f"{content}\n{THINK_LINE}"
        out.append((role, content))
    return out if out[0][0] == "system" else [("system", THINK_LINE)] + out


def copying_share(progress):
    """Copying comes first: without it, nothing that quotes the prompt can be learnt. It forms in some hundred steps when it is most of the
    mixture, and not at all when it is a tenth. At a twentieth it is lost again."""
    for limit, share in ((0.04, 0.85), (0.08, 0.5)):
        if progress < limit:
            return share
    return 0.17


def thinking_of(r):
    k = r.random()
    return "system" if k < THINKING[0] else "user" if k < THINKING[1] else None


def short_chat(r, progress=1.0):
    """Messages of one short chat; `progress` (0..1) is that of the training."""
    if r.random() < copying_share(progress):
        turns = copying.repeat_words(r) if progress < 0.02 or r.random() < 0.25 else weighted(r, COPY_SKILLS)
        return messages(r, r.choice(system_prompts.NEUTRAL) if r.random() < 0.1 else "", turns, None)
    if FOCUS[0] <= progress < FOCUS[1] and r.random() < FOCUS_SHARE:
        turns = [t for _ in range(r.randint(1, 8)) for t in weighted(r, FOCUS_SKILLS)]
        return messages(r, "", turns, thinking_of(r))
    if r.random() < TOOLS_SHARE:
        thinks = r.random() < 0.08
        chat, thoughts = tools.tool_chat(r, r.choice([2, 3, 4, 8])) if r.random() < 0.95 else tools.sums_without_tools(r, thinks)
        return with_thoughts(r, chat, thoughts) if thinks else chat
    think, k = thinking_of(r), r.random()
    system, turns = "", []
    if k < 0.06:
        turns = weighted(r, COPY_SKILLS)
    elif k < 0.17:
        turns = dialogue.memory(r, lambda r: one_skill(r)) if r.random() < 0.75 else dialogue.correction(r)
    elif k < 0.21:
        system, change = system_prompts.style(r)
        turns = [system_prompts.apply(change, t) for _ in range(r.randint(1, 2)) for t in r.choice(STYLED)(r)]
    elif k < 0.24:
        system, turns = system_prompts.persona(r)
        if r.random() < 0.3:
            turns = turns + arithmetic.sum_turn(r)
    elif k < 0.28:
        system, turns = system_prompts.facts(r)
    elif k < 0.32:
        system, turns = JSON_LINE if r.random() < 0.6 else system_prompts.NEUTRAL[0] + " " + JSON_LINE, json_line_turns(r)
    elif k < 0.38:
        # Long texts come alone in their step: to find a fact among lines that repeat is learnt here.
        system, turns = (long_context.text_chat(r, r.choice([40, 80, 150, 250])) if r.random() < 0.6
            else long_context.one_needle(r, r.choice([100, 200, 350, 520]), repeated=0.8))
    else:
        for _ in range(r.choices([1, 2, 3, 4], [64, 24, 9, 3])[0]):
            turns = turns + one_skill(r)
    if not system and r.random() < 0.25:
        system = r.choice(system_prompts.NEUTRAL)
    return messages(r, system, turns, think)


def json_line_turns(r):
    """The system message asks for JSON; the question need not."""
    if r.random() < 0.5:
        return r.choice(JSON_SKILLS)(r)
    k = r.randint(0, 3)
    turn = (arithmetic.sum_turn, knowledge.capital, lists.list_turn, structured.extraction)[k](r)[0]
    if k == 0:
        reply = {"result": int("".join(c for c in turn.reply.split("=")[-1] if c.isdigit()))}
    elif k == 1:
        reply = {"country": turn.reply[len("The capital of "):turn.reply.index(" is ")], "capital": turn.reply[turn.reply.index(" is ") + 4:-1]}
    elif k == 2:
        reply = {"items": [line.split(" ",
            1)[-1] for line in turn.reply.split("\n")]} if ", " not in turn.reply else {"items": turn.reply.split(", ")}
    else:
        reply = {"answer": turn.reply}
    return [type(turn)(turn.user, chat_format.dumps(reply), turn.thought, False)]


def long_chat(r, target):
    """Messages of one chat of about `target` tokens."""
    k = r.random()
    if k < 0.17:
        chat, thoughts = long_context.tools_chat(r, target)
        return with_thoughts(r, chat, thoughts) if r.random() < 0.08 else chat
    if k < 0.7:
        system, turns = long_context.text_chat(r, target)
        if r.random() < 0.3:
            turns = turns + one_skill(r)
    elif k < 0.78:
        system, turns = long_context.table_chat(r, target)
    elif k < 0.9:
        first = dialogue.memory(r, lambda r: [])
        system, turns = long_context.chat(r, target, one_skill)
        asked = [t for t in first if t.thought.startswith("The user told me")]
        told = [t for t in first if t not in asked]
        turns = told + turns + asked
    else:
        system, turns = long_context.document(r, target, 2)[0], []
        for _ in range(3):
            turns = turns + one_skill(r, 0.3)
    return messages(r, system, turns, "system" if r.random() < 0.04 else None)
