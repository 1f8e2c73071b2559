"""More ways to ask who or what comes first, and new things to compare: birth years, race times, arrivals, three people put in order, even and odd numbers,
clocks with two durations. The slots are those of `comparisons` and `multi_step`."""
from . import lexicon
from .phrasing import Turn, ask

GROCERIES = ("milk bread butter cheese rice eggs apples pears plums onions carrots potatoes tomatoes flour sugar salt oil tea coffee juice water soap honey jam nuts yogurt fish ham "
    "pasta beans corn lemons grapes cookies noodles pepper garlic bananas").split()
TWO = {
    "younger": ["{n} is already {a}, {m} is just {b}. Who is {w}?", "In the family {n} is {a} and {m} is {b}. Which one is {w}?", "{m} is {b} and {n} is {a}. Tell me who is {w}.", "Ages: {n} {a}, {m} {b}. Who is {w}?"],
    "shorter": ["{n} is {a} cm, {m} is {b} cm. Which of them is {w}?", "Next to {m} with {b} cm stands {n} with {a} cm. Who is {w}?"], "lighter": ["{n} has {a} kg, {m} has {b} kg on the scale. Which of them is {w}?", "The doctor writes down {a} kg for {n} and {b} kg for {m}. Who is {w}?"],
    "slower": ["{n} skates {a} km per hour, {m} {b}. Which one is {w}?", "{n}'s car does {a} km per hour and {m}'s does {b}. Whose is {w}?"],
    "less": ["{n} pays {a} euros for lunch and {m} {b} euros. Who pays {w}?", "{n} makes {a} dollars a day, {m} {b}. Who makes {w}?", "In {n}'s wallet are {a} euros, in {m}'s {b}. Who has {w}?"],
    "fewer": ["{n} brought {a} {t} and {m} brought {b}. Who brought {w}?", "{n} sells {a} {t}, {m} sells {b}. Who sells {w}?", "Today {n} made {a} {t} and {m} {b}. Which of the two made {w}?"],
    "fewer points": ["The game ended {a} for {n} and {b} for {m}. Who has {w}?", "{n} reached {a}, {m} reached {b} in the test. Who has {w}?"],
    "less far": ["{n} hiked {a} km, {m} hiked {b} km. Who hiked {w}?", "{n} threw the ball {a} meters and {m} {b} meters. Who threw {w}?", "{n} jumped {a} cm, {m} jumped {b} cm. Who jumped {w}?"]}
THREE = {
    "younger": ["Three kids: {n} is {a}, {m} is {b}, {o} is {c}. Who is the {w}?", "In our family {n} is {a}, {m} is {b} and {o} is {c}. Which one is the {w}?", "Which of them is the {w}: {n}, {a}, {m}, {b}, or {o}, {c}?"],
    "shorter": ["{n} has {a} cm, {m} {b} cm and {o} {c} cm. Which one is the {w}?"], "lighter": ["The scale shows {a} kg for {n}, {b} for {m} and {c} for {o}. Who is the {w}?"],
    "slower": ["{n} bikes {a} km per hour, {m} {b} and {o} {c}. Which of them is the {w}?"], "less": ["{n} makes {a} dollars, {m} {b} and {o} {c}. Who makes {w}?", "Lunch was {a} euros for {n}, {b} for {m} and {c} for {o}. Who paid {w}?"],
    "fewer": ["{n} sold {a} {t}, {m} {b} and {o} {c}. Who sold {w}?", "Of the three, {n} has {a} {t}, {m} has {b} and {o} has {c}. Who has {w}?"],
    "fewer points": ["After the game {n} has {a}, {m} {b} and {o} {c}. Who has {w}?"], "less far": ["{n} swam {a} meters, {m} {b} and {o} {c}. Who swam {w}?"]}
