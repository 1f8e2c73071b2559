"""Still other words for the tables of `fact_forms.py` and the generators of `common_facts.py`: situations first, descriptions, a child's words, quizzes."""
from . import fact_enquiries

FORMS = {
    "CAPITAL": [
        "I [work|live|was born|study] in the capital of {c}. [Which city is that|What city is it|Guess the city]?",
        "[Which|What] city would be [the answer|right]: the capital of {c}?", "The government of {c} sits in [...|___|which city?]",
        "Our [class|quiz team|crossword|homework] needs the capital of {c}[.|, which is it?|. What is it?]",
        "[Match|Pair] the country with its capital: {c} and [...|___]", "[Do you happen to know|Any idea|Would you know|Could you remind me] what the capital of {c} is[ called]*?",
        "[Country|Land]: {c}. [Capital|Its capital|And the capital]?", "[what's|what is] the [main|leading] city of {c}, its capital?",
        "I [point at|see|look at] {c} on the map. What is its capital?", "Capital for {c}[, please|?|]",
        "[Next one|Next country|Now this one|And now]: {c}. [Capital|Which capital|What is the capital]?",
        "My [uncle|aunt|friend|sister] moved to {c}, to the capital. What city is that?", "{c}. Its capital?", "what city is {c}'s capital[?|]",
        "The president of {c} works in the capital. Which city is that?", "[Which|What] city is [to|for] {c} what Vienna is to Austria?",
        "If you were in the capital of {c}, [which|what] city would you be in?", "[Say|Spell out|Write down] the name of the capital of {c}.",
        "is there a capital in {c}, and which[?|]", "Whereabouts is the parliament of {c}, in which capital?"],
    "COUNTRY": [
        "I am [flying|going|traveling] to {c}, a capital. [Which|What] country is that in?", "If I am in the capital {c}, [which|what] country am I in?",
        "[Which|What] country is governed from {c}?", "[Match|Pair] the capital with its country: {c} and [...|___]",
        "[Do you happen to know|Any idea|Would you know|Can you tell me] [which|what] country has {c} as its capital?", "{c} - capital of?",
        "Capital: {c}. [Country|Its country|And the country]?", "The country with the capital {c} is [...|___|which one?]",
        "[My kid asks|I wonder|Remind me|I forgot] [which|what] country {c} is the capital of[.|]", "What's the country whose capital is {c}?",
        "To [which|what] country does the capital {c} belong?", "The capital {c}: [which|what] [country|nation] [is it|is that]?"],
    "UNIT_ONE": [
        "[I wait|It takes|It lasts|I need|I have] {a}. How many {s} is that?", "My [daughter|son|kid|grandson] asks how many {s} make {a}[.|]", "{a}: how many {s}?",
        "Does {a} have a lot of {s}? How many?", "How many {s} go to make up one {b}?",
        "[Do you happen to know|Any idea|Would you know|Can you tell me] how many {s} {a} has?", "{s} in one {b}, how many[?|]",
        "[Count|Give me the number of|Tell me the number of] {s} in {a}[.|]", "What is [one|a single] {b} [expressed |counted |given |]in {s}?",
        "[A whole|One whole|A full|Exactly one] {b}, how many {s} is that?", "If {a} is split into {s}, how many [are there|do I get]?",
        "After how many {s} is {a} full?", "I should know this: {s} in {a}?"],
    "UNIT_MANY": [
        "[The trip|The film|The package|The rope|The bottle|The box] is {n} {b}. [How many {s} is that|What is that in {s}|And in {s}]?",
        "[For the recipe|For my homework|For the form|For the label] I need {n} {b} in {s}[.|]", "{n} {b}. [And in {s}|In {s}|In {s}, please|How many {s}]?",
        "[Do you happen to know|Any idea|Would you know|Can you tell me] how many {s} {n} {b} are?",
        "[My scale|My ruler|The form|The app] only [knows|takes|shows] {s}. I have {n} {b}[. How many is that|, how many is that]?", "{s} in {n} {b}[?|, please|]",
        "How do I [write|say|put|express] {n} {b} in {s}?", "Take {n} {b} and [give me|tell me|say] [the {s}|how many {s} that is|it in {s}].",
        "[Somebody|My boss|My friend] told me {n} {b}, but I [need|want|think in] {s}. How many is it?",
        "From {b} to {s}: {n}[?|]", "{n} {b}: [make that {s}|in {s}|how many {s}][.|?|]", "For {n} {b} I get how many {s}?",
        "[What is the number|What's the number] of {s} in {n} {b}?", "{n} times one {b}, in {s}[?|]"],
    "COLOR": [
        "Is {k} {x} or {y}?", "{K}: {x} or {y}?", "Is {k} {x}?", "I say {k} is {x}. [Am I right|Is that right|True]?",
        "My [kid|daughter|son] wants to [paint|draw|color] {k}. Which [crayon|pencil|color] [is right|does she need|should I give her]?",
        "[Close your eyes and think of|Imagine|Think of|Picture] {k}. What color is it?", "[Which|What] crayon [do I take|is right|should I use] for {k}?",
        "As for its [color|colour], {k} is [...|___]", "{K} has the color [...|___|which?]",
        "If you see {k}, [what|which] color do you see?", "[Do you happen to know|Any idea|Would you know|Can you say] [what|which] color {k} is?",
        "[My kid asks|My little one wants to know|I forgot|Remind me] [what|which] color {k} is[.|]",
        "How would you describe {k}, by its color?", "{k}, what color[?|]", "which is {k}: {x} or {y}?", "People say that {k} is [...|___|what color?]"],
    "COLORS_MANY": [
        "Are {p} {x} or {y}?", "{P}: {x} or {y}?", "Are {p} {x}?", "[Which|What] crayon do I take for {p}?", "[Quiz|Colors]: {p} are which color?", "{p}, what color[?|]",
        "I am painting {p}. [Which|What] color do I need?", "If I see {p}, [which|what] color do I see?",
        "[My kid asks|Remind me|I forgot] what color {p} are[.|]", "[In which|In what] color do I draw {p}?", "The color of {p} is [...|___]", "[Most|All] {p} are [...|___|which color?]"],
    "OPPOSITE": [
        "[Let's play opposites|Opposites|We play opposites]: {w}.", "Opposites: {w} and [...|___|?]", "{w} is to [...|___] as hot is to cold",
        "[My kid|My daughter|My son|A child] asks for the opposite of {w}[.|]", "My [crossword|exercise|worksheet] says: opposite of {w}[.|?|]",
        "Which word goes with {w} as its opposite?", "If I turn {w} around, what do I get?",
        "[Do you happen to know|Any idea|Would you know|Can you tell me] what the opposite of {w} is?", "[I can't think of|I am missing|Remind me of|Help me with] the opposite of {w}[.|]",
        "I want to say the opposite of {w}. [Which word do I use|What do I say|How]?", "{w} versus [...|___|what?]", "{w}, and the other way around?",
        "the opposite for the word {w}[?|]", "Flip the meaning of {w}.", "The other extreme of {w} is [...|___|what?]"],
    "SOUND": [
        "There is {a} [on the farm|in the book|in front of me|at the zoo]. [What sound does it make|What does it do|How does it sound|Which noise do I hear]?",
        "My [kid|daughter|son] asks how {a} [sounds|talks|goes][.|]", "If I hear {a}, [what does it do|which sound is it|what noise is it]?",
        "[Imitate|Make the sound of] {a}[.|]", "What does {a} say to us?", "In the picture book is {a}. What does it say?", "[Complete|Finish]: {A} [...|___]",
        "[Do you happen to know|Any idea|Can you tell me] what sound {a} makes?", "{a} sound[?|]",
        "I hear {a}. What noise is that?", "How does {a} [speak|call|greet]?", "What kind of [sound|noise] comes out of {a}?"],
    "WHO_SOUNDS": [
        "I hear an animal that {s}. [What is it|Which animal is it]?", "In the [yard|forest|night|field] something {s}. Which animal is it?",
        "[Which|What] animal on the [farm|list] {s}?", "An animal that {s} is [...|___|what?]",
        "[My kid asks|I wonder|Any idea|Do you know] [which|what] animal {s}[?|.]", "{s} - which animal?"],
    "LEGS": [
        "I am drawing {a}. How many legs do I [need|draw|give it]?", "[There is|We saw] {a} at the zoo. How many legs did it have?", "{A} walks by. On how many legs?",
        "[Complete|Fill in|Finish]: {P} have [...|___] legs", "One {n}, how many legs[?|]",
        "[Do you happen to know|Any idea|Can you tell me] how many legs {a} has?", "[My daughter asks|Remind me|I forgot|We argue about] how many legs {p} have[.|]",
        "If I count the legs of {a}, how many do I get?", "Does {a} have legs, and how many?",
        "What is the number of legs of {a}?", "How many legs does {a} stand on?", "{P}: number of legs?", "How many legs are there on {a}?"],
    "AFTER": [
        "the {w} after {d}[, please|?|]", "Which {w} is between {d} and {e}?", "{d}, ..., {e}: which {w} is missing?",
        "{d} is [almost over|ending|nearly done]. [Which|What] {w} [starts|begins|comes] then?", "I have [a meeting|a party|a trip] the {w} after {d}. [Which|What] {w} is that?",
        "My [kid|daughter|son] learns the {w}s. What comes after {d}?", "After {d}, which {w} do I tear off the calendar to see?",
        "If {d} is this {w}, what is the next one?", "Turn the page after {d}: which {w} is it?", "The {w} that follows {d} is [...|___|which?]",
        "[Do you happen to know|Any idea|Would you know|Can you say] [which|what] {w} follows {d}?", "What do we have once {d} is over?",
        "[Which|What] {w} comes right behind {d}?", "{d} ends, and then it is [...|___|what?]", "From {d}, one {w} on[?|]"],
    "BEFORE": [
        "the {w} before {d}[, please|?|]", "{d} has just begun. [Which|What] {w} was it until now?", "I had [a meeting|a party|a trip] the {w} before {d}. [Which|What] {w} was that?",
        "My [kid|daughter|son] learns the {w}s. What comes before {d}?", "If {d} is this {w}, what was the last one?", "Turn one page back from {d}: which {w} is it?",
        "The {w} that leads to {d} is [...|___|which?]",
        "[Do you happen to know|Any idea|Would you know|Can you say] [which|what] {w} comes before {d}?", "What did we have until {d} began?",
        "[Which|What] {w} comes just ahead of {d}?", "{d} began, so before it was [...|___|what?]", "From {d}, one {w} back[?|]"],
    "TOMORROW": [
        "My calendar says {d} today. And tomorrow?", "[I woke up|We meet] on {d}. What day is it a day later?", "one day after {d}, what day is it[?|]",
        "[Today's|Today is] {d}, so what do we have tomorrow?", "After today, {d}, [which|what] day is it?"],
    "YESTERDAY": [
        "My calendar says {d} today. And yesterday?", "[We met|It happened] the day before {d}. What day was that?", "one day before {d}, what day was it[?|]",
        "[Today's|Today is] {d}, so what did we have yesterday?", "Before today, {d}, [which|what] day was it?"],
    "NEXT_MONTH": ["It is {d} now. What will the month after be?", "{d} now, next month[?|...]", "I move in the month after {d}. Which month is it?",
        "My rent is paid until the end of {d}. [What|Which] month starts then?"],
    "LAST_MONTH": ["It is {d} now. What was the month before?", "{d} now, last month[?|...]", "I moved in the month before {d}. Which month was it?",
        "{d} starts today. [What|Which] month just ended?"]}
