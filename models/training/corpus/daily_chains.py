"""Still more problems of two steps: parking lots, libraries, kitchens, trips, prices, tanks and games. The slots are those of `two_steps`."""
from .daily_stories import GAINED, GAINS, HOLDER, LOSES, LOST, NOW, WHEN

PRODUCT_PLUS = [
    "{N} works {a} days for {b} hours each and {c} hours [at home|on the weekend|on top]. How many hours [is that|does {p} work]?",
    "[A taxi|A boat|A bike|A room] costs {a} dollars an hour plus a fee of {c} dollars. What do I pay for {b} hours?",
    "The entry is {c} euros and each ride costs {a} euros. {N} takes {b} rides. How much does {p} pay[ in all| in total| altogether]*?",
    "For each of {a} rooms [we need|I need] {b} liters of paint, and {c} liters for the [fence|door|garage]. How many liters is that?",
    "A [truck|ship|van] carries {a} crates that weigh {b} kg each and one machine of {c} kg. How many kg is that [in all|in total|together]?",
    "What's the total weight? {a} bags of {b} kg each and a [box|suitcase|parcel] of {c} kg.",
    "[My|Our] choir has {a} rows of {b} singers and {c} people who play. How many are we in all?",
    "{N} swims {a} laps a day for {b} days. On Sunday {p} swims {c} laps more. How many laps does {p} swim?",
    "Every one of the {a} [waiters|drivers|nurses] gets {b} dollars and the [cook|boss|doctor] gets {c}. How much [money |]is paid out?",
    "How much does the [party|trip|picnic] cost if {a} people pay {b} dollars each and the [bus|cake|music] costs {c} dollars more?",
    "How many minutes does {n} need? {P} [solves|writes|fixes] {a} tasks in {b} minutes each and rests for {c} minutes.",
    "{N} has {c} {t}. Each of {q} {a} friends brings {b} more. How many {t} [are there now|is that|are there in all]?",
    "My plant is {c} cm tall and grows {a} cm [a week|every week]. How tall is it after {b} weeks?",
    "A [tree|child|snake] of {c} cm grows {a} cm a year for {b} years. How many cm is it then?",
    "A tank has {c} liters. Water comes in at {a} liters a minute for {b} minutes. How many liters are in it?",
    "In a game each [star|coin|win] is worth {a} points. {N} has {b} of them and a bonus of {c}. What is {q} score?",
    "[Tickets|Books|Shirts|Balls] are {a} dollars each. I [buy|order|take] {b} and pay {c} dollars for [shipping|parking|the bag]. What [is the total|do I pay]?",
    "The gym costs {a} euros a month and {c} euros to join. How much is it for {b} months?"]
PRODUCT_MINUS = [
    "{N} [orders|bought|picked up] {a} [cartons|crates|sacks] of {b} {t}. On the way {c} [fell out|got lost|broke]. How many {t} [arrive|are left|reach the house]?",
    "I buy {a} {t} at {b} dollars each and have a coupon for {c} dollars. How much do I pay?",
    "{a} [shirts|books|tickets] cost {b} euros each, but I get {c} euros off. What do I pay[ in the end| then| in all]*?",
    "How much does {n} pay with a discount of {c} dollars on {a} {t} that cost {b} dollars each?",
    "A [school|hotel|ship] has {a} floors with {b} rooms each. {c} rooms are [empty|closed|free]. How many are [in use|taken]?",
    "{N} mows {a} lawns for {b} dollars each. {P} spends {c} dollars on gas. How much [is left|does {p} keep|does {p} earn]?",
    "I work {a} hours at {b} euros an hour and pay {c} euros [tax|for the bus|for lunch]. How much do I [keep|take home|have left]?",
    "{a} boats with {b} people each set out. {c} people [come back early|swim back|return]. How many are still on the water?",
    "The [teacher|coach|boss] has {a} packs of {b} {t} and hands out {c}. How many [remain|are left|are not used]?",
    "[A wall|A puzzle|A quilt] has {a} rows of {b} [tiles|pieces|squares]. {c} are missing. How many are there?",
    "A [baker|cook|kitchen] makes {a} trays of {b} {f}. By noon {c} are sold. How many {f} are [left|still there|not sold]?",
    "There are {a} nests with {b} eggs each. {c} eggs [hatch|break|fall down]. How many eggs [are left|remain]?",
    "I get {a} euros a week. After {b} weeks I spend {c} euros on a [game|gift|jacket]. What do I still have?",
    "[The class|The group] collects {a} dollars from each of {b} kids and spends {c} dollars. How many dollars are left?"]
