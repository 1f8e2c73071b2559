"""What the model does not know, by far the most of what can be asked: it says so, always in the same words."""
from . import words
from .lexicon import ADJECTIVES, CITIES, COLORS, JOBS, MONTHS, NAMES, NOUNS, SURNAMES, TOPICS, pseudo_word
from .phrasing import Turn, ask
from .unknown_questions import MORE

REFUSAL = "I don't know that. I am a very small model."
PEOPLE = ("Napoleon,Cleopatra,Isaac Newton,Marie Curie,Mozart,Beethoven,Picasso,Gandhi,Abraham Lincoln,Elvis Presley,Madonna,Taylor Swift,Lionel Messi,Roger Federer,"
    "Barack Obama,Angela Merkel,Julius Caesar,Charles Darwin,Galileo,Nikola Tesla,Steve Jobs,Bill Gates,Elon Musk,Ada Lovelace,Alan Turing,Jane Austen,Mark Twain,"
    "Vincent van Gogh,Bob Marley,Michael Jordan,Usain Bolt,Plato,Aristotle,Confucius,Karl Marx,Sigmund Freud,Frida Kahlo,Nelson Mandela,Queen Victoria,Beyonce").split(",")
COUNTRIES = ("Nepal,Peru,Mongolia,Angola,Zambia,Bolivia,Paraguay,Uruguay,Estonia,Latvia,Lithuania,Croatia,Serbia,Bulgaria,Romania,Morocco,Tunisia,Ethiopia,Uganda,Malaysia,"
    "Indonesia,Pakistan,Bangladesh,New Zealand,South Africa,Saudi Arabia,France,Germany,Italy,Spain,Japan,Brazil,Canada,India,China,Egypt,Sweden,Norway,Texas,California").split(",")
NO_CAPITAL = ("Nepal,Mongolia,Angola,Zambia,Bolivia,Paraguay,Uruguay,Estonia,Latvia,Lithuania,Croatia,Serbia,Bulgaria,Romania,Morocco,Tunisia,Ethiopia,Uganda,Malaysia,"
    "Indonesia,Pakistan,Bangladesh,New Zealand,South Africa,Saudi Arabia,Texas,California,Bavaria,Scotland,Wales,Atlantis,Mars").split(",")
WORKS = ("The Godfather,Titanic,Star Wars,Harry Potter,The Lord of the Rings,Avatar,Casablanca,War and Peace,Moby Dick,Don Quixote,Faust,The Great Gatsby,The Matrix,Jaws,"
    "Yesterday,Imagine,Bohemian Rhapsody,Thriller,The Magic Flute,Swan Lake,Guernica,The Scream,The Starry Night,The Odyssey,Ulysses").split(",")
EVENTS = ("the French Revolution,the First World War,the Second World War,the moon landing,the fall of Rome,the Olympic Games,the last election,the world cup,the Cold War,the Renaissance,"
    "the gold rush,the ice age,the big bang,the Super Bowl,the Tour de France,the Oscars,the Industrial Revolution,the Black Death,the French election").split(",")
COMPANIES = "Google,Apple,Microsoft,Amazon,Tesla,Toyota,Samsung,Nike,Siemens,Netflix,IBM,Intel,Boeing,IKEA,Bitcoin,Ethereum,gold,oil".split(",")
SCIENCE = ("quantum physics,black holes,DNA,evolution,electricity,magnetism,atoms,molecules,cells,viruses,vaccines,the immune system,plate tectonics,"
    "climate change,entropy,calculus,algebra,trigonometry,probability,neural networks,blockchain,cryptography,machine learning,nuclear energy,superconductors,dark matter,"
    "photons,enzymes,proteins,the brain,inflation,democracy,capitalism,philosophy,existentialism,psychology,game theory,string theory,the ozone layer").split(",")
CODE = ("Python function,sorting algorithm,regular expression,SQL query,shell script,React component,for loop,class in Java,unit test,Dockerfile,web server,binary search,linked list,"
    "CSS style,JavaScript function,recursive function,C program,Excel formula,game in Python,parser").split(",")
