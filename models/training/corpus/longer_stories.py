"""More word problems of two steps and more comparisons, told with other words and orders. The slots are those of `two_steps` and `comparisons`."""
from . import crossed_stories

PRODUCT_PLUS = [
    "How many {t} does {n} have [in all|in total|altogether]? {P} [bought|got|packed] {a} [boxes|bags|packs] of {b} and [found|got|has] {c} more.",
    "{N} already has {c} {t} and [buys|gets|opens] {a} [packs|boxes|bags] of {b}. How many {t} does {p} have [now|then|in all]?",
    "[There are|I see|We have] {a} rows of {b} [chairs|plants|desks] and {c} more in the [corner|hall|back]. How many is that [in all|in total|altogether]?",
    "What do I pay [in all|in total|altogether]? I buy {a} {t} at {b} dollars each, and the [delivery|bag|parking] is {c} dollars.",
    "{N} buys {a} tickets for {b} dollars each and a [drink|book|map] for {c} dollars. How much [does {p} pay|is that|does {p} spend]?",
    "I [earn|get] {a} dollars an hour, worked {b} hours and got a tip of {c} dollars. How much is that?",
    "{a} [cars|vans|boats] bring {b} people each and {c} come [on foot|by bike|later]. How many people are there?",
    "For {a} days {n} [runs|walks|rides] {b} km [each day|a day], and on the last day {p} does {c} km more. How many km is that?",
    "[Each|Every one] of {a} [kids|friends] has {b} {t} and the teacher has {c}. How many {t} are there [in all|in total|altogether]?",
    "There were {c} dollars in my [box|account|purse]. I put in {a} dollars a week for {b} weeks. How much is in it now?",
    "~Besides {c} loose {t}, {n} owns {a} boxes of {b}. What is the total?"]
PRODUCT_MINUS = [
    "How many {t} are left? {N} had {a} [boxes|bags|packs] of {b} and [lost|sold|used|gave away] {c}.", "{N} packed {a} [bags|boxes] with {b} {t} each, but {c} [broke|got lost|fell out]. How many {t} are left?",
    "A [hall|bus|cinema] has {a} rows with {b} seats. {c} seats are taken. How many [seats |]are [free|empty]?", "We have {a} [trays|plates|bowls] with {b} {f} each. The guests eat {c}. How many {f} are left?",
    "{a} [packs|boxes] of {b} {f}, and {c} were [bad|eaten|burnt]. How many are still there?", "I [earn|got] {a} dollars an hour for {b} hours and [then spent|spent|paid] {c} dollars. How much is left?",
    "{N} sold {a} {t} for {b} dollars each and paid {c} dollars for the [stand|table|paint]. How much is left?",
    "[There are|We are] {a} [teams|groups|classes] of {b} [kids|players|students], but {c} are [sick|away|late]. How many are here?",
    "{N} planted {a} rows of {b} flowers. {c} [died|did not grow|were eaten]. How many flowers are left?", "~From {a} boxes of {b} {t} someone stole {c}. How many does the owner keep?"]
CHANGE = [
    "How much [money |]does {n} have left? {P} had {c} dollars and bought {a} {t} for {b} dollars each.", "{N} takes {c} dollars to the [shop|market] and buys {a} {t} at {b} dollars each. [How much is left|What is left|How much does {p} bring home]?",
    "I [bought|ordered|got] {a} {t} at {b} dollars each and [gave|handed over|paid with] {c} dollars. [What is my change|How much do I get back|How much comes back]?",
    "With {c} euros I buy {a} {t}, {b} euros [each|apiece]. [What remains|How much is left|What do I have left]?", "{a} {t} cost {b} dollars each. {N} pays with {c} dollars. What is the change?",
    "[My budget is|I can spend] {c} dollars. {a} {t} cost {b} dollars each. How much is left after that?", "A [road is {c} meters long. We clean|wall is {c} meters long. We paint|rope is {c} meters long. We cut off] {a} parts of {b} meters. How many meters are left?",
    "{N} must read {c} pages. {P} reads {a} pages a day for {b} days. How many pages are left?", "There are {c} seats. {a} [families|groups] of {b} sit down. How many seats are [free|left|empty]?"]