YOUNG = [
    "We saw a little {a}, a baby. What is it called?", "The {a} has a [baby|little one]. What do you call it?",
        "[My kid|My daughter|My son|A child] asks what the baby of {an} is called[.|]", "{An} mother has a baby. What is its name in English?",
    "[Do you happen to know|Any idea|Can you tell me|Would you know] what a baby {a} is called?", "What is the little one of {an}?",
        "{An} that is still a baby is a [...|___|what?]", "[Which|What] word [means|is there for] a baby {a}?", "the young of {an}[?|]",
    "What do you call the [child|baby|young] of {an}?", "[I forgot|I can't remember|Remind me of] the word for a baby {a}[.|]", "Adult: {a}. Baby: [...|___|?]"]
YOUNG_BACK = [
    "[What is|What's] {z}?", "{y} will one day be a [...|what?|___]", "[Which|What] animal has {z} as its baby?",
        "We saw {z}. [Which animal is it|What will it be when it grows up|Which animal does it become]?", "[Do you happen to know|Any idea|Can you tell me] which animal {z} becomes?",
    "Whose baby is {z}?", "The mother of {z} is a [...|what?|___]", "{y} is the young of [which|what] animal?"]
MONTH_DAYS = [
    "I [get paid|am away|stay] all of {m}. How many days is that?", "I need to plan {m}. How many days do I have?", "the days of {m}, how many[?|]",
        "On which day does {m} end?", "What is the last [day|date] of {m}?", "[Quiz|Calendar]: how many days does {m} have?",
    "[Do you happen to know|Any idea|Can you say|Would you know] how many days {m} has?",
        "[My kid asks|I wonder|I always forget|I'd like to know] how many days are in {m}[.|]", "[Count|Tell me the number of] the days [of|in] {m}[.|]",
        "Is {m} a long or a short month, how many days?",
    "How many days long is {m}?", "{m}: 30 or 31 days?", "{m}, number of days[?|]"]