CHANGE = [
    "{N} has a {c} euro [note|bill] and takes {a} {t} for {b} euros each. [What is {q} change|How much does {p} get back|How much does {p} still have]?",
    "In my wallet there are {c} dollars. {a} {t} at {b} dollars each, please. [How much is left in it|What do I have left]?",
    "The cashier gets {c} euros for {a} {t}. One costs {b} euros. How much [change |]does he give back?",
    "{N} takes {a} [melons at the market|cakes at the bakery|magazines at the kiosk] for {b} euros each and gives a {c} euro note. [How much change is that|What does {p} get back]?",
    "How far do we still have to go? The [trip|way|race] is {c} km and we [ride|walk] {a} km a day for {b} days.",
    "The [trip|drive|tour] is {c} km long. {N} goes {a} km per hour for {b} hours. How many km are left?",
    "A tank holds {c} liters. {a} [buckets|cans|jugs] of {b} liters are taken out. How many liters [are left|remain|are still in it]?",
    "{N} must [write|learn|sort] {c} [words|cards|letters] and does {a} a day. How many are left after {b} days?",
    "The [hall|cinema|bus company] has {c} seats. {a} [schools|clubs|families] book {b} seats each. How many seats are free?",
    "[A roll|A rope|A ribbon] of {c} cm is cut. {N} takes {a} pieces of {b} cm. How many cm [remain|are left]?",
    "There are {c} kg of [rice|flour|sand] in the store. {a} people buy {b} kg each. How many kg are left?",
    "My goal is {c} dollars. I save {a} dollars a week for {b} weeks. How much is [still |]missing?",
    "{N} wants to run {c} km this month. {P} ran {a} times {b} km. How many km does {p} still need?"]
COME_GO = {
    "+-": ["[The parking lot|The garage|The street] has {a} cars. {b} [drive in|come|arrive] and {c} [drive off|leave|go]. How many cars are there [now|then]?",
        "A library has {a} books, gets {b} new ones and throws away {c}. How many [is that in the end|are left|does it have then]?",
        "[My phone|My album|The folder] has {a} photos. I take {b} more and delete {c}. How many photos [are left|do I have|are on it now]?",
        "{N} has {a} euros in the bank. {P} pays in {b} and takes out {c}. How much is there now?", "{N} is on floor {a}, goes up {b} floors and then down {c}. On which floor is {p}?",
        "A tank has {a} liters. I pour in {b} liters and use {c} for the [garden|car|dishes]. How many liters are in it?", "{N} weighs {a} kg, gains {b} kg in winter and loses {c} kg in summer. What does {p} weigh now?",
        "The [hotel|camp|ship] has {a} guests. {b} check in and {c} check out. How many guests [are there|does it have] now?", "{m} brings {a} {t}, {o} brings {b}. {c} of them break. How many {t} are [whole|left|still good]?",
        "I cook {a} [dumplings|eggs|potatoes] and my sister cooks {b}. We eat {c}. How many are left over?", "A school had {a} pupils. In fall {b} joined and {c} moved away. How many pupils are there now?",
        "I had {a} emails, {b} more came in and I answered {c}. How many must I still answer?", "[The zoo|The farm] had {a} animals, {b} were born and {c} were sold. How many does it have now?",
        "{N} drives {a} km north, then {b} km more, and turns back {c} km. How far from the start is {p}?", "How many people are on the [ferry|tram|plane]? It started with {a}, {b} got on and {c} got off.",
        "{a} boys and {b} girls are at the party. {c} children go home early. How many stay?", "We had {a} bottles of water and bought {b}. On the hike we drank {c}. How many bottles [are left|do we have]?"],
    "-+": ["{N} had {a} euros, bought a [cap|book|ball] for {b} euros and found {c} euros. How much does {p} have?",
        "The library has {a} books here. {b} are lent out and {c} come back. How many are here now?", "There were {a} liters in the tank. We used {b} and filled in {c}. How many liters is that now?",
        "{N} is on floor {a}, goes down {b} floors and then up {c}. Which floor is that?", "The class has {a} children. {b} are sick, but {c} new ones come. How many are in the room?",
        "Of {a} {t}, {m} takes {b} and puts {c} back. How many are there in the end?", "The hotel had {a} guests. {b} left in the morning and {c} came in the evening. How many sleep there?",
        "In the parking lot there are {a} cars. {b} leave, then {c} come. How many cars are there?", "My team had {a} players, {b} stopped and {c} joined. How many players are we?",
        "A shop has {a} {t}. It sells {b} [today|this week|in the morning] and gets a delivery of {c}. How many does it have then?"],
    "--": ["{N} has {a} euros. [Lunch|A cap|A book] costs {b} and [a drink|the bus|a map] {c}. How much is left?", "I bought [bread|a pen] for {b} euros and [cheese|a pad] for {c} euros. I had {a} euros. How much do I have now?",
        "{N} pays {b} dollars for [a cake|a cap] and {c} dollars for [tea|socks] with {a} dollars. What is the change?", "A rope is {a} meters long. I cut off {b} meters and then {c} meters. How long is [it now|the rest]?",
        "My vacation has {a} days. I spent {b} days at the sea and {c} in the city. How many days are left?", "{N} had {a} minutes. {P} used {b} for math and {c} for reading. How many minutes are left?",
        "There are {a} seats in the bus. {b} are taken by boys and {c} by girls. How many are free?", "A sack has {a} kg of potatoes. We cook {b} kg and sell {c} kg. How many kg are left?",
        "The tank had {a} liters. {b} liters went on Monday and {c} on Tuesday. How many liters remain?", "A team needs {a} points. It got {b} in the first game and {c} in the second. How many points are missing?",
        "[The exam|The test] has {a} questions. {N} did {b} before the break and {c} after it. How many are [left|not done]?", "I want to save {a} euros. In May I saved {b}, in June {c}. How much do I still need?",
        "{a} {t}: {m} gets {b}, {o} gets {c} and I keep the rest. How many do I keep?", "From a cake with {a} pieces we ate {b} and the neighbors {c}. How many pieces are left?"],
    "++": ["{N} spent {a} minutes on the bus, {b} on the train and {c} on foot. How long was the way?", "A [table|bed] costs {a} euros, a [lamp|mirror] {b} and a [chair|rug] {c}. What is the price of all three?",
        "My suitcase weighs {a} kg, my bag {b} kg and my coat {c} kg. What is that [together|in all]?", "How many {f} are on the table? {m} brings {a}, {o} brings {b} and I bring {c}.",
        "We drove {a} km to the lake, {b} km to the town and {c} km home. How long was the trip?", "The three bottles hold {a}, {b} and {c} liters. How many liters is that [together|in all|in total]?",
        "A farmer has {a} goats, {b} ducks and {c} horses. How many animals does he have?", "I read {a} pages before lunch, {b} after lunch and {c} in bed. How many pages were that?",
        "First {n} got {a} points, then {b} and at last {c}. What is the final score?", "The pool had {a} children, {b} parents and {c} teachers. How many people was that?",
        "{N} earned {a} dollars with the dog, {b} with the lawn and {c} with the car wash. How much did {p} earn?"]}