COME_GO = {
    "+-": ["How many {t} does {n} have [now|in the end|left]? {P} had {a}, [got|found|bought] {b} more and [lost|sold|gave away] {c}.", "{N} [picked|collected|made] {a} {t} on Monday and {b} on Tuesday. {P} gave {c} to {m}. How many are left?",
        "[In the library|In the shop|In the box] there were {a} {t}. {b} were added and {c} [taken out|removed|sold]. How many are there now?", "I had {a} dollars, my [mom|aunt|uncle] gave me {b} and I [spent|paid|lost] {c}. [How much is left|How much do I have now]?",
        "A [train|boat|lift] starts with {a} people, {b} more come in at the next stop and {c} leave. How many are [inside|on it|left]?", "{m} brings {a} {f} and {o} brings {b}. The kids eat {c}. How many {f} are left?",
        "[There were|We had] {a} birds on a tree. {b} more came, then {c} flew away. How many are there now?", "It was {a} degrees, then it got {b} degrees warmer and {c} degrees colder. How many degrees is it now?",
        "{N} earned {a} dollars on Friday and {b} on Saturday and then spent {c}. How much is left?", "My score was {a}. I won {b} points and lost {c}. What is it now?", "~Starting from {a} {t}, with {b} coming in and {c} going out, how many stay?"],
    "-+": ["How many {t} does {n} have [now|then|in the end]? {P} had {a}, [lost|sold|gave away] {b} and then [got|bought|found] {c}.", "A [farm|shop|school] had {a} {t}, sold {b} and bought {c}. How many does it have now?",
        "[There were|We had] {a} birds on a roof. {b} flew away and {c} came. How many are there now?", "I had {a} dollars. I [spent|paid] {b} and then my [dad|friend|boss] gave me {c}. How much do I have?",
        "{N} has {a} points, loses {b} and then wins {c}. What is {q} score?", "It was {a} degrees, then it got {b} degrees colder and {c} degrees warmer. How many degrees is it now?", "From {a} {t} take {b} away and put {c} back. How many are there?"],
    "--": ["How many {t} are left? {N} had {a}, [lost|sold] {b} [on Monday|in the morning] and {c} [on Tuesday|in the evening].", "{N} has {a} dollars and [spends|pays] {b} [for lunch|on a book] and {c} [for the bus|on a drink]. How much [is left|money is left|does {p} have left]?",
        "How much money is left? I had {a} dollars and paid {b} for [shoes|food] and {c} for [tickets|gas].", "The trip is {a} km. We drove {b} km before lunch and {c} km after it. How far is it still?", "[There are|I have] {a} {t}: {b} are red, {c} are blue, the rest is green. How many are green?",
        "In a class of {a}, {b} [walk|play football|like tea] and {c} [take the bus|play tennis|like milk]. The rest do neither. How many is that?", "{m} and {o} share a bag of {a} {f}. {m} eats {b}, {o} eats {c}. How many are left?",
        "A tank holds {a} liters. {b} liters go to the [garden|kitchen] and {c} to the [pool|animals]. How many liters are left?", "{N} had {a} {t}, gave {b} to {m} and {c} to {o}. How many does {p} [keep|have left|still have]?"],
    "++": ["How much did {n} spend [in all|in total|altogether]? {P} paid {a} dollars for [a shirt|lunch], {b} for [a hat|a book] and {c} for [a taxi|a drink].", "How many {t} are there [in all|in total|altogether]? There are {a} in the kitchen, {b} in the hall and {c} in the car.",
        "On three days {n} [ran|walked|drove] {a} km, {b} km and {c} km. How many km is that [in all|in total|altogether]?", "{N} sold {a} {t} on Monday, {b} on Tuesday and {c} on Wednesday. How many did {p} sell[ in all| in total| altogether]*?",
        "I bought [a lamp|a ball|bread] for {a} dollars, [a chair|a bat|cheese] for {b} and [a clock|a net|wine] for {c}. What is the total?", "{m} found {a} {t}, {o} found {b} and I found {c}. How many did we find [together|in all]?",
        "[The first|One] class has {a} students, the second {b} and the third {c}. How many students [is that|are there]?", "Breakfast took {a} minutes, lunch {b} and dinner {c}. How many minutes is that [in all|in total|altogether]?", "Over three days we sold {a}, {b} and {c} tickets. How many [is that|tickets were sold]?",
        "{a} people came on Friday, {b} on Saturday and {c} on Sunday. How many came [in all|in total|altogether]?"]}