PRICE_TWO = ["At the [store|market] the {x} is {a} euros, the {y} is {b} euros. Which one is {w}?", "Should I take the {x} at {a} or the {y} at {b} dollars if I want the one that is {w}?", "A {x} for {a}, a {y} for {b} dollars. Which is {w}?", "[They ask|They want] {a} dollars for the {x} and {b} for the {y}. Which is {w}?"]
PRICE_THREE = ["A {x} is {a} euros, a {y} {b} and a {z} {c}. What is the {w}?", "I can buy the {x} ({a}), the {y} ({b}) or the {z} ({c}). Which one is the {w}?", "{a} for the {x}, {b} for the {y}, {c} for the {z}: which is the {w}?", "Prices: {x} {a}, {y} {b}, {z} {c}. Which is the {w}?"]
ORDER = ["{o} is less {j} than {m}, and {m} is less {j} than {n}. Who is the {w}?", "Of the three, {n} is {k} than {m} and {o}, and {m} is {k} than {o}. Who is the {w}?", "Among my friends {n} is {k} than {m}, who is {k} than {o}. Who is the {w}?", "I know two things: {m} is {k} than {o}, and {n} is {k} than {m}. Who is the {w}?"]
DAYS_AGO = ["{n} days back from {d}, which day is that?", "I lost my key {n} days ago. Today is {d}. Which day was it?", "My [call|visit|letter] came {n} days before {d}. Which day was that?"]
MONTHS = ["I [started|moved|got the job] in {d}. {n} months later it is which month?", "We plan a [trip|feast] {n} months after {d}. In which month is it?", "From {d} count {n} months on. Which month is it?"]
CLOCK = ["I put the [pie|rice|soup] on at {h}:{a} and it needs {b} minutes. At what time can we eat?", "School is out at {h}:{a} and my way home takes {b} minutes. When am I home?", "The [plane|ferry|coach] leaves at {h}:{a}, the trip takes {b} minutes. When am I there?", "My alarm was at {h}:{a}. I slept {b} minutes longer. What time was it?", "A timer of {b} minutes starts at {h}:{a}. When does it ring?"]
WHO_HAS_MORE = ["In {n}'s box are {a} {t}, in {m}'s {b}. Who has more?", "{n} brings {a} {t} and {m} {b}. Who brings more?", "{n} won {a} {t}, {m} won {b}. Who won more?", "One has {a} {t} and that is {n}. The other is {m} with {b}. Who has more?"]
DAYS = ["I ordered it on {d} and it takes {n} days. Which day does it come?", "My vacation starts in {n} days and it is {d}. [What|Which] day is that?", "Today being {d}, what day is it {n} days later?", "We eat the cake in {n} days. Now it is {d}. Which day will that be?"]
LETTERS = ["[Please |]count how many letters {w} has.", "If I write {w}, how many letters do I use?", "How many letters must I type for {w}?", "I want to know the length of {w}. How many letters?", "Is {w} long? How many letters does it have?"]
ITEMS = ["How many things are in my bag: {x}", "[We|I] saw: {x}. How many things were that?", "On the table are {x}. How many things are there?", "Count for me: {x}", "How many of them are there: {x}", "In the kitchen we have {x}. How many things do we have?"]
SORT = ["Sort the following: {x}", "[Please |]put {x} in order, smallest first.", "My [scores|points|prices] are {x}. Sort them.", "From the lowest to the highest, please: {x}", "Give me {x} in order from small to big.", "I need these sorted: {x}"]
ALPHABET = ["Which word comes first in the alphabet? Order all: {x}", "Put {x} in alphabetical order.", "Sort the names of these things from A to Z: {x}", "I need {x} in the order of the alphabet."]
LARGEST = ["The scores are {x}. What is the best score?", "Which of my prices is the highest: {x}", "We measured {x}. What is the biggest one?", "Pick the biggest of {x}", "What is the top number of {x}?", "The dice show {x}. Which is the largest?", "[Among|In] the row {x}, what is the largest number?"]
SMALLEST = ["Which of my prices is the lowest: {x}", "We measured {x}. What is the smallest one?", "Pick the smallest of {x}", "The dice show {x}. Which is the smallest?", "[Among|In] the row {x}, what is the smallest number?"]
BORN = ["{n} was born in {a} and {m} in {b}. Who is {w}?", "Who is {w}: {n}, born in {a}, or {m}, born in {b}?", "{n}'s birth year is {a}, {m}'s is {b}. Which of them is {w}?", "{n} came into the world in {a}, {m} in {b}. Who is {w}?"]
RACE = ["{n} needs {a} minutes and {m} {b} minutes for the same way. Who is {w}?", "{n} finished in {a} seconds, {m} in {b}. Who was {w}?", "In the race {n} took {a} minutes and {m} took {b}. Who was {w}?", "Who is {w}? {n} solved it in {a} minutes, {m} in {b}."]
ARRIVAL = ["{n} came at {a} o'clock, {m} at {b} o'clock. Who was there {w}?", "{n} starts at {a} o'clock and {m} at {b} o'clock. Who starts {w}?", "{n} gets up at {a}, {m} at {b}. Who gets up {w}?", "Who arrived {w}, {n} at {a} o'clock or {m} at {b} o'clock?"]
BY_AGE = ["Put them in order, youngest first: {n} is {a}, {m} is {b}, {o} is {c}.", "From youngest to oldest: {n} ({a}), {m} ({b}), {o} ({c})", "{n} is {a}, {m} is {b} and {o} is {c}. Sort them from youngest to oldest."]
EVEN = ["I have {a} socks. Is {a} even or odd?", "My house number is {a}. [Even or odd|Is that even or odd|Is it odd or even]?", "[Can you say if|Tell me if|I want to know if] {a} is even or odd.", "{n} is {a} years old. Is that number even or odd?", "Decide: is {a} odd or even?"]
DOWN = ["Sort from [largest to smallest|big to small|high to low|highest to lowest]: {x}", "Put these in order, [largest|biggest|highest] first: {x}", "[Start with the largest|Largest first|The biggest number first]: {x}", "Sort descending: {x}", "[Order|Arrange] these numbers from [the biggest to the smallest|high to low]: {x}"]
TWO_TIMES = ["It is {h}:{a}. {N} cooks for {b} minutes and eats for {c} minutes. What time is it then?", "The [lesson|show|class] starts at {h}:{a}. It lasts {b} minutes, then comes a break of {c} minutes. When is the break over?",
    "I leave at {h}:{a}, take the bus for {b} minutes and walk {c} minutes. When do I arrive?", "[The train|The bus] leaves at {h}:{a}, needs {b} minutes and is {c} minutes late. When does it arrive?", "From {h}:{a} I clean for {b} minutes and then rest for {c} minutes. What time is it then?",
    "When do we get there? We start at {h}:{a}, drive {b} minutes and wait {c} minutes at the border.", "The cake is made in {b} minutes and bakes {c} minutes. I start at {h}:{a}. When is it ready?", "~Start {h}:{a}, first task {b} minutes, second task {c} minutes: end?"]