SHARED = {
    "+/": ["{m} picks {a} {f} and {o} picks {b}. They pack them in {c} baskets, the same number in each. How many {f} go into one basket?", "How much does each pay? The [meal|taxi|room] is {a} dollars, the [tip|fee|wine] {b}, and we are {c} people.",
        "{a} red and {b} blue {t} are put in {c} equal rows. How many are in a row?", "A rope of {a} meters and one of {b} meters are tied and cut into {c} equal pieces. How long is a piece?",
        "{N} ran {a} km and {b} km, in {c} hours in all. How many km is that per hour?", "Mom gives {a} dollars and Dad gives {b}. {c} kids share it equally. How much does each kid get?"],
    "-/": ["A cake has {a} pieces. {b} are gone and {c} friends share the rest equally. How many pieces does each one get?", "{N} had {a} {t}, lost {b} and put the others in {c} equal [bags|boxes|piles]. How many are in each?",
        "From {a} euros we pay {b} for the bus. {c} of us split what is left. How much is that for each?", "The trip is {a} km. After {b} km, the rest is done in {c} hours. How many km per hour is that?",
        "I have {a} pages to read. I read {b} today and the rest in {c} days, the same every day. How many pages a day?", "Of {a} kids, {b} stay home. The others make {c} equal teams. How many kids are in a team?"],
    "+*": ["One [set has a book for {a} euros and a pen|meal has a soup for {a} euros and a salad] for {b}. What do {c} of them cost?", "{N} sleeps {a} hours and works {b} hours a day. How many hours is that in {c} days?",
        "Each child gets {a} [cookies|nuts] and {b} grapes. How many pieces of food do {c} children get?", "In one week {n} saves {a} dollars and {q} mom adds {b}. How much is it after {c} weeks?",
        "Every box holds {a} big and {b} small {t}. How many {t} do {c} boxes hold?", "The way takes {a} minutes there and {b} minutes back. How many minutes is that in {c} days?"]}
