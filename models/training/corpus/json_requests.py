"""More ways to ask for JSON from a sentence, for an object, for an array, and for one value of a text: read by `structured.py`."""
SENTENCE = [
    "[Here is|This is|I have|Take|Look at|Consider|Given] [a text|a sentence|the text|this sentence|some text|a note]: {s} [Give me|I need|"
    "Return|Output|Extract|Write] [the ]*{f} [as JSON|in JSON|as a JSON object|in JSON format][.|, please.|]",
    "[From|Out of] [this text|the text|this sentence|the following sentence|the following text|the message below], [extract|get|pull|take|"
    "return|give me|collect] [the ]*{f} [as JSON|in JSON|as a JSON object]: {s}",
    "[Make|Create|Build|Write|Produce|Generate|Return|Output|Give me|Form|Fill] [a JSON object|JSON|a JSON record|one JSON object|"
    "a small JSON object] [with|with the keys|that has the keys|with the fields|using the keys|containing|that contains] {f} [from|out of|"
    "based on|for|using] [this|this text|this sentence|the text|the following]: {s}",
    "[I want|I need|I'd like|I would like|We need|Please give me|Can I get|Could I have] [the ]*{f} [of this|from this|from the text|"
    "from this sentence|of this text] [as JSON|in JSON|as a JSON object]: {s}",
    "{s}\n[Keys|Fields|JSON keys|Wanted keys|JSON fields|Extract as JSON|JSON with]: {f}",
    "{s}\n[Make|Turn this into|Convert to|Write it as|Format as|Put it into|Transform to] JSON [with|with keys|with the keys|with the fields|"
    "using] {f}[.|]",
    "{s} -> JSON ({f})", "{s} => JSON with {f}", "{f} as JSON[:| from:| from this:] {s}", "json [with|keys|fields|of] {f}: {s}",
    "[to json|in json|json please|as json], {f}: {s}", "Text: {s}\n[Task|Instruction|Request]: [extract|return|give] {f} as JSON[.|]",
    "[Task|Instruction]: [extract|return] {f} as JSON[.|]\nText: {s}",
    "[Convert|Turn|Transform|Change|Parse|Structure|Rewrite|Represent|Encode|Put|Bring] [this sentence|this text|the sentence|the text|"
    "the following|this|this note|this message] [into|to|as|in] [JSON|a JSON object] [with|with the keys|with keys|with the fields|"
    "using the keys] {f}: {s}",
    "[What are|What would be] [the ]*{f} [here|in this text|in this sentence]? [Answer|Reply|Respond] [in JSON|as JSON|with JSON|"
    "with a JSON object|only with JSON]. {s}",
    "[Read|Parse|Analyze|Scan] [this|the text|the sentence|this message] and [return|give me|output|write|extract] [the ]*{f} [as JSON|in JSON|"
    "as a JSON object]: {s}",
    "[Fill in|Complete|Fill] [a|this|the] JSON object with {f} [from|using|based on] [this|the text|this sentence]: {s}",
    "[My boss|A colleague|My friend|A customer] [wrote|sent|says]: {s} [Give me|I need|Please return|Extract] {f} as JSON[.|]",
    "[Store|Save|Keep|Record|Capture] [the ]*{f} [of this|from this text|from this] in [JSON|a JSON object]: {s}",
    "{s} [Please|Now|Can you|Could you] [extract|return|output|write|put|give me] [the ]*{f} [as JSON|in JSON|in a JSON object|"
    "as a JSON object][.|?|]",
    "~My program needs {f} from this in JSON: {s}"]