PLACE = [
    "[Quiz|Calendar]: the {o} {w} of the {h}?", "I'm looking for the {o} {w} of the {h}[.|]", "Counting from the start, which {w} is the {o} of the {h}?",
        "My [kid|daughter|son] asks which {w} comes {o} in the {h}[.|]", "{o} {w}, which one[?| is it?]", "[Which|What] {w} comes {o} in the {h}?",
    "[Do you happen to know|Any idea|Can you tell me|Would you know] which {w} is {o} in the {h}?", "[Say|Write down] the {o} {w} of the {h}[.|]",
        "We have a party, it is the {o} {w} of the {h}. Which {w} is that?", "The {h} has a {o} {w}: which is it?", "[I always forget|Remind me of] the {o} {w} of the {h}[.|]"]
HOLIDAY = [
    "I want to mark {h} in my calendar. [Which date is it|When is it]?", "[Quiz|Calendar]: the date of {h}?", "My [kid|daughter|son] asks when {h} is[.|]",
        "[Do you happen to know|Any idea|Can you tell me|Would you know] when {h} is?", "{h}, when[?| is it?]", "{h}: which [date|day]?",
    "Which day of the year is {h}?", "[We are|I am] invited for {h}. When is that?", "On what date [does|will] {h} fall?", "[Give me|Tell me] the date of {h}[.|]",
        "What is the date of {h}?", "In which month and on which day is {h}?", "[People celebrate|We celebrate] {h} on [...|___|which day?]"]
LANDMARK = [
    "[Which|What] [city or country|place] [has|is home to|is famous for] {k}?", "[Quiz|Travel|Geography]: where is {k}?", "I have a photo of {k}. Where was it taken?",
        "I am standing [next to|in front of] {k}. Where am I?", "[Do you happen to know|Any idea|Would you know|Can you say] where {k} is?",
    "{k}, where[?| is it?]", "My [kid|daughter|friend] wants to see {k}. Where do we go?", "Where do I have to [fly|go|travel] to see {k}?",
        "{K} can be found in [...|___|which place?]", "The location of {k}[?|, please|]", "To [which|what] [city or country|place] does {k} belong?",
        "In what [part of the world|place] do I find {k}?"]
for _name, _lines in fact_enquiries.COMMON.items():
    globals()[_name].extend(_lines)
