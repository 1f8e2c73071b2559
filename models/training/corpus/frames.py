"""What people put around a request: polite forms, indirect questions, needs. `@` stands for the request itself."""
import re

from .grammar import choose, expand

THING = [
    "[What is|What's|Whats|What exactly is|So what is|And what is|What would be] @[, please]*[?|]",
    "[Can|Could|Would|Will] you [please |maybe |quickly ]*[tell me|give me|let me know|find|say|show me|name|provide] @[ please| for me]*[?|]",
    "[Do you|Would you|Do you happen to|Do you by any chance] know @[?|]",
    "[Please |Just |Hey, |Hi, ]*[tell me|give me|let me know|show me|find me|get me|say] @[ please|, thanks| now]*[.||!]",
    "[I need|I want|I'd like|I would like|I am looking for|I'm looking for|I need to know|I'd like to know|I want to know|I am interested in|I would love to know|I must know|I am curious about|Looking for|Need] @[, please| please]*[.|]",
    "[Any idea|Do you know|Can you tell me|Could you tell me|I wonder|I was wondering|I'd like to know|I want to know|I need to know|Please tell me|Tell me|Remind me|I forgot|I am not sure|I'm not sure|May I ask|Would you tell me|Can you say|Somebody asked me|My friend asks|My teacher wants to know|Have you any idea|Let me know|I'm trying to find out|Could you please tell me] what @ is[?|.|]",
    "@[?|, please.| please||...]", "@: [what is it|do you know it|can you tell me][?|]", "[About|Regarding|As for] @: what is it?", "What about @?",
    "~Would you be so kind as to tell me @?", "~Mind telling me what @ is?", "~What might @ be?", "~Help me figure out what @ is."]
COMMAND = [
    "[Please|Kindly|Just|Now|OK,|Hey,|Hi,|So,|Hello,|Alright,|Now please|Then|Next,] @[ please| for me| now| thanks]*[.||!]",
    "[Can|Could|Would|Will] you [please |kindly |quickly |maybe |just ]*@[ for me]*[ please|, please]*[?|]",
    "[I want|I need|I would like|I'd like|I'd love] you to @[ please]*[.|]",
    "[Is it possible to|Could I ask you to|May I ask you to|Can I ask you to|Would it be possible to|Are you able to|Would you be able to|Would you] @[?|]",
    "[Try to|Go ahead and|It would be great if you could|I'd be happy if you could|Your task is to|Your job is to|You should|Next,] @[.|]",
    "~I'd appreciate it if you could @.", "~Do me a favor and @.", "~Might I ask you to @?"]
MYSELF = ["[I want to|I need to|I have to|Let's|Time to] @[.|]"]
"""Commands as what the user wants to do; not for those with 'me': 'I want to give me' is wrong."""
PREFIX = ["[Please|Kindly|Just|Now|OK,|Hey,|Hi,|So,|Now please|Next,] @", "[Can|Could|Would|Will] you [please |kindly ]*@",
    "[I want|I need|I would like|I'd like] you to @", "[Try to|Go ahead and|Your task is to|I'd be happy if you could] @", "~Do me a favor and @"]
QUESTION = [
    "[I have a question|A question|One question|Quick question|Question for you|Next question|Tell me|Tell me this|Help me with this|Just curious|One more thing|For my homework|My son asks|Somebody asked me|Another one|A quick one|Something else|Please answer|I need an answer]: @",
    "[So,|Hey,|Hi,|And|OK,|Hmm,|Well,|Excuse me,|Sorry,|Please,|Hello,] @",
    "@ [Do you know?|Any idea?|I'd like to know.|I need to know.|Can you tell me?|I forgot.|Please tell me.|Just wondering.|I am curious.|Tell me.|Thanks!]",
    "~Riddle me this: @", "~@ I keep forgetting."]
CLAUSE = [
    "[Can|Could|Would|Will] you [please ]*[tell me|say|explain|find out|let me know] @[?|]",
    "[Do you|Would you|Do you happen to|Do you by any chance] know @[?|]",
    "[I'd like to know|I would like to know|I want to know|I need to know|I was wondering|I wonder|I forgot|I am trying to find out|I'm not sure|I don't know|I have to find out|I was asked|My teacher asks|My daughter wants to know|Tell me|Please tell me|Just tell me|Let me know|Remind me] @[.|]",
    "[Any idea|Have you any idea|May I ask|Can I ask|Any clue|Is it clear to you] @[?|]", "~Would you mind telling me @?", "~Help me figure out @.",
    "~I keep asking myself @."]
