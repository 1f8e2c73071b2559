"""Very common facts: one table of single facts, and tables of baby animals, months, holidays and landmarks."""
from . import fact_wordings as wordings, learned_facts, riddle_facts, school_facts
from .fact_phrases import MORE
from .lexicon import DAYS, MONTHS, article, capitalized
from .phrasing import Turn, add_by_reply, ask

SINGLE = [
    (["Who was the first president of the [United States|USA|US]?", "[First|The first] [president of the USA|US president|American president][?|]",
      "Who was [America's|the first American|the very first US] [first ]*president?", "[Name|Tell me] the first president of the [United States|USA|US].",
      "The first president of the United States was [...|___]"],
     "George Washington was the first president of the United States."),
    (["Which planet is [called |known as ]*the red planet?", "[What|Which] is the red planet?", "The red planet is [...|___]",
      "[Name|Tell me] the red planet.", "red planet[?| name?]"],
     "Mars is called the red planet."),
    (["[Which|What] planet do we live on?", "On [which|what] planet do [we|people|humans] live?", "What is the name of our planet?",
      "[Name|Tell me] our planet.", "Our planet is called [...|___]"],
     "We live on the planet Earth."),
    (["How many oceans are there[ on Earth| in the world]*?", "[Number|Count] of oceans[?|]", "How many oceans does the [Earth|world] have?",
      "There are [...|___] oceans.", "how many oceans[?|]"],
     "There are five oceans."),
    (["[Which|What] is the [largest|biggest] continent?", "[Which|What] continent is the [largest|biggest]?", "[largest|biggest] continent[?|]",
      "[Name|Tell me] the [largest|biggest] continent."],
     "Asia is the largest continent."),
    (["[Which|What] is the smallest continent?", "[Which|What] continent is the smallest?", "smallest continent[?|]",
      "[Name|Tell me] the smallest continent."],
     "Australia is the smallest continent."),
    (["[Which|What] is the coldest continent?", "[Which|What] continent is the coldest?", "coldest continent[?|]",
      "[Name|Tell me] the coldest continent."],
     "Antarctica is the coldest continent."),
    (["[Which|What] is the longest river[ in the world| on Earth]*?", "[Which|What] river is the longest?", "longest river[?| in the world?|]",
      "[Name|Tell me] the longest river."],
     "The Nile is the longest river in the world."),
    (["[Which|What] is the [largest|biggest] country[ in the world| on Earth]*?", "[Which|What] country is the [largest|biggest]?",
      "[largest|biggest] country[?| in the world?|]", "[Name|Tell me] the [largest|biggest] country."],
     "Russia is the largest country in the world."),
    (["[Which|What] is the smallest country[ in the world| on Earth]*?", "[Which|What] country is the smallest?", "smallest country[?| in the world?|]",
      "[Name|Tell me] the smallest country."],
     "Vatican City is the smallest country in the world."),
    (["[Which|What] is the [tallest|highest] animal[ in the world| on Earth]*?", "[Which|What] animal is the tallest?", "tallest animal[?|]",
      "[Which|What] animal has the longest neck?"],
     "The giraffe is the tallest animal."),
    (["[Which|What] animal is the king of the [jungle|animals]?", "Who is the king of the [jungle|animals]?", "king of the [jungle|animals][?|]",
      "The king of the [jungle|animals] is [...|___]"],
     "The lion is called the king of the animals."),
    (["How many colors [are in a rainbow|has a rainbow|does a rainbow have]?", "[Number of colors|colors] [in|of] [a|the] rainbow[?|]",
      "[A|The] rainbow has [...|___|how many] colors[?|.]", "How many colors are there in a rainbow?"],
     "A rainbow has seven colors."),
    (["[What|Which] are the primary colors?", "primary colors[?|]", "[Name|List|Tell me] the [three ]*primary colors.",
      "[What|Which] three colors are the primary colors?"],
     "The primary colors are red, yellow and blue."),
    (["[What|Which] are the [four ]*seasons?", "How many seasons [are there|does a year have|has a year]?",
      "[Name|Tell me] the [four ]*seasons of the year.", "seasons of the year[?|]", "A year has [...|___|how many] seasons[?|.]"],
     "A year has four seasons: spring, summer, autumn and winter."),
    (["How many fingers [are on a hand|has a hand|does a hand have]?", "How many fingers are on one hand?", "fingers on [a|one] hand[?|]",
      "A hand has [...|___|how many] fingers[?|.]"],
     "A hand has five fingers."),
    (["How many wheels [has a car|does a car have]?", "wheels of a car[?|]", "A car has [...|___|how many] wheels[?|.]", "How many wheels are on a car?"],
     "A car has four wheels."),
    (["How many wheels [has a [bicycle|bike]|does a [bicycle|bike] have]?", "wheels of a [bicycle|bike][?|]", "A [bicycle|bike] has [...|___|how many] wheels[?|.]",
      "How many wheels are on a bicycle?"],
     "A bicycle has two wheels."),
    (["How many strings [has a guitar|does a guitar have]?", "strings of a guitar[?|]", "A guitar has [...|___|how many] strings[?|.]",
      "How many strings are on a guitar?"],
     "A guitar has six strings."),
    (["How many players [are in a [soccer|football] team|has a [soccer|football] team|does a [soccer|football] team have]?", "players in a [soccer|football] team[?|]",
      "A [soccer|football] team has [...|___|how many] players[?|.]"],
     "A football team has 11 players on the field."),
    (["How many sides [has a pentagon|does a pentagon have]?", "[What is|Explain|Define] a pentagon[?|.]", "A pentagon has [...|___|how many] sides[?|.]",
      "sides of a pentagon[?|]"],
     "A pentagon has five sides."),
    (["How many sides [has an octagon|does an octagon have]?", "[What is|Explain|Define] an octagon[?|.]", "An octagon has [...|___|how many] sides[?|.]",
      "sides of an octagon[?|]"],
     "An octagon has eight sides."),
    (["How many degrees [has a circle|does a circle have]?", "degrees in a circle[?|]", "A circle has [...|___|how many] degrees[?|.]",
      "How many degrees are in a [full ]*circle?"],
     "A circle has 360 degrees."),
    (["How many degrees [has a right angle|does a right angle have]?", "degrees [in|of] a right angle[?|]", "A right angle has [...|___|how many] degrees[?|.]",
      "What is a right angle?"],
     "A right angle has 90 degrees."),
    (["How many states [are in [the US|the USA|the United States|America]|has [the US|the USA|the United States|America]|does [the US|the USA|the United States|America] have]?", "[number of|how many] US states[?|]",
      "The USA has [...|___|how many] states[?|.]", "How many states are there in the United States?"],
     "The United States has 50 states."),
    (["[What|Which] are the vowels?", "How many vowels [are there|are in the alphabet|does the alphabet have]?", "[Name|List|Tell me] the vowels.",
      "vowels of the alphabet[?|]", "[Which|What] letters are vowels?"],
     "The vowels are a, e, i, o and u."),
    (["[What|Which] is the first letter of the alphabet?", "first letter of the alphabet[?|]", "With which letter does the alphabet begin?",
      "The alphabet starts with [...|which letter?|___]"],
     "The first letter of the alphabet is A."),
    (["[What|Which] is the last letter of the alphabet?", "last letter of the alphabet[?|]", "With which letter does the alphabet end?",
      "The alphabet ends with [...|which letter?|___]"],
     "The last letter of the alphabet is Z."),
    (["Where does the sun rise?", "In [which|what] direction does the sun rise?", "[From|On] which side does the sun [rise|come up]?",
      "The sun rises in the [...|___]",
      "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me] where the sun rises[.|?]"],
     "The sun rises in the east."),
    (["Where does the sun [set|go down]?", "In [which|what] direction does the sun [set|go down]?", "The sun sets in the [...|___]",
      "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me] where the sun sets[.|?]"],
     "The sun sets in the west."),
    (["What do pandas eat?", "What does a panda eat?", "[What is the|Tell me the] food of pandas[?|.]", "Pandas eat [...|___]"],
     "Pandas eat bamboo."),
    (["What does a caterpillar become?", "What do caterpillars [become|turn into]?", "A caterpillar [becomes|turns into] [...|___|what?]",
      "What comes out of a caterpillar?"],
     "A caterpillar becomes a butterfly."),
    (["What do [hens|chickens] lay?", "What does a [hen|chicken] lay?", "[Hens|Chickens] lay [...|___|what?]", "What do we get from [hens|chickens]?"],
     "Hens lay eggs."),
    (["Where does milk come from?", "[Which|What] animal gives [us ]*milk?", "Milk comes from [...|___|which animal?]", "Who gives us milk?",
      "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me] where milk comes from[.|?]"],
     "Milk comes from cows."),
    (["Where does wool come from?", "[Which|What] animal gives [us ]*wool?", "Wool comes from [...|___|which animal?]", "Who gives us wool?",
      "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me] where wool comes from[.|?]"],
     "Wool comes from sheep."),
    (["What does a spider [make|spin|build]?", "What do spiders [make|spin|build]?", "A spider spins [...|___|what?]"],
     "A spider spins a web."),
    (["Is a whale a fish?", "[What is|What kind of animal is] a whale?", "Is a whale a mammal?", "Are whales [fish|mammals]?"],
     "A whale is a mammal, not a fish."),
    (["What is ice?", "What is ice made of?", "[Explain|Define] ice.", "Ice is [frozen ...|...|___|made of what?]"],
     "Ice is frozen water."),
    (["What is steam?", "[Explain|Define] steam.", "What does boiling water [become|turn into]?", "Steam is [...|___]"],
     "Steam is water in the form of a gas."),
    (["What do [people|humans|we|animals] breathe?", "What gas do [people|humans|we] need to breathe?",
      "[Which|What] gas do [we|people|humans] breathe[ in]*?", "[We|People|Humans] breathe [...|___]"],
     "People breathe oxygen from the air."),
    (["Who [discovered|reached] America?", "Who [was|is] [Christopher ]*Columbus?", "America was discovered by [...|___|whom?]",
      "When was America discovered?", "Who sailed to America in 1492?"],
     "Christopher Columbus reached America in 1492."),
    (["Who was the first [man|person|human] on the moon?", "Who [walked|stepped|was] on the moon first?", "first [man|person] on the moon[?|]",
      "Who was Neil Armstrong?", "The first man on the moon was [...|___]"],
     "Neil Armstrong was the first person on the moon."),
    (["[Which|What] is the shortest month?", "[Which|What] month is the shortest?", "shortest month[?|]", "[Which|What] month has the fewest days?",
      "The shortest month is [...|___]"],
     "February is the shortest month."),
    (["How often [is there|do we have|comes] a leap year?", "[What is|Explain] a leap year[?|.]", "When [is|comes] a leap year?",
      "A leap year comes every [...|___] years."],
     "A leap year comes every four years."),
    (["[What|Which] is the hardest [material|stone|mineral]?", "[Which|What] [material|stone] is the hardest?", "hardest [material|stone][?|]",
      "[Name|Tell me] the hardest [material|mineral|stone]."],
     "Diamond is the hardest natural material."),
]
add_by_reply(SINGLE, MORE)
SINGLE += riddle_facts.FACTS + school_facts.FACTS + learned_facts.FACTS
YOUNG = dict(pair.split(":") for pair in "dog:puppy,cat:kitten,cow:calf,horse:foal,sheep:lamb,pig:piglet,goat:kid,deer:fawn,duck:duckling,goose:gosling,frog:tadpole,hen:chick,kangaroo:joey,owl:owlet,bear:cub,lion:cub,tiger:cub,elephant:calf,whale:calf,wolf:pup,seal:pup,swan:cygnet,eagle:eaglet,rabbit:kit,zebra:foal,donkey:foal,giraffe:calf,dolphin:calf,polar bear:cub,panda:cub,fox:cub,penguin:chick,bird:chick,turtle:hatchling,fish:fry".split(","))
SHARED_YOUNG = {"bear", "lion", "tiger", "elephant", "whale", "wolf", "seal", "zebra", "donkey", "giraffe", "dolphin", "polar bear", "panda", "fox", "penguin", "bird", "rabbit", "turtle"}
DAYS_OF = dict(zip(MONTHS, (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)))
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
HOLIDAYS = {"Christmas": "December 25", "Christmas Eve": "December 24", "New Year's Day": "January 1", "New Year's Eve": "December 31", "Halloween": "October 31", "Valentine's Day": "February 14", "US Independence Day": "July 4", "St. Patrick's Day": "March 17",
    "April Fools' Day": "April 1", "Boxing Day": "December 26", "Thanksgiving": "the fourth Thursday of November"}
