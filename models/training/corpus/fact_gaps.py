"""Gap, short, quiz and chatty forms for the facts of `knowledge.py`, by the beginning of the answer."""
MORE = {
    "A week has 7 days.": [
        "A week has [...|___|how many] days[?|.]", "[days|number of days] [in|of|per] a week[?|]", "how many days [in|per|make] [a|one] week[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] how many days a week has[.|?]",
        "[Quiz|Trivia]: how many days are in a week?", "How many days are there in [a|one] week?"],
    "A year has 365": [
        "A year has [...|___|how many] days[?|.]", "[days|number of days] [in|of|per] a year[?|]", "how many days [in|per|make] [a|one] year[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] how many days a year has[.|?]",
        "[Quiz|Trivia]: how many days are in a year?", "How many days are there in [a|one|a normal] year?"],
    "There are seven continents": [
        "There are [...|___|how many] continents[?|.]", "how many continents[?| on Earth?| in the world?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] how many continents there are[.|?]",
        "[Quiz|Geography]: how many continents are there?", "The Earth has [...|___|how many] continents[?|.]"],
    "Jupiter is the largest": [
        "The [largest|biggest] planet is [...|___|which one?]", "[largest|biggest] planet[?| name?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] which planet is the [largest|biggest][.|?]",
        "[Quiz|Space|Astronomy]: the largest planet?", "[What's|whats] the [biggest|largest] planet[?| we have?| around?]"],
    "Mercury is the smallest": [
        "The smallest planet is [...|___|which one?]", "smallest planet[?| of the solar system?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] which planet is the smallest[.|?]",
        "[Which|What] is the smallest of the planets?"],
    "Mercury is the planet closest": [
        "The planet [closest|nearest] to the sun is [...|___|which one?]", "planet [closest|nearest] to [the ]*sun[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] which planet is [closest|"
        "nearest] to the sun[.|?]",
        "[Which|What] is the first planet from the sun?"],
    "The Pacific Ocean": [
        "The [largest|biggest] ocean is [...|___|which one?]", "[largest|biggest] ocean[?| in the world?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] which ocean is the [largest|biggest][.|?]",
        "[Quiz|Geography]: the largest ocean?"],
    "Mount Everest": [
        "The [highest|tallest] mountain is [...|___|which one?]", "[highest|tallest] mountain[?| on Earth?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] which mountain is the [highest|tallest][.|?]",
        "[Quiz|Geography]: the highest mountain?", "[Which|What] is the highest [peak|point] on Earth?"],
    "Water is made": [
        "Water is made of [...|___|what?]", "[formula of|chemical formula of] water[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what water is made of[.|?]",
        "[Which|What] elements are in water?", "what's in water chemically[?|]", "H2O[?| is what?]", "[Quiz|Chemistry]: the formula of water?"],
    "Water boils": [
        "Water boils at [...|___|how many] degrees[?|.]", "water boiling point[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] [when water boils|"
        "at which temperature water boils][.|?]",
        "[How hot|How many degrees] must water be to boil?", "[Quiz|Science]: water boils at?"],
    "Water freezes": [
        "Water freezes at [...|___|how many] degrees[?|.]", "water freezing point[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] [when water freezes|"
        "at which temperature water freezes][.|?]",
        "[How cold|How many degrees] must water be to freeze?", "[Quiz|Science]: water freezes at?", "When does water become ice?"],
    "The Earth is round": [
        "[flat earth|round earth|shape of the Earth][?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] [if the Earth is flat|"
        "what shape the Earth has|if the Earth is round][.|?]",
        "Is the [world|planet Earth] [flat|round]?", "Which shape does the Earth have?"],
    "The cheetah": [
        "The fastest [land ]*animal is [...|___|which one?]", "fastest [land ]*animal[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] which animal is the fastest[.|?]",
        "[Which|What] animal [is quickest|can run fastest|runs the fastest]?"],
    "The blue whale": [
        "The [largest|biggest] animal is [...|___|which one?]", "[largest|biggest] animal[?| on Earth?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] which animal is the [largest|biggest][.|?]",
        "[Which|What] animal is the heaviest?"],
    "The English alphabet": [
        "The [English ]*alphabet has [...|___] letters.", "letters [in|of] the alphabet[?|]",
        "how many letters [in the alphabet|are there in the alphabet][?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] how many letters the alphabet has[.|?]"],
    "A triangle has": [
        "A triangle has [...|___|how many] sides[?|.]", "sides of a triangle[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] how many sides a triangle has[.|?]",
        "how many [sides|corners] [on|in] a triangle[?|]"],
    "A square has": [
        "A square has [...|___|how many] sides[?|.]", "sides of a square[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] how many sides a square has[.|?]",
        "how many [sides|corners] [on|in] a square[?|]"],
    "A hexagon has": [
        "A hexagon has [...|___|how many] sides[?|.]", "sides of a hexagon[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|"
        "I'm not sure] how many sides a hexagon has[.|?]",
        "how many [sides|corners] [on|in] a hexagon[?|]"],
    "Bees make": [
        "Bees [make|produce] [...|___|what?]", "[Which|What] [food|product] comes from bees?",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what bees make[.|?]",
        "what does a bee [make|produce][?|]", "Why do people keep bees?"],
    "Cows eat": [
        "Cows eat [...|___|what?]", "[food of|food for] cows[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what cows eat[.|?]",
        "what does a cow [eat|like to eat|feed on][?|]", "[What|Which plant] do cows feed on?"],
    "The sky is blue": [
        "The sky is blue because [...|___|why?]", "[blue sky, why|sky blue why|why blue sky][?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] why the sky is blue[.|?]",
        "[What is|What's] the reason that the sky is blue?", "[Why|How come] [do we see a blue sky|is the sky not green|is our sky blue]?"],
    "The sun is": [
        "The sun is a [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what the sun is[.|?]",
        "[Is the sun a planet or a star|Is the sun a planet|sun, star or planet]?", "What sort of thing is the sun?"],
    "The moon is": [
        "The moon is a [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what the moon is[.|?]",
        "Is the moon [a planet|a star|a satellite]?", "[Define|Explain] the moon."],
    "William Shakespeare": [
        "[Hamlet|Romeo and Juliet] was written by [...|___|who?|whom?]", "[author|writer] of [Hamlet|Romeo and Juliet][?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] who wrote [Hamlet|"
        "Romeo and Juliet][.|?]",
        "[Which|What] [author|writer|poet] wrote [Hamlet|Romeo and Juliet]?", "[Quiz|Literature]: who wrote [Hamlet|Romeo and Juliet]?",
        "Who is the [author|writer] of [Hamlet|Romeo and Juliet]?"],
    "Leonardo da Vinci": [
        "The Mona Lisa was painted by [...|___|who?|whom?]", "[painter|artist] of the Mona Lisa[?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] who painted the Mona Lisa[.|?]",
        "[Which|What] [painter|artist] [made|painted] the Mona Lisa?", "[Quiz|Art]: who painted the Mona Lisa?", "Whose painting is the Mona Lisa?"],
    "Light travels": [
        "[speed of light|light speed][?|, please|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] [how fast light is|"
        "how fast light travels][.|?]",
        "Light travels at [...|___]", "[Quiz|Physics]: the speed of light?", "How many kilometers per second does light travel?"],
    "Pi is about": [
        "Pi is [about ]*[...|___|what?]", "[pi value|value of pi|pi|digits of pi][?|]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what pi is[.|?]",
        "[Quiz|Math]: the value of pi?", "[What|Which] number is pi?"],
    "Albert Einstein": [
        "[Albert Einstein|Einstein], [who is that|who was he|who was that]?",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] who [Albert ]*Einstein was[.|?]",
        "[Who|Which physicist] [created|made|invented|came up with] the theory of relativity?",
        "[What did Einstein do|Why is Einstein famous|What is Einstein known for]?"],
    "Gravity is": [
        "Gravity is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what gravity is[.|?]",
        "[gravity|gravity definition|definition of gravity][?|]", "What [makes|lets] things fall[ down]*?", "Why do [things|apples] fall down?"],
    "Photosynthesis is": [
        "Photosynthesis is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what photosynthesis is[.|?]",
        "[photosynthesis|definition of photosynthesis][?|]", "[How do plants make sugar|What do plants do with light]?"],
    "JavaScript is": [
        "JavaScript is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what JavaScript is[.|?]",
        "[javascript|js][?| meaning?| what is it?]", "[What|Which] language is used on the web?"],
    "Python is": [
        "Python is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what Python is[.|?]",
        "python[?| meaning?| what is it?]", "What is Python [in computing|in programming]?"],
    "HTML is": [
        "HTML is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what HTML is[.|?]",
        "html[?| meaning?| what is it?]", "In which language are web pages written?"],
    "A database": [
        "A database is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what a database is[.|?]",
        "database[?| meaning?| what is it?]"],
    "A browser": [
        "A browser is [...|___|what?]",
        "[Do you know|Tell me|I wonder|I'd like to know|Can you tell me|My kid asks|I forgot|Remind me|I'm not sure] what a browser is[.|?]",
        "browser[?| meaning?| what is it?]", "What is a web browser?"],
    "Why did the": [
        "[joke|a joke|jokes|joke time|one joke][?|, please|!| please|]", "[I want to|I'd like to|Help me|Let me] [laugh|hear a joke|smile][.|]",
        "[Do you know|Can you tell|Could you tell|Got|Know|Have you got] [a joke|any jokes|a good joke|something funny|jokes]?",
        "[Cheer me up|Crack a joke|Joke with me|Make a joke|Another joke][, please| please|.|]"],
    "Once upon": [
        "[story|a story|bedtime story|story please|one story][?|, please|!|]",
        "[Can|Could|Will|Would] you [tell|write|make up|read] [me ]*a [short |little |nice ]*story?",
        "[I would love|I want|We want|My kids want] [to hear ]*a [bedtime |short |nice ]*story[.|]"],
    "A small model wakes": [
        "[poem|a poem|haiku|poem please|one poem|poetry][?|, please|!|]",
        "[Can|Could|Will|Would] you [write|make|compose|say|recite] [me ]*a [short |little |nice ]*[poem|haiku|verse]?",
        "[I would love|I want|We want|I need] [to read ]*a [short |nice |little ]*[poem|haiku][.|]"],
    "An octopus": [
        "[fun fact|a fun fact|random fact|fact|interesting fact][?|, please|!| please|]",
        "[Can|Could|Will|Would] you [tell|give] me [a fun fact|an interesting fact|something interesting|a random fact|something I don't know]?",
        "[I want|I'd like|I need] [to hear |to learn ]*[a fun fact|an interesting fact|a surprising fact][.|]"],
}