ASIDES = 0.12
"""Share of the framed requests with a sentence before or after them that asks for nothing."""
ASIDE_BEFORE = ["[I am|I'm] [writing|preparing|working on|reading] [an essay|a quiz|a letter|my homework|a school book|a test|a report|a blog].",
    "[[My|Our] [daughter|son|teacher|boss|friend|grandma|colleague|neighbor|kid]|My [wife|husband]] [asked me|wants to know|is curious|needs this|sent me here|said you can help].",
    "[Here is|I have|I've got] [a question|one more|another one|an easy one|a small question|something for you].",
    "[Let's|Let us|I want to] [play a game|do a quiz|try something|test you|see what you know|start].", "[It is|It's] for [school|work|a friend|my book|a game|the kids].",
    "[I can't|I cannot|I don't|I do not] [remember|recall|work it out].", "[Good to see you|Thanks so far|That was good|OK, good|Fine|All right|Right then|Great|Interesting].",
    "[I have|We have] [a bet|little time|five minutes|a test tomorrow|guests].", "~Sorry to bother you.", "~I was thinking about something."]
ASIDE_AFTER = ["[It is|It's|That's] for [school|work|a friend|my book|a game|the kids|a quiz].", "[Thanks|Thank you] [in advance|for your help|so much|a lot].",
    "[I can't|I cannot] [remember|recall] it.", "[A short answer|One line|Your best guess] is [fine|enough|OK].", "[I am|I'm] [curious|in a hurry|waiting|not sure].",
    "[My|Our] [daughter|son|teacher|boss|friend] [asked|wants to know].", "[Take your time|No hurry|Go on|Go|Your turn].", "~Much obliged.", "~It came up at dinner."]
VERBS = set(("add analyze answer append archive arrange assign book build calculate call cancel capitalize change check choose close combine compare complete compute "
    "continue convert copy correct count create define delete describe do draft draw echo email evaluate execute explain extract fetch fill find finish format get "
    "give go greet help identify increase introduce join list look lower make mark message move multiply name notify open order organize output parse pay pick plan play "
    "post print produce provide put quote raise read recommend record remind remove rename repeat replace reply report reserve return reverse rewrite roll round run save "
    "say schedule search select send set share shorten show sing solve sort spell start state stop store subtract sum suggest summarize switch take tell text think throw "
    "transfer translate turn uncapitalize update use work write").split())
EMBEDDED = [
    (re.compile(r"^(?:What is|What's) (.+)\?$"), r"what \1 is"), (re.compile(r"^(Who|Where|When|How) (is|was) (.+)\?$"), r"\1 \3 \2"),
    (re.compile(r"^((?:What|Which|How|Where|When|Who)\b.*?) does (.+) have\?$"), r"\1 \2 has"),
    (re.compile(r"^((?:What|Which|How|Where|When|Who)\b.*?) do (I|you|they|we|cows|bees|people) (.+)\?$"), r"\1 \2 \3"),
    (re.compile(r"^((?:What|Which|How|Where)\b[^?]*?) does ((?:the |a |an )?[\w{}' ]+?) (mean|cost|live|run|make|need|support|work|use|listen|start|like|equal|begin|open|store|do|show|boil|freeze)( .+)?\?$"), r"\1 \2 \3s\4"),
    (re.compile(r"^(Who (?:wrote|painted|won|leads|made|trained|created|built|invented|discovered|sings|directed|played|has|will) .+)\?$"), r"\1"),
    (re.compile(r"^((?:Which|What) \w+ (?:is|has|comes|was|runs|follows) .+)\?$"), r"\1"), (re.compile(r"^(How many .+? are .+)\?$"), r"\1")]


def clause(question):
    """'Where is X?' as it stands in another sentence: 'where X is'; None if it cannot be turned."""
    for pattern, result in EMBEDDED:
        match = pattern.match(question)
        if match:
            out = match.expand(result).replace("dos ", "does ").rstrip()
            return out[0].lower() + out[1:]
    return None


def frame(r, template):
    """A template as another person would ask it. What is to be copied at the end of a template stays at the end."""
    if "\n" in template or not template.strip():
        return template
    if r.random() >= ASIDES:
        return reworded(r, template)
    if r.random() < 0.6 or template[-1] not in ".?!":
        return f"{expand(r, choose(r, ASIDE_BEFORE))} {template}"
    return f"{template} {expand(r, choose(r, ASIDE_AFTER))}"


def reworded(r, template):
    """The request in other words."""
    first = template.split()[0].strip(",.:!?").lower()
    lowered = template if template.startswith(("I ", "{")) else template[0].lower() + template[1:]
    bare = lowered.rstrip(".?!")
    if first in VERBS and not lowered.startswith(("do you ", "do I ")):
        return put(r, PREFIX, lowered) if bare.endswith(("}", '"')) or ":" in bare else put(r, COMMAND if re.search(r"\bme\b", bare) else COMMAND + MYSELF, bare)
    thing = re.match(r"^(?:What is|What's|Tell me|Give me) ((?:the|my|your|\{).+)[?.]$", template)
    if thing and r.random() < 0.6:
        return put(r, THING, thing.group(1))
    if template.endswith("?"):
        inner = clause(template)
        return put(r, CLAUSE, inner) if inner and r.random() < 0.7 else put(r, QUESTION, template)
    return template


def put(r, frames, request):
    """The request in one of the frames, with a capital at the start."""
    text = expand(r, choose(r, frames)).replace("@", request)
    return text if text[0] == "{" else text[0].upper() + text[1:]