LANDMARKS = {"the Eiffel Tower": "Paris", "the Statue of Liberty": "New York", "Big Ben": "London", "the Colosseum": "Rome", "the Taj Mahal": "India", "the Great Wall": "China", "the Golden Gate Bridge": "San Francisco",
    "the Louvre": "Paris", "the White House": "Washington", "the Acropolis": "Athens", "the Kremlin": "Moscow", "the Great Pyramid": "Egypt", "Mount Fuji": "Japan", "the Leaning Tower": "Pisa", "the Brandenburg Gate": "Berlin", "Buckingham Palace": "London", "Machu Picchu": "Peru",
    "the Sydney Opera House": "Sydney", "Stonehenge": "England", "Times Square": "New York", "the Empire State Building": "New York", "Tower Bridge": "London", "the Sagrada Familia": "Barcelona", "Hollywood": "Los Angeles", "the Sahara": "Africa", "the Amazon": "South America", "Niagara Falls": "North America", "Notre-Dame": "Paris", "Central Park": "New York", "the Grand Canyon": "Arizona",
    "Mount Everest": "the Himalayas", "the Mona Lisa": "the Louvre in Paris", "the Sphinx": "Egypt", "the Vatican": "Rome"}


def young(r):
    a = r.choice(list(YOUNG))
    if r.random() < 0.25 and a not in SHARED_YOUNG:
        q = ask(r, ["{y} is the baby of [which|what] animal?", "{y} is a baby [...|what?|which animal?|___]", "[Which|What] animal is {z} the baby of?", "{y} grows into [what|which animal]?"] + wordings.YOUNG_BACK, z=article(YOUNG[a]), y=article(YOUNG[a]).capitalize())
        return [Turn(q, f"{article(YOUNG[a]).capitalize()} is a baby {a}.", f"The user asks what {article(YOUNG[a])} is.")]
    q = ask(r, ["what is a [baby|young] {a} called[?|]", "What [do you|do we|do people] call a [baby|young|little] {a}?", "[name|word] [for|of] a [baby|young] {a}[?|]", "A [baby|young] {a} is [called|a] [...|___|what?]",
        "What is the [name|word] for a [baby|young|little] {a}?", "baby {a}[?| name?| is called?]", "[Tell me|Do you know|I wonder|My kid asks] what [a baby {a}|the young of {an}] is called[.|?]",
        "[Complete|Finish]: A [baby|young] {a} is a [...|___]", "[Quiz|Animals]: a baby {a} is called?", "~How do farmers name the child of {an}?"] + wordings.YOUNG, a=a, an=article(a), An=article(a).capitalize())
    return [Turn(q, f"A baby {a} is called {article(YOUNG[a])}.", f"The user asks for the name of a baby {a}.", brief=f"{article(YOUNG[a]).capitalize()}.")]