OBJECT = [
    "[I need|I want|I'd like|Give me|We need|Please make|Please write|Can you make|Could you write|Can you give me] [a JSON object|JSON|"
    "an object|a JSON record|one JSON object] [with|for|of|containing|that holds|that contains|that has][:|] {x}",
    "[Here are|These are|I have] [some facts|the facts|the values|the data|some values|key value pairs]. [Make|Write|Return|Give me] JSON: {x}",
    "[Make|Turn|Change|Convert|Transform|Rewrite|Encode|Put|Pack|Wrap|Store] [the values|the facts|these facts|these fields|"
    "the following facts|this record|the data below|the pairs] [into|to|as|in] [JSON|a JSON object|one JSON object]: {x}",
    "{x} -> JSON", "{x} => JSON object", "json: {x}", "[as json|to json|in json|json object|json please]: {x}",
    "[JSON|Object] [with these values|from these values|of the following|with these fields|from this]: {x}",
    "[Build|Create|Construct|Compose|Generate|Assemble|Write down|Print|Show me|Output|Respond with|Reply with|Answer with] [a|one|only a|"
    "just a|the] JSON [object|record] [with|of|for|from|containing][:|] {x}",
    "[Data|Facts|Values|Record|Input]: {x}\n[JSON|Output JSON|Return JSON|Write the JSON|JSON object|As JSON|Make it JSON][:|.|]",
    "{x}\n\n[Please convert this to JSON|Convert to JSON|Turn this into JSON|I need this as JSON|JSON object please|Can I have this as JSON|"
    "Make JSON of it|Give this back as JSON|Format this as JSON|Represent this as JSON][.|]",
    "What does this look like as JSON: {x}",
    "[My form has|The user typed|The record is|The settings are]: {x}\n[Write|Return|Make] [it as JSON|JSON|a JSON object][.|]",
    "~What would be the JSON for {x}"]
PEOPLE = [
    "[Give me|Return|Make|Create|Build|Output|I need|I want|Generate] [a JSON array|a JSON list|an array of objects|a JSON array of objects|"
    "a list of JSON objects] with [name and age|the keys name and age|the fields name and age|keys name and age][ from this| for this]*: {x}.",
    "{x}. [Write|Return|Give me|Put|Format] this as a JSON [array|list] [with|of objects with] name and age.",
    "[Turn|Convert|Transform|Put] [this|these people|the people|the following] [into|to] a JSON [array|list] [with|"
    "of objects with] name and age: {x}.",
    "{x}. [JSON|JSON array|JSON list|Array of objects] with name and age[.|, please.|]",
    "[Here are some people|These are my friends|The team]: {x}. [Return|Write|Make] a JSON array with name and age.",
    "[List|Collect] the people as JSON objects with name and age: {x}."]
ARRAY = [
    "[I need|I want|I'd like|Can I get|Please make|Could you make|Can you write|Give me back] [a JSON array|a JSON list|an array in JSON|"
    "one JSON array] [of|from|with|out of][:|] {x}",
    "{x} -> JSON array", "{x} as [a JSON array|a JSON list|an array in JSON][.|, please|]", "json [array|list]: {x}",
    "[Convert|Turn|Change|Transform|Make|Put|Wrap|Pack|Encode|Store] [this list|the list|these words|the following items|the items|"
    "these values|the values|these entries] [into|to|as|in] [a JSON array|a JSON list|one JSON array]: {x}",
    "{x}\n[As a JSON array|JSON array|Make this a JSON array|Turn this into a JSON array|JSON list please|Give me a JSON array|"
    "Convert to a JSON array|Return a JSON array][.|]",
    "[List|Items|Values|Input]: {x}\n[JSON array|JSON list|As a JSON array|Write a JSON array][:|.|]",
    "[Create|Build|Generate|Produce|Form|Print|Compose] [a|one|only a] JSON [array|list] [of|from|with|containing|that holds][:|] {x}",
    "~Hand me these as a JSON array: {x}"]
CAPITAL = [
    "[In JSON|As JSON|JSON only|JSON], [what is|what's] the capital of {c}?",
    "[Give me|Return|Write|Show|Output|I need|I want|Tell me] [the ]*capital of {c} [as JSON|in JSON].",
    "[Answer|Reply|Respond] [in JSON|with JSON|as JSON]: [what is the capital of {c}?|which city is the capital of {c}?|the capital of {c}|"
    "capital of {c}]",
    "capital of {c}[, json| in json| as json, please|, in JSON]",
    "[What is|What's|Which city is] the capital of {c}? [JSON please|In JSON|As JSON|Return JSON|Reply in JSON|Answer with JSON|Give me JSON|"
    "Use JSON|Respond with a JSON object][.|]",
    "[Make|Create|Write|Return] [a JSON object|JSON] with country and capital for {c}[.|]"]
