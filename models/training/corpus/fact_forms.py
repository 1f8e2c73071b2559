"""More ways to ask for capitals, units, colours, opposites, animals and the calendar: quiz, gap, short and chatty forms."""
from . import fact_requests, fact_wordings

CAPITAL = [
    "The capital of {c} is [...|___|what?|which city?|called ...|?]", "[Complete|Finish|Fill in]: [The|the] capital of {c} is [...|___]",
    "[Complete|Finish] the sentence: The capital of {c} is [...|___|]", "[Fill in the blank|Fill the gap]: ___ is the capital [city ]*of {c}.",
    "[Quiz|Geography|Trivia|Geography quiz|Test|Question one|Flashcard]: [capital of {c}|the capital of {c}|what is the capital of {c}|{c}]?",
    "{c} - capital?", "capital [city ]*of {c}[?||, please]", "[capital|capital city] {c}", "{c}, capital[?|]", "{c}'s capital[?| city?| is?|]",
    "[Which|What] [city|town] is the capital [of|in] {c}?", "What [do you call|do they call] the capital of {c}?",
    "[Does|Do] {c} have a capital? Which[ city]*?",
    "[I forgot|I always forget|I can never remember|I don't remember|Remind me of|I am looking for|I want to learn] the capital of {c}[.|"
    ", what is it?|. Which city is it?]",
    "[We are|I am|I'm] [traveling|flying|going|moving] to the capital of {c}. [Which city is that|What is it called|What city is it]?",
    "[My kid|My son|My daughter|A friend|My teacher|Somebody] [asks|asked|wants to know] [me ]*[for|about|what is] the capital of {c}[.|]",
    "[Hey|ok|so|hi|hmm|uh], [what's|whats|what is] [the capital of {c}|{c}'s capital|the capital city of {c}][?| again?| called?|]",
    "[What|Which] is the capital [city|town] of {c}?", "If I go to {c}, which city is the capital?", "Which city [has|houses] the government of {c}?",
    "[Tell|Teach] me what {c}'s capital is[.|]", "[Name|State|Write|Give] the capital [city ]*[of {c}|for {c}][.|]",
    "{c} has [which|what] capital[ city]*?",
    "[Do you know|You know|Can you name|Could you name|Can you tell me|Know] [the capital of {c}|{c}'s capital|which city is the capital of {c}]?",
    "What [city|place] is [the seat of government|the official capital|the main city and capital] of {c}?",
    "~Which city would I find on a map as the capital of {c}?"]
ADJECTIVE_CAPITAL = [
    "[What|Which city] is the {c} capital?", "[Name|Tell me|Give me] the {c} capital[ city]*.", "The {c} capital [is ...|is ___|?|is called?]",
    "{c} capital[?| city?|]", "[What's|what is] the {c} capital called?", "[I forgot|Do you know|Which city is|Can you name] the {c} capital[?|]",
    "Where does the {c} government sit?"]
ADJECTIVES = dict(pair.split(":") for pair in (
    "France:French,Italy:Italian,Germany:German,Spain:Spanish,Norway:Norwegian,Egypt:Egyptian,Japan:Japanese,Portugal:Portuguese,Austria:Austrian,Ireland:Irish,"
    "Greece:Greek,England:English,Sweden:Swedish,Finland:Finnish,Denmark:Danish,Poland:Polish,Hungary:Hungarian,Belgium:Belgian,Switzerland:Swiss,Russia:Russian,"
    "Turkey:Turkish,China:Chinese,India:Indian,Canada:Canadian,Brazil:Brazilian,Mexico:Mexican,Cuba:Cuban,Australia:Australian,the Netherlands:Dutch,the United States:American").split(","))