def month_days(r):
    m = r.choice(MONTHS)
    q = ask(r, ["How many days does {m} have?", "How many days [are in|has|are there in|in] {m}?", "[days|number of days] [in|of] {m}[?|]", "{m} has [...|___|how many] days[?|.]", "How long is {m}?",
        "Does {m} have 30 or 31 days?", "[Do you know|Tell me|I forgot|Remind me] how many days {m} has[.|?]", "[Complete|Finish]: {m} has [...|___] days", "~What is the length of {m} in days?"] + wordings.MONTH_DAYS, m=m)
    return [Turn(q, f"{m} has {DAYS_OF[m]} days{', and 29 in a leap year' if m == 'February' else ''}.", f"The user asks for the days of {m}.")]


def place_in_order(r):
    names, what, whole = (DAYS, "day", "week") if r.random() < 0.35 else (MONTHS, "month", "year")
    i = r.choice([0, len(names) - 1, r.randrange(len(names))])
    o = "last" if i == len(names) - 1 and r.random() < 0.7 else ORDINALS[i]
    q = ask(r, ["[What|Which] is the {o} {w} of the {h}?", "[Which|What] {w} is the {o} of the {h}?", "{o} {w} [of|in] the {h}[?|]", "[Name|Tell me|Give me] the {o} {w} of the {h}[.|]", "The {o} {w} of the {h} is [...|___|?]",
        "[Do you know|Tell me|I forgot] which {w} is the {o} of the {h}[.|?]", "~Which {w} stands {o} in the {h}?"] + wordings.PLACE, o=o, w=what, h=whole)
    return [Turn(q, f"The {o} {what} of the {whole} is {names[i]}.", f"The user asks for the {o} {what} of the {whole}.", brief=f"{names[i]}.")]