SUM = [
    "[In JSON|As JSON|JSON only], [what is|how much is] {a} + {b}?",
    "[Answer|Reply|Respond] [in JSON|with JSON|as JSON]: [what is|how much is] {a} + {b}[?|]",
    "[What is|How much is|What's] {a} + {b}? [JSON please|In JSON|As JSON|Return JSON|Reply in JSON|Answer with JSON|Give me JSON][.|]",
    "{a} + {b} [as JSON|in JSON]", "[Return|Write|Give me|Show|Output|I need] [the result of|the sum|the answer to] {a} + {b} [as JSON|in JSON].",
    "[Calculate|Add up|Work out|Solve] {a} + {b} [and return JSON|in JSON|as JSON|and answer with JSON]."]
EXTRACT = [
    "[Extract|Get|Find|Give me|Return|Tell me|Pull out|Read out|Name|Show me|Write|Pick out|Fetch] the {k}[ from this| from the text|"
    " in this sentence| of this| from this sentence| in the text]*: {s}",
    "{s} [What is|What's] the {k}[ here| in this text| in this sentence| mentioned]*?", "{s}\n[Extract|Return|Give me|Find|I need|Tell me] the {k}[.|]",
    "{s}\n[The {k}|{k}][?|:]", "{k}[ in this| in this text| of this|]: {s}",
    "[What is|What's|I need|I want|I'd like|Looking for|Please find] the {k} [in|from|of] [this|this text|this sentence|the following text|"
    "the following]: {s}",
    "[Read|Look at] [this|the text|the sentence] and [give me|tell me|extract|return|find] the {k}: {s}",
    "[From this text|From the text|From this sentence], [give me|tell me|extract|find] the {k}: {s}",
    "Text: {s}\n[Task|Question|Wanted]: [the {k}|extract the {k}|{k}|give me the {k}]",
    "{s} [I only need|I just need|Just give me|Give me only|Only|Just] the {k}[.|, please.|]", "~{s} Which part of this is the {k}?"]
READ = [
    "[Here is|This is|I have|Take] [a text|a sentence|a note|a message]: {t} {q}", "[Text|Note|Message|Sentence|Context]: {t}\n[Question|Q]: {q}",
    "{t}\n\n{q}", "{t} [Question|My question|Tell me|Now]: {q}", "{q}\n[Text|Context|Sentence]: {t}", "{q}\n\n{t}",
    "[I read|My note says|The message says|My friend wrote|It says here|The email says|The text says]: {t} {q}",
    "[Answer|Reply] [from the text|using the text|with the text]: {t} {q}", "[According to this|Based on this|From this text|In this text]: {t} {q}",
    "\"{t}\" {q}"]