def reverse(r):
    """Who is older, faster or first: the smaller number is."""
    n, m = r.sample(lexicon.NAMES, 2)
    lines, less, more, top = r.choice([(BORN, "older", "younger", 0), (RACE, "faster", "slower", 99), (ARRIVAL, "first", "last", 23)])
    a, b = r.sample(range(1940, 2020), 2) if top == 0 else r.sample(range(3, top), 2)
    low = r.random() < 0.6
    word, who = (less, n if a < b else m) if low else (more, n if a > b else m)
    small, big = min(a, b), max(a, b)
    why = f"{small} is less than {big}" if low else f"{big} is more than {small}"
    return [Turn(ask(r, lines, n=n, m=m, a=a, b=b, w=word), f"{who}.", f"{n} {a}, {m} {b}. {why}, so {who}.", brief=f"{who}.")]


def by_age(r):
    """Three people from the youngest to the oldest."""
    names, ages = r.sample(lexicon.NAMES, 3), r.sample(range(2, 80), 3)
    row = sorted(zip(ages, names))
    return [Turn(ask(r, BY_AGE, **dict(zip("nmo", names)), **dict(zip("abc", ages))), ", ".join(n for _, n in row), f"In order: {', '.join(f'{n} {a}' for a, n in row)}.", plain=False)]


def even_or_odd(r):
    """Whether a number is even or odd, by its last digit."""
    a = r.randint(2, r.choice([20, 99, 999]))
    kind = "odd" if a % 2 else "even"
    return [Turn(ask(r, EVEN, a=a, n=r.choice(lexicon.NAMES)), f"{a} is {kind}.", f"{a} ends in {a % 10}, so it is {kind}.", brief=f"{kind.capitalize()}.")]


def sort_down(r):
    """Numbers from the largest to the smallest."""
    numbers = r.sample(range(1, r.choice([10, 50, 100])), r.randint(3, 5))
    row = ", ".join(map(str, sorted(numbers, reverse=True)))
    return [Turn(ask(r, DOWN, x=", ".join(map(str, numbers))), row, f"The largest is {max(numbers)}, the smallest is {min(numbers)}.", plain=False)]


def two_times(r):
    """A time, and two durations after it."""
    h, a, b, c = r.randint(6, 21), r.choice([0, 0, 5, 10, 15, 20, 30, 40]), r.choice([5, 10, 15, 20, 25, 30]), r.choice([5, 10, 15, 20, 25, 30])
    total, n = a + b + c, r.choice(lexicon.NAMES)
    time = f"{h + total // 60}:{total % 60:02d}"
    carried = f" {total} - 60 = {total - 60}, one hour more." if total >= 60 else ""
    return [Turn(ask(r, TWO_TIMES, N=n, h=h, a=f"{a:02d}", b=b, c=c), f"It is {time}.", f"{a} + {b} = {a + b}. {a + b} + {c} = {total}.{carried} So {time}.", brief=f"{time}.")]


SKILLS = [(reverse, 0.6), (by_age, 0.2), (even_or_odd, 0.4), (sort_down, 0.5), (two_times, 0.7)]