def holiday(r):
    h = r.choice(list(HOLIDAYS))
    q = ask(r, ["When is {h}?", "[On which|On what|Which|What] [date|day] is {h}?", "{h} is on [...|___|which date?|what day?]", "[date of|when's|when is] {h}[?|]", "When do [we|people] celebrate {h}?",
        "[Do you know|Tell me|I forgot|Remind me] when {h} is[.|?]", "~Which date do I mark for {h}?"] + wordings.HOLIDAY, h=h)
    return [Turn(q, f"{h} is on {HOLIDAYS[h]}.", f"The user asks when {h} is.", brief=f"{capitalized(HOLIDAYS[h])}.")]


def landmark(r):
    k = r.choice(list(LANDMARKS))
    q = ask(r, ["Where is {k}?", "Where [can I find|do I find|can I see|can I visit] {k}?", "In [which|what] [city or country|place] is {k}?",
        "where is {k} located[?|]", "{K} is in [...|___|which city?|what place?|where?]", "[I want to|I'd like to|We want to] [see|visit] {k}. Where is it?", "[Do you know|Tell me|I forgot|Remind me] where {k} is[.|?]",
        "~Where would I have to travel for {k}?"] + wordings.LANDMARK, k=k, K=capitalized(k))
    return [Turn(q, f"{capitalized(k)} is in {LANDMARKS[k]}.", f"The user asks where {k} is.", brief=f"{capitalized(LANDMARKS[k])}.")]


def single(r):
    questions, answer = r.choice(SINGLE)
    return [Turn(ask(r, questions), answer, "The user asks for a short fact. I know this.")]