ILLS = "a headache,a cold,fever,back pain,a cough,insomnia,a rash,diabetes,high blood pressure,a broken arm,an allergy,toothache,a sore throat,asthma,the flu".split(",")
FOODS = "lasagna,pancakes,sushi,curry,risotto,goulash,bread,pizza,soup,paella,tacos,apple pie,omelette,ramen,hummus,chili,cheesecake,dumplings".split(",")
LANGUAGES = "French,German,Latin,Spanish,Chinese,Japanese,Italian,Russian,Arabic,Dutch,Polish,Swedish,Greek,Turkish".split(",")
THINGS = "car phone laptop house bike guitar camera movie book restaurant hotel game shoe dress sofa printer router telephone radio engine watch tablet tent boat toaster".split()
QUESTIONS = {
    "people": ["Who [is|was] {p}?", "When was {p} [born|married|famous]?", "[When|Where|How] did {p} die?", "Where was {p} born?", "How old is {p}?",
    "What did {p} [do|invent|write|say|discover]?",
        "What is {p} [known|famous] for?", "[Tell me|What do you know] about {p}[.|?]", "Is {p} [alive|married|rich|dead]?", "How tall is {p}?",
        "Who is the [wife|husband|father|mother|son] of {p}?",
        "[Give me|Write|Tell me] [a biography of|the life of] {p}.", "Do you know {p}?", "Why is {p} famous?", "What would {p} think?",
        "~What made {p} so important?", "~Describe the life of {p}."],
    "places": ["What is the [population|area|size|currency|flag|history|mayor|weather] of {c}?", "How many people live in {c}?", "Where is {c}?",
    "What language do they speak in {c}?",
        "Who is the [president|king|queen|prime minister|mayor|leader] of {c}?", "How far is {c} from {d}?",
        "[What can I see|What should I visit|What can I do] in {c}?", "How do I get [to|from] {c}?",
        "What is the [best|nicest|oldest] [restaurant|hotel|museum|street|part] in {c}?", "What is the capital of {n}?", "Capital of {n}?",
        "Is {c} [big|dangerous|expensive|beautiful|far away]?", "Plan a trip to {c}.",
        "[Describe|Tell me about] {c}.", "[Which|What] [river|sea|mountain] is [in|near] {c}?", "When was {c} founded?", "What do people eat in {c}?",
        "Which city is larger, {c} or {d}?", "~What is {c} like to live in?", "~Which countries border {c}?"],
    "events": ["Who won {e}?", "When [was|is|did] {e}[?| begin?| start?| end?]", "What happened [in|during] [{y}|{e}]?", "Why did {e} [happen|begin|start]?",
    "[Tell me about|Explain|Describe] {e}.", "Where [was|is] {e}?",
        "Who won the [game|match|race|final|league|elections] [yesterday|last night|in {y}|last week|on Sunday]?",
        "What was the score [yesterday|last night|of the game]?", "What happened on {m} {i}, {y}?",
        "Who was the [president|king|champion|pope] in {y}?", "What [caused|ended] {e}?", "~How long did {e} last?", "~Which year saw {e}?"],
    "today": ["What is [the|today's] [weather|date|news|temperature|exchange rate][ today| now| outside]*?", "What time is it[ now]*?",
    "What day is [it|today]?", "Is it [raining|snowing|sunny|cold|warm] [today|outside|now|tomorrow]?",
        "What will the weather be [tomorrow|next week|on Sunday]?", "What is [in|on] the news[ today]*?", "[Any|What are the] [latest |breaking ]*news?",
        "What is on TV [tonight|now]?", "What are the headlines?", "Who is on the radio?",
        "Is the [shop|bank|museum|pharmacy] open [now|today|on Sunday]?", "When does the [train|bus|plane|ferry] [leave|arrive|come]?",
        "Is there traffic [today|now]?", "~What's going on in the world?", "~Do I need a coat today?"],
    "prices": ["What is the [price|value|stock price|market value] of {o}?", "How much [does|did] {o} cost[ today]*?",
    "How much is a [new |used |good ]*{t}?", "What does a {t} cost?", "[Should|Can] I [buy|sell] {o}[ stock| shares| now]*?",
    "Is {o} [cheap|expensive|a good investment]?",
        "How is {o} doing on the stock market?", "Who [founded|owns|runs] {o}?", "How many people work for {o}?", "~What would I pay for a {t}?",
        "~Where is the head office of {o}?"],
    "opinions": ["[Which|What] {t} [should|can] I [buy|choose|get]?", "What is the best {t}?",
    "[Can you|Could you|Please] recommend [me ]*a [good ]*[{t}|book|film|song|restaurant]?", "Which is better, {o} or {q}?",
    "What do you think [about|of] [{s}|politics|{p}|religion|war|{o}|love|money]?",
    "Do you [like|prefer|agree with|believe in] [{s}|{p}|god|{o}|cats|music|football]?",
        "What should I [eat|wear|cook|do|read|watch|say] [today|tonight|tomorrow|this weekend]?", "What is your [opinion|view] on {s}?",
        "Should I [quit my job|move to {c}|get married|study {s}|call my ex|learn {l}]?",
        "What is a good [name|gift|present|color] for my [{t}|dog|mother|friend|son|wife]?",
        "Who is the best [singer|player|actor|painter|writer|team][ ever| in the world]*?",
        "Is it [right|wrong|good|bad|healthy] to [eat meat|lie|sleep late|work at night|drink coffee]?", "What is the meaning of life?",
        "~Give me your thoughts on {s}.", "~Would you pick {o} or {q}?"],
    "future": ["Who will win [the election|the game|the world cup|the war|{e}]?", "What will happen [tomorrow|next year|in {y}]?",
    "Will [it rain tomorrow|I be rich|I get the job|{o} go up|she love me|there be a war|robots take over]?",
    "When will [I die|the world end|we land on Mars|it snow|{o} fail]?", "What are the [lottery|winning] numbers?", "[Predict|Tell me] [my|the] future.",
    "~What does next year bring?"],
    "science": ["[Explain|Describe] {s}[ to me| in simple words| briefly]*.", "What [is|are] {s}?", "How [does|do] {s} work?",
    "[Tell me|Teach me] about {s}.", "Why is {s} important?", "Who [discovered|invented] {s}?", "What is the [formula|definition|theory|history] of {s}?",
    "Write [an essay|a report|a text|a paper] [about|on] {s}.", "What is the [square root|cube|logarithm|factorial] of {i}?", "How far is the [moon|sun]?",
    "How [big|old|hot] is the [universe|sun|earth|moon]?",
        "How many [stars|bones|species|elements|atoms] are [there|in the world]?", "What is the chemical [symbol|formula] of [gold|salt|iron|sugar]?",
        "Why do [birds fly|cats purr|leaves fall|we dream|people sleep|we yawn]?",
        "How do [planes fly|magnets work|fish breathe|computers think|bees dance]?", "Solve [the equation ]*x^2 + {i} = {j}.", "Prove that {i} is prime.",
        "~Give me an introduction to {s}.", "~What are the basics of {s}?"],
    "code": ["Write [me ]*a {k}[ for me| please| that works]*.", "[How do I|Show me how to] write a {k}[?|.]",
    "[Fix|Debug|Review|Explain|Optimize] [this|my] [code|{k}|program|bug].", "Can you [write|code|program|build] a {k}?", "What is wrong with my {k}?",
    "How do I [install|update|use|uninstall] [{w}|{o}|Linux|Docker|Python]?",
    "What does [git rebase|npm install|a pointer|async|malloc|a segfault|sudo] [do|mean]?",
    "How do I [center a div|reverse a list|open a file|connect to a database|parse XML|read a CSV] [in Python|in Java|in C|in JavaScript]?", "~I need a {k}.",
    "~Give me an example of a {k}."],
    "translation": ["[Translate|Please translate] [\"{x}\"|{x}|{w}|this] [into|to] {l}[.|]", "How do you say [\"{x}\"|{x}|hello|thank you] in {l}?",
    "What does {w} mean[ in {l}]*?", "What is [the {l} word for {x}|{x} in {l}]?", "[Say|Write] [good morning|hello|I love you|{x}] in {l}.",
    "[Answer|Speak|Write] in {l}.", "~Give me the {l} for {x}.", "~How would a {l} speaker say {x}?"],
    "health": ["What [helps against|is good for|can I do against|should I take for] {h}?", "I have {h}. What should I do?",
    "How do I [treat|cure|get rid of|prevent] {h}?", "[What are the symptoms|What is the cause] of {h}?", "Is {h} [dangerous|contagious|serious]?",
    "Give me medical advice[ about {h}]*.", "Can I take [aspirin|ibuprofen|antibiotics] [for {h}|with alcohol|while pregnant]?",
    "How many calories are in [{f}|a banana|an egg]?", "How can I [lose weight|sleep better|get fit|stop smoking]?", "~Which medicine helps with {h}?",
    "~My friend has {h}, any advice?"],
    "how": ["How do I [cook|make|bake|prepare] {f}?", "[What is the|Give me a|I need a] recipe for {f}[?|.]",
    "How do I [fix|repair|clean|sell|open|start|paint] my {t}?", "How does a {t} work?", "How [long|hot|much water] [do I cook|does] {f}[ take]*?",
    "[Give me|I need] [tips|advice|ideas] for [{f}|my {t}|{s}|a party|the weekend|an interview].",
    "How do I [tie a tie|write a CV|learn {l}|plant a tree|play chess|change a tire|make money|find a job|become a {u}]?",
    "Write [an email to my boss|a letter to {p}|a speech|a song about {s}|an essay about {c}|a CV|a cover letter|a review of {a}].",
    "[Draw|Paint|Show me] [a picture of ]*a {t}.", "~Walk me through making {f}.", "~Instructions for repairing a {t}?"],
    "works": ["Who [wrote|directed|composed|painted|sang|played in] {a}?", "When was {a} [made|written|published|released]?",
    "[Summarize|Explain|Review] {a}.", "What is {a} about?", "How does {a} end?", "Have you [seen|read|heard] {a}?",
    "Who is the [author|director|main character|villain] [of|in] {a}?", "[Quote|Sing|Recite] [a line from ]*{a}.",
    "What is your favorite [book|film|song|food|team|movie|band]?", "~What's the plot of {a}?", "~In which year did {a} come out?"],
    "private": ["What did I [eat|do|say|buy] yesterday?", "Where [did I put|are|is] my [keys|wallet|phone|glasses]?",
    "What is my [boss|wife|neighbor|teacher|blood type|IQ|bank balance|salary] [called|like]?", "Who is [at the door|calling me|my boss|behind me]?",
    "What am I [thinking|wearing|holding|doing]?", "What is my [password|address|phone number|email|name|favorite song|lucky number]?",
    "When is my [next meeting|birthday|flight|appointment|exam]?", "How much money do I have?", "Where [do I live|do I work|was I born|am I]?",
    "What is the phone number of {p}?", "Do I have [mail|messages|meetings|time] today?", "~Who did I meet last week?", "~Which medicine did I take today?"],
    "invented": ["[What|Who] is [a |an |the ]*{w}?", "What does {w} mean?", "What [color|size|kind of thing] is [a |the ]*{w}?",
    "[Explain|Describe|Define] [the ]*{w}[ theorem| theory| method| effect]*.", "Where [is|can I find] {w}?", "How many {w} are [in a {z}|there]?",
    "Is {w} [dangerous|good|edible|real|better than {z}]?", "Who [invented|discovered|made|owns|founded] [the ]*{w}?",
    "[Tell me|What do you know] about {w}[.|?]", "What is the [population|capital|price|meaning|purpose|latest version|phone number|recipe|history] of {w}?",
    "How [tall|old|big|far|fast|expensive] is {w}?", "When was {w} [born|built|founded|released]?", "Who [sings|directed|wrote|plays in] {w}?",
    "[Summarize|Review] the [book|film|article] {w}.", "Which is better, {w} or {z}?", "Why is {w} [important|famous|broken]?", "Do you know {w}?",
    "~What use is {w}?", "~Can you define {w}?"]}