ALIASES = {
    "the United States": [
        "the USA", "the US", "America", "the United States of America", "USA"],
    "the Netherlands": [
        "Holland", "the Netherlands", "Netherlands"],
    "the Czech Republic": [
        "Czechia", "the Czech Republic"],
    "England": [
        "England", "the UK", "Great Britain", "Britain"],
    "South Korea": [
        "South Korea", "Korea"],
}
COUNTRY = [
    "{c} is the capital of [which|what] [country|nation|state|land]?",
    "[Which|What] [country|nation] [is|has] {c} [the capital of|as its capital|as capital|as a capital city]?",
    "[Of|In] [which|what] [country|nation] is {c} the capital?", "{c} is the capital of [...|___|what?|which?|where?]",
    "{c}: capital of [which|what] country?", "Whose capital is {c}?", "[Which|What] [country|nation]'s capital is {c}?",
    "[Which|What] country has its [capital|government] in {c}?", "{c} is [which|what] country's capital?",
    "[Complete|Finish] the sentence: {c} is the capital of [...|___]", "[Fill in the blank|Fill the gap]: {c} is the capital of ___.",
    "{c} is a capital. Of [which|what] country?",
    "[Name|Tell me] the country [with the capital {c}|whose capital is {c}|that has {c} as its capital][.|]",
    "[Quiz|Trivia]: {c} is the capital of which country?",
    "[I know|I read|I heard] that {c} is a capital[, but of which country|. Of which country|, of what country]?",
    "{c}, the capital of [which|what] [country|place]?", "If the capital is {c}, [which|what] country is it?",
    "~To which country does the capital {c} belong?"]
UNIT_ONE = [
    "{a} [has|contains|is|equals] [...|___] {s}[.|]", "[There are|There're] [...|___] {s} in {a}[.|]", "[Complete|Finish]: {a} has [...|___] {s}",
    "[number|amount] of {s} in {a}[?|]", "how many {s} [in|per|to|for] [{a}|one {b}|a single {b}|1 {b}][?|]", "{s} [in|per] {a}[?|]", "{s} per {b}[?|]",
    "1 {b} = [?|how many|...|___] {s}", "1 {b} [to|in] {s}[?|]",
    "[I forgot|I always forget|Remind me|Tell me|I'd like to know|Do you know|I wonder] how many {s} [are in|there are in|make|make up|fit in|"
    "you need for] {a}[.|?|]",
    "[So|Hey|Ok|Hmm], how many {s} [is|are in|are there in|in] {a}[ again]*[?|]", "If I have {a}, how many {s} [is that|do I have]?",
    "{a} is made of how many {s}?", "[Quiz|Trivia|Test]: how many {s} are in {a}?", "What is the number of {s} in {a}?",
    "How many {s} [do|does] [we|you|one] [count|have|get] in {a}?", "{a} [equals|is the same as|corresponds to|is equal to] how many {s}?",
    "[Into|In] how many {s} [can you split|do we divide|is] {a}[ divided]*?", "~What does {a} come to in {s}?"]
UNIT_MANY = [
    "{n} {b} = [?|how many|...|___|] {s}", "{n} {b} [is|are|equals|equal] [...|___] {s}[.|]", "{n} {b} [to|into|in|as] {s}[?||, please| please]",
    "convert {n} {b} [to|into] {s}[ please|]",
    "[I need|I want|I'd like|Give me|Show me|Tell me] {n} {b} [in|as|converted to|expressed in|converted into] {s}[.|]",
    "[If|When] I have {n} {b}, how many {s} [is that|do I have|are these]?", "how many {s} [is|are|in|make|for|do you get in] {n} {b}[?|]",
    "[Quiz|Conversion|Unit conversion|Exercise|Task]: {n} {b} [to|in] {s}[?|]", "{n} {b}, [what is|what's|how much is] [that|this] in {s}?",
    "[The label|The sign|My teacher|The book|My note] says {n} {b}. [How many {s} is that|What is that in {s}|I need it in {s}|"
    "Convert it to {s}][.|?]",
    "[I have to|I must|I need to|Help me to|Help me|I want to|Can you|Could you|Would you|Please|Let's] [convert|change|turn] {n} {b} [to|"
    "into] {s}[.|?|]",
    "what [do|would|will] {n} {b} [make|give|come to|amount to] in {s}[?|]", "[Express|Write|State|Rewrite] {n} {b} [in|as] {s}[.|]",
    "[How|So how] many {s} [would that be|are there|is it]: {n} {b}?", "Number of {s} in {n} {b}[?|]",
    "{n} {b} [equals|is equal to|corresponds to|is the same as] how many {s}?", "[In|Measured in|Counted in] {s}, [how much|what] is {n} {b}?",
    "[I wonder|Do you know|I'd like to know|Tell me] how many {s} [{n} {b} are|are in {n} {b}|there are in {n} {b}|{n} {b} make][.|?|]",
    "~What do {n} {b} amount to, counted in {s}?"]