SHARED = {
    "+/": ["How many {t} does each get? {m} brings {a}, {o} brings {b}, and {c} [kids|friends|people] share them[ equally]*.", "{N} bakes {a} {f} in the morning and {b} in the evening and packs them equally in {c} [boxes|bags]. How many are in each?",
        "We paid {a} dollars for food and {b} for drinks. {c} friends share the bill. How much does each pay?", "There are {a} girls and {b} boys. They form {c} equal [teams|groups]. How many are in each?"],
    "-/": ["How many {f} does each get? There are {a}, {b} are [bad|gone|eaten], and {c} [kids|friends|people] share the rest.", "I have {a} dollars, spend {b} and give the rest to my {c} kids [equally|in equal parts]. How much does each get?",
        "{N} has {a} {t}, keeps {b} and [splits|divides] the rest among {c} friends. How many does each get?"],
    "+*": ["A ticket costs {a} dollars and a drink {b}. [How much is that for {c} people|What do {c} people pay for both]?", "Every day {n} [reads|writes] {a} pages in the morning and {b} at night. How many pages is that in {c} days?", "Each team has {a} girls and {b} boys. How many kids are in {c} teams?",
        "{N} walks {a} km to work and {b} km home on another way, for {c} days. How many km is that?"]}
TOGETHER = {
    "+": ["How many {t} do {m} and {o} have together? {m} has {a} and {o} has {b} more[ than {m}]*.", "{N} sold {a} {t} on Monday and {b} more than that on Tuesday. How many is that [in all|in total|altogether]?", "A [hat|book] costs {a} dollars and a [coat|bag] costs {b} dollars more. What do both cost together?"],
    "-": ["How many {t} do {m} and {o} have together? {m} has {a} and {o} has {b} fewer[ than {m}]*.", "{N} read {a} pages on Monday and {b} fewer on Tuesday. How many pages is that [in all|in total|altogether]?", "A [coat|bag] costs {a} dollars and a [hat|book] costs {b} dollars less. What do both cost together?"],
    "*": ["How many {t} do {m} and {o} have together? {m} has {a} and {o} {w} as many.", "{N} ran {a} km on Monday and {w} as far on Tuesday. How many km is that [in all|in total|altogether]?", "{N} sold {a} {t} in the morning and {w} as many in the evening. How many is that [in all|in total|altogether]?"]}
TIME = ["How many minutes does {n} [work|sleep|read|drive] if it is {a} hours and {c} minutes?", "{N} [drives|reads|trains] for {a} hours and {c} minutes. How many minutes is that?", "The [concert|game|way|meeting] lasted {a} hours and {c} minutes. [What is that in minutes|How many minutes was it]?"]

