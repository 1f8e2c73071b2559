"""More kinds of surrounding text: letters, minutes, manuals, diaries, recipes, news, questions with answers, reviews. Lines of `grammar`, slots of `filler`."""
MORE_GENRES = {
    "letter": ["[Thank you|Many thanks] for [your letter|the {n}|the nice card|your visit][ last {w}| from {city}|].", "[I hope|We hope] [you are well|the {n} is {a} again|your {n2} is fine|{city} is not too cold].",
        "[We|The children|{p} and I] [went to see|talked about|laughed about|had to sell] the {n}[ in {m}| on {w}|, which was {a}|].", "[Please give my regards to|Say hello to|Do not worry about] {p}[ and the whole family|].",
        "[It has been|It was] a {a} [week|summer|month] [here|for all of us][, and the {n} is still {a}|].", "[I remember|Do you remember|I often think of] the {a} {n}[ by the {n2}| that we had|][.|!]",
        "[Next {w}|In {m}|Soon] we [want to visit|will paint|have to repair|will look at] the {n}.", "[With love|Yours truly|Warm wishes|Take care], {p}."],
    "minutes": ["[Present|Absent|Excused|Guests]: {p} and the {j}.", "[Item|Point|Topic] {d}: {t}[ and {t2}|].", "{p} [reports on|asks about|explains|presents] {t}[. No objections|. It was discussed at length| and shows the {n}|].",
        "[It was decided|The group agrees|Everyone agrees|The board wants] to [buy a {a} {n}|keep the {n}|look at {t} again|wait until {m}].", "[Action|To do]: {p} [orders|checks|moves|cleans] the {n}[ before {w}|].",
        "[The vote|The decision] on {t} was [put off|taken without discussion|unanimous].", "[Next steps|Open points|Any other business]: [none|{t}|the {a} {n}].", "The {j} thanks {p} for the work on {t}."],
    "manual": ["[Press|Hold|Turn|Release] the {c} button [for {d} seconds|twice|until the lamp blinks].", "[Warning|Caution|Danger|Hint]: [Do not put the {n} into water|Keep the {n} dry|The {n} may become hot|Never open the {n2} yourself].",
        "[Before you use|Before you clean|When you move] the {n}, [remove|check|unplug|fold] the {n2}.", "[The lamp|The display|The {c} light] [blinks|turns {c}|goes off] [when the {n} is {a}|after {d} seconds|if the {n2} is missing].",
        "[Chapter|Section|Figure|Table] {d}: [How to clean|Parts of|Care of|Storing] the {n}.", "[If the {n} does not work|If you hear a noise|In case of trouble], [check the {n2}|see chapter {d}|ask a {j}|start again].",
        "The [box|package|set] contains [one {n}, {d} screws and a {n2}|a {n} and this booklet].", "The guarantee does not cover [the {n2}|damage by water|the {c} parts]."],
    "diary": ["Dear diary, [today|this {w}|again] [nothing happened|the {n} was {a}|I saw a {a} {n}|it rained all day].", "{w}, [{m}|in {city}|morning|evening]. [I woke up late|I could not sleep|The {n} is still {a}|No news from {p}].",
        "[I|We] [cooked {n} soup|went for a walk|read about {t}|stayed in bed|met the {j}][ and felt {a}| with {p}| until it was dark|].", "[Why is the {n} always so {a}?|I wonder if the {n} is really {a}.|Is the {n2} a sign?]", "[Tomorrow|Maybe tomorrow] I will [try again|write to {p}|look for the {n}|learn about {t}]."],
    "recipe": ["[Peel|Slice|Grate|Wash|Chop] [the onions|{d} carrots|the potatoes|a {a} {n}] [finely|and set aside|into small pieces].", "Let the [water|milk|mixture] [simmer for {d} minutes|cool down|rest overnight].",
        "[Add|Stir in|Fold in] [{d} grams of flour|two eggs|a pinch of salt|some butter|the rest].", "[Serve|Garnish|Top] with [rice|fresh herbs|a {a} salad|toast|cream].", "[Bake|Fry|Roast] for {d} minutes [until brown|on both sides|in a hot pan].",
        "[Serves|Makes] {d} [people|portions|pieces].", "{d} [spoons|cups|grams] [sugar|oil|rice|peas|yeast]"],
    "news": ["{city} - [The mayor|A {j}|The government|A spokesman|Police] [announced|denied|confirmed|regretted] on {w} that the {n} [would stay closed|is {a}|had been found|will be rebuilt].",
        "[Hundreds|Dozens|More than {d} people] [gathered|protested|waited|sang] [in front of|near] the {n}[ in {city}|].", '"[We are very {a}|This is a good day|Nobody saw it coming|It was time]," said the {j}[ {p}|].',
        "[Experts|Critics|Neighbors|Fans] [doubt|hope|fear|expect] that {t} will [change|get {a}|become cheaper|matter less].", "[Markets|Shares|Prices] [rose|fell] by {d} percent[ after the report on {t}|].", "[Weather|Sports|Culture]: [a {a} weekend ahead|no games on {w}|{city} celebrates {t}].",
        "The [causes|details|costs] [are still unknown|will be published in {m}]."],
    "faq": ["Q: [Can I|May I|How do I] [return|clean|move|share|lend] [the {n}|my {n}]?", "A: [Yes|No|Sometimes|Of course], [if the {n2} is {a}|but ask the {j} first|within {d} days|as long as it is {a}].", "Q: [Is|Why is] the {n} [{a}|so {a}]?",
        "A: [That depends on the {n2}|We are working on it|Because of {t}|Please see the guide on {t}].", "Q: [Do you offer|Is there] [a course on {t}|a {c} {n}]?"],
    "reviews": ["[Five|Four|Three|One] of five stars: [the {n} was {a}|never again|I would buy it again|too {a} for me|good for {t}].", "{p} from {city}: [a {a} {n}|just what I needed|the {n2} broke after {d} days|my {j} likes it].",
        "[Pros|Cons]: {a}, {a2}, [{c}|easy to clean|comes without a {n2}].", "[Sadly|Luckily|To be honest], the {n} [is {a}|smells a bit|came without a {n2}|looks {a} on the {n2}]."],
    "comments": ["// [checks|loads|prints|removes|sorts] the {n} [before|after] the {n2}", "/* [the {n} is {a} here|old code, see {t}|do not call twice|needs a lock] */", "# [FIXME|HACK|XXX|NOTE]: [{n} may be null|slow for {a} {n}s|ask {p}]", "def [get|set|load|make]_{n}({n2}):", "    return [self.{n}|{n2} + {d}|None]",
        '    """[Return|Count|Find] the {a} {n}s of a {n2}."""', "import {t}", "for {n} in {n2}s:"],
    "chat": ["{h} {p}: [morning|hey all|anyone seen the {n}?|brb|lunch?|who took the {n}?]", "{h} {p}: [haha|yes|no idea|on it|thx|will do|{a}!|not me]", "{h} {p}: [the {n} is {a} again|I fixed the {n}|we should talk about {t}|see you {w}]",
        "{h} {p} [joined|left|changed the topic to {t}|sent a picture of a {n}]"],
}
# Fewer characters a token than prose: they get so much less text.
MORE_DENSE = {"letter": 0.9, "minutes": 0.8, "manual": 0.85, "diary": 0.83, "recipe": 0.65, "news": 0.76, "faq": 0.78, "reviews": 0.8, "comments": 0.7, "chat": 0.55}
FLOWING = ("letter", "diary", "news", "manual")