COLOR = [
    "{K} is [...|___|which color?|what color?|what colour?]", "[Complete|Finish]: {K} is [...|___]", "The [color|colour] of {k} is [...|___]",
    "[color|colour] of {k}[?|]", "{K} - [color|colour]?", "[Quiz|Trivia]: what [color|colour] is {k}?",
    "what [color|colour] is {k} [normally|usually|typically|in general|in real life|again][?|]", "{K} has [which|what] [color|colour]?",
    "[I am|I'm|My daughter is|My son is|We are] [painting|drawing|coloring] {k}. [Which|What] [color|colour] [do I need|should it be|is it|"
    "shall I take|is right]?",
    "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me] [which|what] [color|colour] {k} [is|has][.|?|]",
    "[Which|What] [color|colour] does {k} [come in|usually have|have]?", "If I paint {k}, [which|what] [color|colour] do I [use|take|need]?",
    "[Which|What] is the [usual|typical|normal|natural] [color|colour] of {k}?", "~What shade would you give {k}?"]
COLORS_MANY = [
    "[What|Which] [color|colour] are {p}[ usually| normally| typically]*?", "[What|Which] [color|colour] do {p} [have|usually have]?",
    "{P} are [...|___|what color?|which colour?]", "[color|colour] of {p}[?|]", "What is the [color|colour] of {p}?",
    "[Tell me|Do you know|I wonder] [what|which] color {p} [are|have][.|?|]"]
OPPOSITE = [
    "The opposite of {w} is [...|___|what?|which word?|?]", "[Complete|Finish]: The opposite of {w} is [...|___]",
    "opposite [of|to|for] {w}[?||, please]", "{w} - opposite?", "{w}, opposite[?|]", "antonym [of|for] {w}[?|]",
    "[Quiz|Word game|English quiz|Vocabulary]: [the opposite of {w}|opposite of {w}]?",
    "[What|Which word] [is|would be] the exact opposite of [the word ]*{w}?", "[What|Which] is the contrary [of|to] {w}?",
    "[Give|Tell|Show|Name|Find] me [an|the] [antonym|opposite] [of|for] [the word ]*{w}[.|]",
    "[What|Which] word [is opposite to|means the reverse of] {w}?",
    "[I need|I want|I'm looking for|I am looking for|Looking for] [the opposite|an antonym|a word that is the opposite] of {w}[.|]",
    "[Do you know|Know|You know] the opposite of {w}?", "I say {w}, you say [...|the opposite.|what?|___]",
    "[If something is not|When it is not|Something that is not] {w}[,| is] [what is it|then what|...]?",
    "{w} is the opposite of [what|which word|...|___][?|]", "[What's|Whats|what is] the opposite of {w}[ again]*[?|]",
    "[Reverse|Turn around] the meaning of {w}.", "~Which word stands against {w}?"]
SOUND = [
    "{A} [...|___|does what?|makes which sound?|makes what noise?|goes how?]", "What does {a} [do|say|sound like][ on a farm]*?",
    "how does {a} [go|sound|talk][?|]", "what [noise|sound|cry|call] [is|comes] from {a}[?|]", "[sound|noise] of {a}[?|]",
    "[What is|What's] the [sound|noise|cry|voice] of {a}?", "[Quiz|Animals|Trivia]: [what sound does {a} make|the sound of {a}]?",
    "{A}: which [sound|noise]?", "[Tell me|Do you know|My kid asks|I wonder|My son wants to know] [what|which] [sound|noise] {a} makes[.|?|]",
    "[What|Which] [sound|noise] [does|will] {a} make?", "~How does {a} make itself heard?"]
WHO_SOUNDS = [
    "[Which|What] animal {s}?", "[Who|What] {s}?", "[Which|What] [animal|creature] is it that {s}?", "[Name|Tell me] [an|the] animal that {s}[.|]",
    "It {s}. [Which|What] animal is it?", "[Guess|Quiz]: it {s}. What is it?"]