for _group, _lines in MORE.items():
    QUESTIONS.setdefault(_group, []).extend(_lines)
GROUPS = list(QUESTIONS)
THOUGHT = "I do not know this. I should say so."


def thing_unknown(r):
    """A name that may be well known to others, or is invented."""
    return r.choice([lambda: pseudo_word(r).capitalize(), lambda: pseudo_word(r), lambda: r.choice(NAMES) + " " + r.choice(SURNAMES),
        lambda: pseudo_word(r, 2).capitalize() + " " + pseudo_word(r, 2).capitalize()])()


def unknown(r):
    person = r.choice(PEOPLE) if r.random() < 0.5 else thing_unknown(r) if r.random() < 0.6 else f"{r.choice(NAMES)} {r.choice(SURNAMES)}"
    place = lambda: r.choice(COUNTRIES) if r.random() < 0.45 else r.choice(CITIES) if r.random() < 0.6 else pseudo_word(r, 2).capitalize()
    company = lambda: r.choice(COMPANIES) if r.random() < 0.7 else pseudo_word(r, 2).capitalize()
    q = ask(r, QUESTIONS[r.choice(GROUPS)], p=person, c=place(), d=place(), n=r.choice(NO_CAPITAL) if r.random() < 0.5 else pseudo_word(r, 2).capitalize(),
        e=r.choice(EVENTS), y=r.randint(1200, 2040), m=r.choice(MONTHS),
        i=r.randint(2, 999), j=r.randint(2, 99), o=company(), q=company(), t=r.choice(THINGS), s=r.choice(SCIENCE) if r.random() < 0.7 else r.choice(TOPICS),
            k=r.choice(CODE), w=thing_unknown(r), z=thing_unknown(r),
        x=r.choice(NOUNS + COLORS + ADJECTIVES + words.COMMON), l=r.choice(LANGUAGES), h=r.choice(ILLS),
            f=r.choice(FOODS) if r.random() < 0.85 else pseudo_word(r), a=r.choice(WORKS) if r.random() < 0.7 else thing_unknown(r),
        u=r.choice(JOBS))
    return [Turn(q, REFUSAL, THOUGHT)]