SENTENCES = [
    ("{name} was born in {year} in {city}.", "name year city"),
    ("{name} works in {city} as a {job}.", "name city job"),
    ("My friend {name} is a {job}.", "name job"),
    ("The {job} is called {name} and is {age} years old.", "job name age"),
    ("You can reach {name} at {email}.", "name email"),
    ("{name} ordered {quantity} pieces of the {item} on {date}.", "name quantity item date"),
    ("A {color} {item} in size {size} costs {price} dollars.", "color item size price"),
    ("I paid {price} euros for the {item} in {city}.", "price item city"),
    ("{name} paid {price} dollars for a {color} {item}.", "name price color item"),
    ("Invoice {id} for {name} is {status}.", "id name status"),
    ("Order {id} was sent to {name} on {date}.", "id name date"),
    ("The train to {city} leaves at {time} on {day}.", "city time day"),
    ("We meet {name} on {day} at {time}.", "name day time"),
    ("The appointment with {name} is on {date} at {time}.", "name date time"),
    ("There is a {animal} in {city} that belongs to {name}.", "animal city name"),
    ("Our {animal} is {color}.", "animal color"),
    ("{name} comes from {country} and speaks {language}.", "name country language"),
    ("{name}, a {job} from {country}, is {age}.", "name job country age"),
    ("Since {year}, {name} has lived in {country}.", "year name country"),
    ("In {city}, {name} sold {quantity} tickets.", "city name quantity"),
    ("{name} reached a score of {score}.", "name score"),
    ("Send the invoice to {email} before {date}.", "email date"),
    ("The flight to {city} on {date} costs {price} euros.", "city date price"),
    ("On {day}, the shop in {city} opens at {time}.", "day city time"),
    ("Contact: {name}, {city}, {email}.", "name city email"),
    ("{name} ({age}) from {city}", "name age city"),
    ("The status of task {id} is {status}.", "id status"),
    ("Customer {name} from {country} bought {quantity} items.", "name country quantity"),
]
QUESTIONS = {
    "name": [
        "Who?", "Who is [this|it|meant|that]?", "[What is|What's] the [name of the person|person's name]?",
        "Whose name is [given|mentioned|in the text]?", "[Which|What] [person|name] is [mentioned|named|meant]?", "Name of the person?",
        "Give me the name."],
    "city": [
        "[Which|What] [city|town|place] is [meant|named|this|mentioned|given]?", "[Name|Tell me|Give me] the city.", "In [which|what] city?", "City?",
        "Where?"],
    "age": [
        "How old is [the person|this person|he or she]?", "[How many years old|What age]?", "Age?", "[Tell me|Give me] the age."],
    "email": [
        "[What is|What's] the [email address|mail address|address]?", "Email?", "[Which|What] email?", "[Give me|Tell me] the email address."],
    "job": [
        "[What is|What's] the [profession|occupation|job title]?", "[Which|What] [profession|job|occupation] is [mentioned|named|it]?", "Job?",
        "What does this person do for work?"],
    "price": [
        "How much [is it|was it|money is it]?", "What [does|did] it cost?", "Price?", "[Which|What] price is [given|mentioned]?",
        "[Tell me|Give me] the price."],
    "item": [
        "[Which|What] [thing|object|item|product] is [mentioned|named|it|this]?", "Item?", "[Which|What] product?", "[Tell me|Give me] the item."],
    "quantity": [
        "[How many are there|How many are they|What number is it|What amount is it]?", "Quantity?",
        "[What is|Give me|Tell me] the [number|amount|count]."],
    "day": [
        "[On what|Which|What] [day|weekday] is it?", "Day?", "[Which|What] day of the week?", "[Which|What] [day|weekday] is [named|mentioned|given]?"],
    "time": [
        "[At which hour|At which time|What time is it|What time is mentioned|What time]?", "Time?", "[Which|What] time is [given|named]?"],
    "date": [
        "[On what|Which|What] date[ is it| is mentioned| is given]*?", "Date?", "[Tell me|Give me] the date."],
    "id": [
        "[What is|What's] the [number|identifier|code|ID]?", "[Which|What] [id|code|identifier] is [given|mentioned|it]?", "ID?",
        "[Tell me|Give me] the id."],
    "color": [
        "[What|Which] colour[ is it]*?", "Color?", "What color [is it|is mentioned]?", "[Tell me|Give me] the color."],
    "year": [
        "[Which|What] year is [it|given|mentioned]?", "Year?", "In what year[ was it| was that]*?", "[Tell me|Give me] the year."],
    "score": [
        "[Which|What] score?", "Score?", "How many points [are there]?", "[Tell me|Give me] the score."],
    "status": [
        "[Which|What] status[ is it| is given]*?", "Status?", "[What is|What's] the state?", "[Tell me|Give me] the status."],
    "country": [
        "[Which|What] country is [it|mentioned|named|meant]?", "Country?", "[Tell me|Give me|What is] the country."],
    "language": [
        "[What|Which] language is [it|spoken|mentioned]?", "Language?", "What language?"],
    "title": [
        "[Which|What] title[ is given]*?", "Title?", "[What is|Give me] the title."],
    "size": [
        "[What|Which] size is [it|given|mentioned]?", "Size?", "How big?", "What is the size?"],
    "animal": [
        "[Which|What] animal is [it|mentioned|meant]?", "Animal?", "What is the animal?", "What kind of animal?"],
}
YES_NO = [
    "{n} lives in {c}. [So, does|Does|Now tell me: does|Question: does] {n} [live|have a home|reside] in {a}?",
    "{n} lives in {c}. [Is it right|Is it correct|Is it so|Can we say|Would you say] that {n} lives in {a}?",
    "[My friend|My neighbor|My cousin|The teacher] {n} lives in {c}. Does {n} live in {a}?",
    "{n} lives in {c}. [True or false|Right or wrong|Yes or no]: {n} lives in {a}[.|?]",
    "[Text|Fact]: {n} lives in {c}. [Question: ]*Does {n} live in {a}?"]