LEGS = [
    "{A} has [...|___] legs[.|]", "[Complete|Finish]: {A} has [...|___] legs", "how many legs [on|has|for|of|does] {a}[ have| got|]*[?|]",
    "legs of {a}[?|]", "[number|amount] of legs [of|on] {a}[?|]", "How many legs do {p} [have|walk on|stand on|need|use]?",
    "How many [feet|legs] has {a}?", "[Do you know|Tell me|I wonder|My kid asks|I'd like to know] how many legs {a} has[.|?|]",
    "[Do you know|Tell me|I wonder|I'd like to know] how many legs {p} have[.|?|]", "[Quiz|Animals|Biology]: legs of {a}?", "{P} have how many legs?",
    "{P}: how many legs?", "[I see|I have|Here is|Imagine|Take] {a}. How many legs [does it have|has it|can I count]?",
    "With how many legs [is {a} born|does {a} walk]?", "~What is the leg count of {a}?"]
AFTER = [
    "After {d} comes [...|___|?]", "{d} is followed by [...|___|what?|which {w}?]", "The {w} after {d} is [...|___|which?|called ...]",
    "{w} after {d}[?|]", "what's after {d}[?|]", "{d}, then[?|...| what?]",
    "[Which|What] {w} [do we have|comes next|is next|is it] [after|when] {d}[ is over]*?",
    "It is {d}[ now]*. [What|Which] {w} [comes next|is next|follows]?", "[Complete|Finish]: {d}, [...|___]",
    "[What|Which] is the {w} [that follows|that comes after|following|right after|just after] {d}?", "[Quiz|Calendar]: the {w} after {d}?",
    "next {w} after {d}[?|]", "one {w} after {d}[?|]",
    "[Tell me|Do you know|I wonder|I forgot|Remind me] [what|which] {w} comes [right |directly |next ]*after {d}[.|?|]",
    "~Once {d} ends, which {w} begins?"]
BEFORE = [
    "Before {d} comes [...|___|?]", "The {w} before {d} is [...|___|which?|called ...]", "{w} before {d}[?|]", "what's before {d}[?|]",
    "[What|Which] {w} [was it|do we have|is it] before {d}?", "It is {d}[ now]*. [What|Which] {w} [was before|was it before|came before|just ended]?",
    "[What|Which] is the {w} [that comes before|right before|just before|preceding] {d}?", "one {w} before {d}[?|]",
    "[Quiz|Calendar]: the {w} before {d}?",
    "[Tell me|Do you know|I wonder|I forgot|Remind me] [what|which] {w} comes [right |directly |just ]*before {d}[.|?|]", "~Which {w} leads up to {d}?"]
TOMORROW = [
    "[If|When] today is {d}, [what|which] day [is|will be|comes] tomorrow?", "[If|When] it is {d} today, [what|which] day is it tomorrow?",
    "Today is {d}. [What|Which] day is [it ]*tomorrow?", "today {d}, tomorrow[?|...]", "Yesterday was {d}. [What|Which] day is [it ]*today?",
    "[If|When] yesterday was {d}, [what|which] day is [it ]*today?", "It's {d} today[. What|, what] is tomorrow?",
    "[Today is|It is] {d}, [so ]*tomorrow is [...|___|what?]"]
YESTERDAY = [
    "[If|When] today is {d}, [what|which] day was [it ]*yesterday?", "Today is {d}. [What|Which] day was [it ]*yesterday?",
    "Tomorrow is {d}. [What|Which] day is [it ]*today?", "today {d}, yesterday[?|...]", "[If|When] tomorrow is {d}, [what|which] day is [it ]*today?",
    "It's {d} today[. What|, what] was yesterday?", "[Today is|It is] {d}, [so ]*yesterday was [...|___|what?]"]
NEXT_MONTH = [
    "[If|When] it is {d}, [what|which] month is next[ month]*?", "[This|The current] month is {d}. [What|Which] is the next[ month| one]*?",
    "[If|When] this month is {d}, [what|which] month comes next?", "We are in {d}. [What|Which] month is next?"]
LAST_MONTH = [
    "[If|When] it is {d}, [what|which] month was last month?", "[This|The current] month is {d}. [What|Which] month was [it before|last month]?",
    "Next month is {d}. [What|Which] month is it[ now]*?", "We are in {d}. [What|Which] month was before?"]
for _name, _lines in (*fact_wordings.FORMS.items(), *fact_requests.FORMS.items()):
    globals()[_name].extend(_lines)
