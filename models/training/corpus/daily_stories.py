"""Word problems of one step from more corners of daily life: screens, weather, floors, kitchens, weights, tanks, workshops, trains. The columns are
those of `story_tables`; d is a number that has nothing to do with the question."""
from .story_tables import FOOD, GOODS, TOTAL, TOYS

WHEN = "[yesterday|this morning|at noon|last week|after school|in the break|on the way home|in the evening|today|over the weekend|in spring]"
GAINED = "[got|bought|found|won|received|earned|picked up|was given|borrowed|made|collected|built|packed|took home]"
GAINS = "[gets|buys|finds|wins|receives|earns|picks up|is given|borrows|makes|collects|adds]"
LOST = "[lost|sold|gave away|donated|broke|threw out|traded away|handed out|returned|lent out|gave {m}|left at school|used up]"
LOSES = "[loses|sells|gives away|donates|breaks|throws out|trades away|hands out|returns|lends out|gives {m}|uses up|mails]"
NOW = "[now|then|after that|in the end|at the end|today]"
HOLDER = "[drawer|jar|cupboard|chest|suitcase|backpack|closet|box|cellar|garage|tent|cart]"

MORE_LIFE = [
    ("+", 999, TOYS, "", [
        f"{{N}} [has|keeps|owns|stores] {{a}} {{t}} in a {HOLDER}. {{P}} {GAINS} {{b}} [more|new ones]. How many {{t}} does {{p}} have {NOW}?", f"{{N}} {GAINED} {{a}} {{t}} {WHEN} and {{b}} [more |]{WHEN}. [How many {{t}} is that|What is the total|How many is that {TOTAL}]?",
        f"[Yesterday|Last week|Over the weekend|In spring|This morning|After school], {{n}} {GAINED} {{a}} {{t}}, and {{m}} {GAINED} {{b}}. How many {{t}} do the two have {TOTAL}?", f"I {GAINED} {{a}} {{t}} {WHEN}. [My sister|My friend|My dad] {GAINED} {{b}}. How many {{t}} do we have {TOTAL}?",
        f"In the {HOLDER} are {{a}} {{t}} and in the {HOLDER} next to it {{b}}. How many {{t}} are there {TOTAL}?", f"{{N}} has {{a}} {{t}}. {{P}} {LOST} {{b}} {WHEN}. How many {{t}} did {{p}} have before that?",
        f"With {{a}} {{t}} in the {HOLDER} and {{b}} in [my hand|my pocket|the car], how many {{t}} do I have?"]),
    ("-", 999, TOYS, "", [
        f"{{N}} [has|keeps|owns|stores] {{a}} {{t}} in a {HOLDER}. {{P}} {LOSES} {{b}}. How many {{t}} [does {{p}} have|are left|remain] {NOW}?", f"{{N}} had {{a}} {{t}} and {LOST} {{b}} {WHEN}. How many {{t}} [are left|does {{p}} have left|does {{p}} still have|remain]?",
        f"I {LOST} {{b}} of my {{a}} {{t}} {WHEN}. How many {{t}} [do I have left|are left|do I still have]?", f"Of the {{a}} {{t}} in the {HOLDER}, {{n}} {LOSES} {{b}}. How many {{t}} are left?",
        f"There were {{a}} {{t}} in the {HOLDER}. {{m}} took {{b}} {WHEN}. How many {{t}} are still in it?", f"{{N}} {GAINED} {{a}} {{t}} {WHEN} but {LOST} {{b}} of them. How many {{t}} does {{p}} have {NOW}?",
        "{N} had {b} {t} [last week|in spring|yesterday|at noon|this morning]. Now {p} has {a}. How many {t} were added?"]),
    ("+", 999, "photos messages emails songs videos files games", "", [
        "My [phone|laptop|folder|album] has {a} {t}. I [add|save|get|load] {b} more. How many {t} [are on it|does it have|is that] now?", "{N} got {a} {t} yesterday and {b} today. How many {t} [is that|did {p} get][ in all| in total| altogether]*?",
        f"There are {{a}} {{t}} on [the old|one] computer and {{b}} on the [new|other] one. How many {{t}} are there {TOTAL}?", "There are {a} {t} left after {n} deleted {b}. How many {t} were there before?",
        f"How many {{t}} do we have {TOTAL}, with {{a}} of mine and {{b}} of yours?"]),
    ("+", 99, "degrees", "", ["It [is|was] {a} degrees in the morning. By noon it [is|gets|got] {b} degrees warmer. How [warm|many degrees] is it [then|now|at noon]?", "The oven has {a} degrees and gets {b} degrees hotter. How hot is it now?",
        "The water is {a} degrees warm and I heat it by {b} degrees. What is the temperature[ now]*?"]),
    ("+", 99, "floors steps stairs", "", ["{N} climbs {a} {t}, takes a break and climbs {b} more. How many {t} is that?", "I went up {a} {t} and then {b} more. How many {t} did I climb?", "The tower has {a} {t} to the bell and {b} {t} to the top. How many {t} [are there|is that] [in all|in total|altogether]?"]),
    ("+", 999, "kg grams pounds", "", [
        "[A box|A suitcase|The parcel] weighs {a} {t} and a [bag|barrel|sack] {b} {t}. What do they weigh [together|in all]?", "The [truck|boat|cart] already has {a} {t} on it and {b} {t} more are loaded. How many {t} does it carry?",
        "A recipe needs {a} {t} of flour and {b} {t} of sugar. How many {t} is that together?", "[I|We] picked {a} {t} of [plums|nuts|berries] on one day and {b} {t} on the next. How many {t} is that?"]),
    ("+", 999, "liters", "", ["A [tank|pool|barrel] has {a} {t}. {b} {t} are [added|filled in|poured in]. How many {t} are in it[ now]*?", "I drank {a} {t} last month and {b} {t} this month. How many {t} were that [in all|in total]?",
        "{N} [mixes|stirs together] {a} {t} of [water|milk] and {b} {t} of [juice|cream]. How many {t} is that?", "One [cow|farm] gives {a} {t} of milk, the other {b} {t}. How many {t} is that [in all|together]?"]),
    ("+", 999, "cm", "", ["A [plant|tree|vine] is {a} cm tall and grows {b} cm[ more]*. How tall is it now?", "Two [ropes|boards|pipes] of {a} cm and {b} cm are put end to end. How long is that?", "My stack is {a} cm high. {m} puts {b} cm on top. How high is it now?",
        "{m}'s rope is {a} cm long and {o}'s is {b} cm longer. How long is {o}'s rope?", "The snow was {a} cm deep. In the night {b} cm fell. How deep is it now?"]),
    ("+", 999, TOYS, "", [
        "[Yesterday|On Monday|Last month] the [shop|baker|museum] sold {a} {t}. [Today|On Tuesday|This month] it sold {b}. What is the total?", "{m} put {a} {t} in the [drawer|basket|jar] and {o} put {b} in. How many {t} are in there?",
        "{N} has {a} {t}. {P} [wants|orders|needs] {b} more for [school|a party|the team]. How many {t} will {p} have then?", "[Grandpa|My aunt|The neighbor] left me {a} {t} and I already owned {b}. How many {t} do I own now?",
        "The red team has {a} {t}. The blue team has {b} more than the red team. How many {t} does the blue team have?", "How many {t} did we start with if {a} are used and {b} are still here?",
        "{N} lives at number {d}. {P} has {a} {t} and {b} more at school. How many {t} does {p} have?", "In room {d} there are {a} {t} and in the hall {b}. How many {t} are there [in all|altogether]?",
        "{N} is number {d} in line. {P} buys {a} {t}, then {b} more. How many {t} does {p} buy?", "At {d} o'clock {n} counts {a} {t}. Then {p} finds {b} more. How many {t} are there now?"]),
    ("+", 999, "dollars euros", "", ["The [phone|bike|sofa] costs {a} {t}. [Shipping|The case|A lamp with it] is {b} {t}. What do I pay?", "I put {a} {t} in the jar in May and {b} {t} in June. How much is in the jar?", "{N} owes {m} {a} {t} and {o} {b} {t}. How much does {p} owe[ in all| in total]*?",
        "I earned {a} {t} and now get {b} {t} more. What do I earn now?", "I have {a} {t} on one card and {b} {t} on the other. How much is that together?", "Repairs cost {a} {t} for the car and {b} {t} for the roof. What is the total?"]),
    ("+", 99, "minutes", "", ["{N} [played|practiced|walked] {a} {t} on Saturday and {b} {t} on Sunday. How many {t} is that?", "The film is {a} {t} long and the ads take {b} {t}. How long do I sit there?", "Line {d} takes {a} {t}, then the train takes {b} {t}. How long is the trip?",
        "I [read|work|study] {a} {t} and then {b} {t} more. How many {t} in all?"]),
    ("-", 999, TOYS, "", [
        "{N} is {d} years old and has {a} {t}. {P} gives {b} to {m}. How many {t} does {p} have left?", "[A shop|The museum|The club] had {a} {t}. A [fire|storm|leak] ruined {b}. How many {t} are still [good|there|left]?",
        "Only {b} of the {a} {t} [work|fit]. How many {t} do not?", "We need {a} {t} for the [show|class|trip]. {b} are ready. How many must we still [make|get|buy]?", "{N} and {m} have {a} {t} together. {b} of them are {m}'s. How many does {n} have?",
        "From my {a} {t} I [lend|give|send] {b} to {m}. How many stay with me?", "How many {t} fewer does {o} have? {m} has {a} and {o} has {b}.", "The {d} kids in the room have {a} {t}. They throw away {b}. How many {t} are left?",
        "[It was {d} o'clock when|At {d} o'clock] the shop had {a} {t}. An hour later {b} were sold. How many {t} were left?", "~Out of my {a} {t} the puppy chewed up {b}. How many survived?"]),
    ("-", 99, "degrees", "", ["It was {a} degrees at noon. [In the evening|At night] it [is|was] {b} degrees [colder|cooler]. How [warm|many degrees] is it then?", "It was {a} degrees on Monday and {b} degrees on Tuesday. By how many degrees did it [fall|drop]?",
        "The tea had {a} degrees and cools down by {b} degrees. How hot is it now?", "How many degrees warmer is {a} than {b} degrees?"]),
    ("-", 99, "percent", "", ["My [phone|laptop|car] battery was at {a} percent. I used {b} percent. What is it at now?", "The battery went from {a} to {b} percent. How many percent did it lose?"]),
    ("-", 999, "kg grams pounds", "", ["A sack has {a} {t}. {b} {t} are [used|sold|taken out]. How many {t} [are left|remain|stay in it]?", "The load weighed {a} {t}. {b} {t} fell off. What does it weigh now?", "How much heavier is a box of {a} {t} than one of {b} {t}?",
        "I need {a} {t} of [flour|rice|sand] and have {b} {t}. How many {t} [are missing|do I need to buy]?", "A table weighs {a} {t} and a chair {b} {t}. How much more does the table weigh?", "The box with the books weighs {a} {t}. The box alone weighs {b} {t}. What do the books weigh?"]),
    ("-", 999, "liters", "", ["[The barrel|The tank|The pool] has {a} {t}. {b} {t} are [used|sold|taken out|poured out]. How many {t} [are left|remain|stay in it]?", "The [tank|barrel|tub] holds {a} {t}, but only {b} {t} are in it. How many {t} fit in?", "We had {a} {t} of [water|milk|juice] and drank {b} {t}. How many {t} are left?"]),
    ("-", 999, "cm", "", ["A [rope|board|ribbon] is {a} cm long. I cut off {b} cm. How long is [it now|the rest|it then]?", "How much longer is a rope of {a} cm than one of {b} cm?", "The candle was {a} cm. It burned down by {b} cm. How tall is it now?", "{m}'s ribbon is {a} cm and {o}'s {b} cm. How many cm is the difference?"]),
    ("-", 999, "km miles meters", "", ["The train has gone {b} of {a} {t}. How many {t} are left?", "My ticket is good for {a} {t}. I used {b} {t}. How many {t} can I still go?", "{N} ran {b} {t}. The goal is {a} {t}. How many more {t} must {p} run?",
        "On road {d} we drive {b} of {a} {t}. How many {t} are left?", "The sign said {a} {t} and now it says {b} {t}. How far did we go?"]),
    ("-", "note", "dollars euros", "", ["{N} has {a} {t}. A cap is {b} {t}. {P} buys it. How much is left?", "[Dad|Mom|Grandpa] gives me {a} {t} for a [book|ticket|cake] of {b} {t}. How much change do I bring home?", "A coat for {a} {t} is on sale for {b} {t}. How much do I save?",
        "The [card|account] had {a} {t} and now shows {b} {t}. How much was spent?", "I have a note of {a} {t} and pay {b} {t}. [What comes back|How much do I get back]?", "I lost {b} of my {a} {t}. How much do I still have?", "On day {d} I have {a} {t} and pay {b} {t} for food. How much is left?",
        "The fine is {a} {t}. {N} has paid {b} {t}. What does {p} still owe?", "~My purse of {a} {t} got lighter by {b} {t}. What is in it?"]),
    ("-", 999, "seats rooms places beds", "", ["[A bus|A hall|A hotel] has {a} {t} and {b} are [taken|booked]. How many {t} are free?", "How many {t} are still free? {b} of {a} are taken.", "There are {a} {t} but only {b} guests. How many {t} stay empty?"]),
    ("-", "minute", "minutes", "", ["Bus {d} should come at {h}:{b} but comes at {h}:{a}. How many minutes late is it?", "It is {h}:{b}. The shop closes at {h}:{a}. How many minutes are left?", "{N} called at {h}:{b} and hung up at {h}:{a}. How many minutes did {p} talk?"]),
    ("*", "times", TOYS + " " + FOOD, "", [
        "{a} [kids|teachers|players] got {b} {t} each. How many {t} were [given out|handed out|needed]?", "A [shelf|tray|cart] has room for {a} {t}. How many {t} fit on {b} of them?", "[The shop|A worker|The machine] works {a} hours and packs {b} {t} every hour. How many {t} is that?",
        "It is day {d}. Each day {n} sells {a} {t}. How many {t} does {p} sell in {b} days?", "{a} times a week {n} buys {b} {t}. How many {t} is that a week?", "There are {a} classes and each one makes {b} {t}. How many {t} do they make [in all|in total|altogether]?",
        "I pack {a} {t} per bag. I have {b} bags. How many {t} did I pack?", "~Every one of {a} pupils is given {b} {t}. How many {t} go out?"]),
    ("*", "times", "tiles squares plants stamps stickers windows", "", ["[A wall|A picture|A pattern] has {a} rows and {b} {t} in each row. How many {t} [are there|is that]?", "How many {t} are in {a} rows of {b}?", "A [house|school|hall] has {a} walls with {b} {t} on each. How many {t} are there?",
        "My [album|book|plan] has {a} pages with {b} {t} on each page. How many {t} are in it?"]),
    ("*", "times", "meters", "square meters", ["A room is {a} meters by {b} meters. How many square meters is that?", "What is the area of a garden {a} meters long and {b} meters wide?", "How big is a floor of {a} by {b} meters?"]),
    ("*", "price", GOODS, "euros", ["How much do {a} {t} cost at {b} euros each?", "We are {a} and each of us buys one {s} for {b} euros. What do we pay?", "{N} is in shop {d}. {P} takes {a} {t}, each {b} euros. How much does {p} pay?", "I want {a} {t}. One {s} is {b} euros. What will it cost?"]),
    ("*", "price", "dollars euros", "", ["Today I worked {a} hours for {b} {t} an hour. How much did I make?", "In {a} months {n} saves {b} {t} each month. How much is that?", "{a} people go to the [pool|museum|zoo]. A ticket is {b} {t}. How much do they pay?", "I park for {a} hours at {b} {t} an hour. What do I pay?",
        "For {a} weeks I [put aside|save] {b} {t} each week. What do I have then?", "A call of {a} minutes costs {b} {t} a minute. How much is it?", "{N} rents a [bike|boat] for {a} hours at {b} {t} an hour. What does it cost?"]),
    ("*", "ten", "km miles", "", ["The bus goes {a} {t} an hour. How far does it go in {b} hours?", "How many {t} is that: {a} {t} per hour for {b} hours?", "{N} rides {a} {t} per hour. The ride takes {b} hours. How far is it?", "My car uses a tank for {a} {t}. How many {t} can I go with {b} tanks?"]),
    ("*", 7, "days", "", ["How many days are {a} weeks?", "{N} stays for {a} weeks. How many days is that?", "My trip takes {a} weeks. How many days is that?", "The [baby|kitten|puppy] is {a} weeks old. How many days is that?", "In {a} weeks school ends. How many days is that?"]),
    ("*", 2, TOYS + " " + FOOD, "", ["{N} has {a} {t} and [doubles|wants to double] that. How many {t} is that?", "{o} has double the {t} of {m}, who has {a}. How many {t} does {o} have?", "Twice {a} {t}: how many is that?", "My plan needs {a} {t}. I do it twice. How many {t} do I need?",
        "There were {a} {t} and now there are twice as many. How many are there?"]),
    ("/", "share", TOYS + " " + FOOD, "", [
        "{a} {t} for {b} [bags|bowls|boxes], the same in each. How many {t} per [bag|bowl|box]?", "There are {b} of us and {a} {t}. How many {t} can each one take?", "{N} wants to [give|hand out] {a} {t} to {b} friends, the same number to each. How many does one get?",
        "A [teacher|coach|boss] has {a} {t} for {b} [kids|players|workers]. How many does each get?", "How many {t} go in each row if {a} {t} stand in {b} rows?", "{N} lives on street {d}. {P} shares {a} {t} with friends, {b} people in all. How many {t} does each get?"]),
    ("/", "share", "dollars euros", "", ["The taxi costs {a} {t}. {b} of us share it. What does each pay?", "{N} pays {a} {t} for {b} hours of [parking|tennis|lessons]. What is one hour?", "{a} {t} are paid in {b} equal parts. How much is one part?", "{b} friends won {a} {t} and split it. How much does each get?"]),
    ("/", "share", "kg", "", ["{a} {t} are filled in {b} equal sacks. How many {t} are in one?", "{b} boxes weigh {a} {t} together. All weigh the same. How many {t} is one?"]),
    ("/", "share", "liters", "", ["{a} {t} are filled in {b} equal [bottles|cans|buckets]. How many {t} are in one?", "{N} pours {a} {t} of [water|juice] into {b} jugs, the same in each. How many {t} does each hold?"]),
    ("/", "share", "meters cm", "", ["A board of {a} {t} is cut in {b} equal parts. How long is one?", "{N} cuts a ribbon of {a} {t} into {b} equal pieces. How many {t} long is each?"]),
    ("/", "share", "pages km words", "", ["I want to do {a} {t} in {b} days. How many {t} a day is that?", "{N} has {b} days for {a} {t}. How many {t} must {p} do each day?"]),
    ("/", "share", "people guests children", "cars", ["{b} {t} fit in a car. How many cars do {a} {t} need?", "{a} {t} go in cars of {b}. How many cars are needed?"]),
    ("/", 7, "days", "weeks", ["How many weeks are {a} days?", "{N} waits {a} days. How many weeks is that?", "My holiday is {a} days long. How many weeks is that?"]),
    ("/", 2, TOYS, "", ["Half of my {a} {t} are [red|old|broken]. How many is that?", "{N} gives half of {a} {t} to {m}. How many does {m} get?", "What is half of {a} {t}?", "I have {a} {t} and sell half. How many do I have left?", "{m} and {o} share {a} {t} fairly. How many does each get?"])]