TWO = {
    "younger": ["Who is {w}? {n} is {a} and {m} is {b}[ years old]*.", "Of {n}, who is {a}, and {m}, who is {b}, who is {w}?", "My friends {n} and {m} are {a} and {b}. Who is {w}?", "{n}'s age is {a} and {m}'s age is {b}. Which one is {w}?"],
    "shorter": ["Who is {w}? {n} is {a} cm and {m} is {b} cm[ tall]*.", "{n} has a height of {a} cm, {m} of {b} cm. Who is {w}?"], "lighter": ["Who is {w}? {n} weighs {a} kg, {m} {b} kg.", "On the scale {n} has {a} kg and {m} {b} kg. Who is {w}?"],
    "slower": ["Who is {w}? {n} goes {a} km per hour and {m} {b}.", "{n} swims {a} meters a minute, {m} {b} meters. Who is {w}?", "In an hour {n} rides {a} km and {m} {b} km. Who is {w}?"],
    "less": ["Who [earned|got|has|spent] {w}? {n} {a} euros, {m} {b} euros.", "{n} spent {a} dollars[ and|,] {m} spent {b}. Who spent {w}?", "{n} saved {a} euros[ and|,] {m} {b} euros. Who saved {w}?"],
    "fewer": ["Who has {w} {t}? {n} has {a} and {m} has {b}.", "{n} and {m} collect {t}. {n} has {a}, {m} has {b}. Who has {w}?", "{n} counts {a} {t} and {m} counts {b}. Who has {w}?", "With {a} {t} for {n} and {b} for {m}, who has {w}?"],
    "fewer points": ["Who got {w}? {n} made {a}, {m} made {b}.", "In the quiz {n} reached {a} points and {m} {b}. Who has {w}?"], "less far": ["Who went {w}? {n} did {a} km and {m} {b} km.", "{n} cycled {a} km, {m} cycled {b} km. Who went {w}?"]}
THREE = {
    "younger": ["Who is the {w}? {n} is {a}, {m} is {b} and {o} is {c}.", "Three friends, {n}, {m} and {o}, are {a}, {b} and {c} years old. Who is the {w}?", "{n} ({a}), {m} ({b}), {o} ({c}): who is the {w}?", "Of {n} with {a}, {m} with {b} and {o} with {c} years, who is the {w}?"],
    "shorter": ["Who is the {w}? {n} is {a} cm, {m} {b} cm and {o} {c} cm.", "{n}: {a} cm, {m}: {b} cm, {o}: {c} cm. Who is the {w}?"], "lighter": ["Who is the {w}? {n} weighs {a} kg, {m} {b} kg and {o} {c} kg.", "{n}: {a} kg, {m}: {b} kg, {o}: {c} kg. Who is the {w}?"],
    "slower": ["Who is the {w}? {n} runs {a}, {m} {b} and {o} {c} km per hour.", "In a race {n} goes {a} km per hour, {m} {b} and {o} {c}. Who is the {w}?"], "less": ["Who has {w}? {n} has {a} euros, {m} {b} euros and {o} {c} euros.", "{n} paid {a} dollars, {m} paid {b} and {o} paid {c}. Who paid {w}?", "{n} saved {a}, {m} {b} and {o} {c} euros. Who saved {w}?"],
    "fewer": ["Who has {w} {t}? {n} has {a}, {m} has {b} and {o} has {c}.", "Three kids have {t}: {n} {a}, {m} {b} and {o} {c}. Who has {w}?", "{n} found {a} {t}, {m} found {b} and {o} found {c}. Who found {w}?", "Among {n} with {a} {t}, {m} with {b} and {o} with {c}, who has {w}?"],
    "fewer points": ["Who has {w}? {n} got {a}, {m} got {b} and {o} got {c}.", "The scores: {n} {a}, {m} {b}, {o} {c}. Who has {w}?"], "less far": ["Who went {w}? {n} ran {a} km, {m} {b} km and {o} {c} km.", "{n} jogged {a} km, {m} {b} km, {o} {c} km. Who went {w}?"]}