TOGETHER = {
    "+": ["{m} weighs {a} kg and {o} is {b} kg heavier. What do they weigh together?", "The first day {n} walked {a} km, the second day {b} km more than that. How far [is that|did {p} walk] in all?",
        "{m} saved {a} euros, {o} saved {b} euros more than {m}. How much do both have?", "One class has {a} kids, the other {b} more. How many kids are in both?", "On Monday we sold {a} {t}, on Tuesday {b} more than that. What is the total?"],
    "-": ["{m} weighs {a} kg and {o} is {b} kg lighter. What do they weigh together?", "{m} has {a} euros and {o} has {b} euros less. How much do they have together?", "One class has {a} kids, the other has {b} fewer. How many kids are in both?",
        "The bus took {a} minutes, the train {b} minutes less. How long did both take together?", "{m} found {a} {t}. {o} found {b} fewer. How many did they find [in all|together]?"],
    "*": ["{m} saved {a} euros and {o} {w} as much. How much is that together?", "I drank {a} [glasses|cups] on Monday and {w} as many on Tuesday. What is the total?",
        "A [chair|cap] costs {a} dollars, a [table|coat] {w} as much. What do both cost?", "{m} lifts {a} kg and {o} lifts {w} as much. How many kg is that in all?"]}
TIME = ["[The ride|The party|The exam|Baking the bread] takes {a} hours and {c} minutes. How many minutes is that?", "How long is {a} hours and {c} minutes in minutes?",
    "It took {n} {a} hours and {c} minutes to [get home|clean the house|run the race]. Give the time in minutes.", "{a} [h|hrs|hours] and {c} [min|minutes]: how many minutes[ in all]*?",
    "My [flight|shift] was {a} hours and {c} minutes long. How many minutes was I [there|away|gone]?"]

COME_GO["+-"] += [
    f"{{N}} {GAINED} {{a}} {{t}} {WHEN} and {{b}} [more |]{WHEN}. {{P}} {LOST} {{c}}[ of them]*. How many {{t}} does {{p}} have {NOW}?", f"{{N}} keeps {{a}} {{t}} in a {HOLDER}. {{P}} {GAINS} {{b}} more and {LOSES} {{c}}. How many {{t}} [does {{p}} have|are left] {NOW}?",
    f"I {GAINED} {{a}} {{t}}, my friend {GAINED} {{b}}, and together we {LOST} {{c}}. How many {{t}} do we [still |]have?", f"In the {HOLDER} are {{a}} {{t}}. {{m}} puts in {{b}} and {{o}} takes out {{c}}. How many {{t}} are in it {NOW}?"]
COME_GO["-+"] += [
    f"{{N}} had {{a}} {{t}}, {LOST} {{b}} {WHEN} and then {GAINED} {{c}}. How many {{t}} does {{p}} have {NOW}?", f"In the {HOLDER} are {{a}} {{t}}. {{m}} takes out {{b}} and {{o}} puts in {{c}}. How many {{t}} are in it {NOW}?",
    f"I {LOST} {{b}} of my {{a}} {{t}}. [Then|Later|After that] I {GAINED} {{c}} new ones. How many {{t}} do I have {NOW}?"]
COME_GO["--"] += [
    f"{{N}} had {{a}} {{t}}. {{P}} {LOST} {{b}} {WHEN} and {{c}} [more |]{WHEN}. How many {{t}} [are left|remain|does {{p}} have left]?", f"From the {{a}} {{t}} in the {HOLDER} {{m}} takes {{b}} and {{o}} takes {{c}}. How many {{t}} are left in it?",
    f"I {GAINED} {{a}} {{t}} and {LOST} {{b}}. {{o}} took {{c}} of them. How many {{t}} are left?"]
COME_GO["++"] += [
    f"{{N}} {GAINED} {{a}} {{t}} {WHEN}, {{m}} {GAINED} {{b}} and {{o}} {GAINED} {{c}}. How many {{t}} is that [in all|in total|together|altogether]?", f"There are {{a}} {{t}} in the {HOLDER}, {{b}} in the hall and {{c}} in the yard. How many {{t}} are there [in all|in total|altogether]?"]
PRODUCT_PLUS += [
    f"{{N}} {GAINED} {{a}} [bags|boxes|packs|crates] of {{b}} {{t}} {WHEN} and {{c}} [single|loose|more] {{t}} {WHEN}. How many {{t}} does {{p}} have {NOW}?", f"In the {HOLDER} are {{a}} [bags|boxes|packs] with {{b}} {{t}} each and {{c}} loose ones. How many {{t}} are in it?"]
PRODUCT_MINUS += [
    f"{{N}} {GAINED} {{a}} [bags|boxes|packs|crates] of {{b}} {{t}} {WHEN} and {LOST} {{c}}. How many {{t}} does {{p}} have {NOW}?", f"In the {HOLDER} are {{a}} [bags|boxes|packs] with {{b}} {{t}} each. {{m}} takes {{c}} {{t}}. How many {{t}} are left in it?"]