PRICE_TWO = ["Which is {w}? The {x} costs {a} dollars, the {y} {b}.", "The {x} is {a} euros and the {y} is {b} euros. Which one is {w}?", "I like the {x} ({a} dollars) and the {y} ({b} dollars). Which is {w}?", "In the shop the {x} is ${a} and the {y} ${b}. [What|Which one] is {w}?"]
PRICE_THREE = ["Which is the {w}? The {x} costs {a} dollars, the {y} {b} and the {z} {c}.", "The {x} is {a} euros, the {y} is {b} euros, the {z} is {c} euros. Which is the {w}?", "[Here are|I see] three prices: the {x} {a}, the {y} {b}, the {z} {c}. Which is the {w}?"]
ORDER = ["Who is the {w}? {n} is {k} than {m} and {m} is {k} than {o}.", "[We know that|I know that|They say that] {n} is {k} than {m}, and {m} is {k} than {o}. Who is the {w}?", "{m} is {k} than {o} and {n} is {k} than {m}. Which of the three is the {w}?",
    "Three friends: {n} is {k} than {m}, {m} is {k} than {o}. Who is the {w}?", "{m} is not as {j} as {n}, and {o} is not as {j} as {m}. Who is the {w}?", "Who of {m}, {o} and {n} is the {w}? {n} is {k} than {m}. {m} is {k} than {o}."]
WHO_HAS_MORE = ["Who has more {t}? {n} has {a}, {m} has {b}.", "{n} and {m} collect {t}. {n} has {a} and {m} has {b}. Who has more?", "{n} counts {a} {t}, {m} counts {b}. Who has the bigger pile?", "If {n} has {a} {t} and {m} has {b}, who has more?", "{n} picked {a} {t} and {m} picked {b}. Who picked more?"]
DAYS = ["Which day will it be in {n} days? Today is {d}.", "{n} days from now, [what|which] day is it? It is {d} today.", "I have to wait {n} days and today is {d}. [What|Which] day will it be?", "The [package|letter|guest|order] comes {n} days after {d}. [What|Which] day is that?", "[We meet|The show is|The shop opens] in {n} days. Today is {d}. [What|Which] day is that?"]
DAYS_AGO = ["Which day was it {n} days ago? Today is {d}.", "[I called|She left|It happened] {n} days ago and today is {d}. [What|Which] day was that?", "Go back {n} days from {d}. Which day is it?", "Today is {d}. [The party|The storm|The test] was {n} days ago. [What|Which] day was that?"]
MONTHS = ["Which month is it in {n} months? It is {d} now.", "It is {d}. [The wedding|The baby|The exam|The trip] comes in {n} months. Which month is that?", "The course starts in {d} and ends {n} months later. Which month is that?", "{n} months after {d}, [what|which] month is it?"]
CLOCK = ["What time will it be in {b} minutes? It is {h}:{a} now.", "When does it end? It starts at {h}:{a} and [takes|lasts] {b} minutes.", "The [cake|pizza|bread|chicken] goes into the oven at {h}:{a} for {b} minutes. When is it ready?", "My [break|shift|lesson|call] begins at {h}:{a} and lasts {b} minutes. When is it over?",
    "It's {h}:{a}. [My friend comes|The bus comes|We eat] in {b} minutes. What time is that?", "The train should come at {h}:{a} but is {b} minutes late. When does it come?"]
for _lines, _more in ((PRODUCT_PLUS, crossed_stories.PRODUCT_PLUS), (PRODUCT_MINUS, crossed_stories.PRODUCT_MINUS), (CHANGE, crossed_stories.CHANGE), (TIME, crossed_stories.TIME), (PRICE_TWO, crossed_stories.PRICE_TWO),
        (PRICE_THREE, crossed_stories.PRICE_THREE), (ORDER, crossed_stories.ORDER), (WHO_HAS_MORE, crossed_stories.WHO_HAS_MORE), (DAYS, crossed_stories.DAYS)):
    _lines.extend(_more)
for _table, _more in ((COME_GO, crossed_stories.COME_GO), (SHARED, crossed_stories.SHARED), (TOGETHER, crossed_stories.TOGETHER), (TWO, crossed_stories.TWO), (THREE, crossed_stories.THREE)):
    for _kind, _lines in _more.items():
        _table[_kind].extend(_lines)
