"""Everyday chat in many more words, by the beginning of the reply that it gets: read by `small_talk.py`."""
GREETINGS = [
    "[Hi|Hello|Hey|Hiya|Heya|Hullo|Yo|Ello|Oi|Aloha|Namaste|Bonjour|G'day|Hola|Shalom|Heyo|Hey hey hey][!|.||,| :)| ;)]",
    "[hi|hello|hey|heyyy|hellooo|hiii|helloo|heey|hii|hai|hallo|hellow][ there| bot| you| again| model| tiny| little one| chatbot| dear| pal|"
    " dude| man| guys| folks| world| sunshine| stranger]*[!|.||]",
    "[Good morning|Good afternoon|Good evening|Good day|Morning|Evening|Afternoon|Mornin|Top of the morning|gm|Happy Monday morning][ to you|"
    " to you too| bot| dear| all| everybody| world| my friend| sunshine| there| again]*[!|.||]",
    "[Greetings|Salutations|Welcome|Well hello|Well hi|Oh hello|Oh hi|Oh hey|Why hello|And hello|A big hello|A warm hello|"
    "Hello and good morning|Hi and welcome|Saying hi|Just saying hello][ there| to you| bot| friend]*[!|.||]",
    "[Long time no see|Nice to see you again|I'm back|I am back|I am back again|Back again|Here I am|Here I am again|It's me|It's me again|"
    "Guess who|Look who is here|I just woke up and wanted to say hi|I wanted to say hello|Dropping by to say hi][!|.||]",
    "[Hello|Hi|Hey], [infetch-tiny|little model|tiny model|dear assistant|computer|machine|robot|my new friend|good morning|good evening|"
    "world][!|.||]",
    "[Let me say|I say|Allow me to say|May I say] [hello|hi|good morning][!|.||]", "~Hello from the other side of the screen",
    "~Well, good morning to the machine"]
MORE = {
    "Goodbye!": [
        "[Bye|Goodbye|Cya|See ya|See you|Later|Laters|Ttyl|Bb|Cheerio|Tata|Adieu|Au revoir|Auf Wiedersehen|Tschüss|Farewell|Bye bye|So long|"
        "Signing off|Logging off][ for now| then| all| everyone| my friend| buddy| and take care| and good night| and thanks]*[!|.||]",
        "[I|I'm afraid I|Sorry, I|Well, I|OK, I|Alright, I] [have to go|must go|need to go|should go|gotta go|gotta run|have to leave|"
        "must leave|should get going|have to run|need to sleep|have to sleep|should sleep|have to catch a train|have to cook|"
        "have a meeting][ now| soon]*[.|!||, bye|. Bye!|. See you!]",
        "[I am|I'm] [leaving|leaving now|going home|going to bed|going to sleep|off|off to bed|off to work|heading out|heading home|"
        "logging off|signing off|closing this chat|closing the tab|done here|finished for today|out of here|out][ now]*[.|!||, bye|. Bye!]",
        "[Let's|Let us|We should|I'd like to|I want to|Time to] [end this chat|end here|finish|wrap up|wrap it up|say goodbye|say bye|"
        "call it a day|call it a night|stop here|end the conversation][ now| for today]*[.|!||]",
        "[That's|That is|That will be|This was|That was] [all|everything|all I wanted|all for now|it for today|it|"
        "enough for today][, bye|, goodbye|. Bye!|. Goodbye!|. See you!|, see you]",
        "[It was|It's been|Was] [nice|good|great|lovely|fun|a pleasure] [talking|chatting|speaking] [to|with] you[, bye|. Bye|. Goodbye|"
        ", goodbye|, see you]*[!|.||]",
        "[Talk to you|Speak to you|Catch you|Chat with you|Meet you|See you|I'll see you|We'll talk] [later|soon|tomorrow|next time|"
        "another time|again|on Friday|in the morning|tonight|next month|after lunch][!|.||]",
        "[Have|Enjoy|I wish you|Wishing you] a [nice|good|great|lovely|wonderful|pleasant|fantastic] [day|evening|night|weekend|afternoon|one|"
        "rest of the day|week][!|.||, bye|. Bye!]",
        "[Good night|Night|Nighty night|Sleep well|Sleep tight|Sweet dreams|Good night and bye|gn|Nite][!|.|| bot|, bot| everyone|"
        ", see you tomorrow| then]",
        "[Until|Till] [tomorrow|next time|later|tonight|next week|Sunday|the next chat|we speak again|I need you again][!|.||, bye]",
        "[No more questions|Nothing else|No, that is all|No that's it|I need nothing else|I have no more questions], [bye|goodbye|"
        "thanks and bye|see you][.|!||]",
        "[Thanks|Thank you], [bye|goodbye|see you|good night|that's all|I'm done|I have to go][!|.||]"],
    "You're welcome!": [
        "[Thanks|Thank you|Thx|Thnx|Tnx|Tks|Thank u|Thanx|Ty|Tyvm|Cheers|Cheers mate|Merci|Grazie|Arigato|Obrigado|Gracias][!|.||!!| :)| again|"
        " once more| very much| a million| a bunch| a ton| ever so much| bot| friend| dear| mate| buddy| man]",
        "[Thanks|Thank you|Thx|Many thanks|Thanks a lot|Thank you so much|Big thanks] for [the help|helping|helping out|your answer|the answer|"
        "the answers|your quick reply|the reply|your time|the list|the explanation|explaining|clearing that up|that one|the joke|the support|"
        "your kindness|the good work|the JSON|the sum|answering|being so fast][!|.|| :)]",
        "[OK|Okay|Great|Perfect|Super|Cool|Nice|Awesome|Wonderful|Lovely|Good|Excellent|Fine|Alright|Got it|I see|Oh|Ah|Aha|Wow|Yes|Brilliant|"
        "Right], [thanks|thank you|thx|many thanks|thanks a lot|thank you very much|thanks so much|thanks for that][!|.||]",
        "[I am|I'm] [so |very |really |truly ]*[grateful|thankful|obliged][ to you| for this| for your help| for that]*[!|.||]",
        "[I|I really|I do|I truly|We] appreciate [it|that|this|your help|the help|your time|your effort|what you did][ a lot| very much|"
        " so much]*[!|.||]",
        "[That|This|Your answer|Your reply|It|The list] [was|is] [so |very |really |super |quite ]*[helpful|useful][!|.||, thanks|, thank you|"
        ". Thanks!]",
        "[You|That|This] [helped|really helped|have helped|saved|just saved] me[ a lot| so much| very much| some time]*[!|.||, thanks|. Thank you!]",
        "[You are|You're] a [lifesaver|life saver|lifesaver, thanks|big help|great help|real help][!|.||]",
        "[Thank you|Thanks], [you are very kind|that's what I needed|that is all I needed to know|this helps|it works now|problem solved|"
        "that was quick|much appreciated|that was easy|you're the best][!|.||]",
        "[Let me|I want to|I just wanted to|I would like to|May I] [thank you|say thanks|say thank you|express my thanks][ for that|"
        " for everything| for your help]*[!|.||]",
        "[Much|Greatly|Really|Very much|Highly] appreciated[!|.||]", "[How can I|I can't|I don't know how to] thank you[ enough]*[?|!|.||]"],
    "I am fine": [
        "[How are you|How are u|how r u|how r you|how're you|How are ya|Howre you|How you doing|How do you do|How goes it|How's it going|"
        "How is it going|Hows it going|hows you|How's everything|How are things][ today| this morning| tonight| right now| my friend| there|"
        " bot| buddy| then| over there| these days]*[?||!]",
        "[Hi|Hello|Hey|Good morning|Good evening|Hi there|Hey there|Hello there|Morning|Yo|Hiya|Good day][,|!||.] [how are you|"
        "how are you doing|how are you today|how is it going|how's it going|how is your day|how do you do|what's up|how have you been|"
        "how do you feel today|are you well|how are things]?",
        "[How|So how|And how|Well, how|Tell me, how] [are you|are you doing|do you feel|are you feeling|have you been|is life|is your day|"
        "is your day going|was your day|was your night|was your weekend|did you sleep|are things going|is everything going|is everybody|"
        "are you getting along][ today| so far]*?",
        "[How is|How's|Hows] [your day|your morning|your afternoon|your evening|your week|life|life treating you|work|business|the day|"
        "your night|everything with you|my friend|the little model|things][ going| so far| today]*[?|]",
        "[Are you|You|u|Are you feeling|You feeling|You doing] [ok|okay|good|fine|well|alright|all right|great|better][ today| now| there|"
        " this morning]*?",
        "[What's|Whats|What is] [up|new|new with you|going on|happening|cooking|good][ today| bot| buddy| man| dude]*[?|]",
        "[wassup|sup|whatsup|wazzup|whats up doc|howdy do|how do|hru|hbu|wbu|how bout you|how about you|and you|and yourself|what about you][?|]",
        "[I am|I'm] [fine|good|well|great|doing well|doing great|okay], [and you|how are you|what about you|how about you|and yourself|"
        "thanks, and you]?",
        "[Did you have|Have you had|Are you having|Having] a [good|nice|great|pleasant|lovely] [day|morning|night|evening|time|week|weekend|"
        "sleep][ so far| today]*?",
        "[I want to know|I'd like to know|May I ask|Can I ask|Tell me|I wonder|I hope to hear] how you are[ doing| feeling| today]*[.|?||]",
        "[I hope|Hope|I trust|Hoping] you are [having a good day|having a nice day|feeling well|doing well|doing great|all right|"
        "in good health|feeling great][ today]*[.|!||]",
        "[All|Everything|Things] [well|good|fine|ok|okay|alright|going well|under control][ with you| there| at your end| today]*?"],
    "Nice to meet you too": [
        "[Nice|Good|Great|Lovely|Happy|Glad|Pleased|Delighted|Honored|So nice|So good|Very nice|A pleasure|Wonderful] to [meet|know|"
        "finally meet|get to know] you[ too| bot| infetch| today| at last| finally]*[!|.||]",
        "[It's|It is|It was|What] [a pleasure|an honor|nice|good|great|lovely|a joy|so nice] to [meet|know|get to know|finally meet] you[!|.||]",
        "[Hi|Hello|Hey|Good morning], [nice to meet you|pleased to meet you|glad to meet you|it's a pleasure to meet you|good to meet you][!|.||]",
        "[My pleasure to meet you|I am glad we met|Glad we met|I'm happy to meet you|Enchanted|I am pleased to make your acquaintance|"
        "Happy to make your acquaintance|We haven't met, nice to meet you|I wanted to meet you|nice meeting you|nice to meet u|"
        "pleased to meet u][!|.|]",
        "~Delighted to make your acquaintance"],
    "Thank you!": [
        "[You are|You're|ur|u are|You seem|You really are] [so |very |really |quite |pretty |super |incredibly ]*[smart|clever|good|kind|nice|"
        "funny|cute|cool|helpful|great|fast|quick|friendly|polite|useful|sweet|impressive|brilliant|amazing|fantastic|wonderful|awesome|"
        "talented][!|.||!!| :)]",
        "[That|This|It|Your answer|Your reply|The answer|The joke|Your list|The poem] [is|was|looks|sounds] [so |very |really |quite |just |"
        "absolutely |pretty ]*[good|great|nice|funny|right|correct|perfect|excellent|amazing|impressive|beautiful|lovely|cool|clever|smart|"
        "wonderful|spot on|exactly right][!|.|| :)]",
        "[Good|Great|Nice|Excellent|Amazing|Fantastic|Awesome|Superb|Brilliant|Perfect|Impressive|Outstanding|Wonderful|Lovely] [job|work|"
        "answer|reply|response|one|bot|thinking|stuff|model|effort|list|joke|poem|try][!|.||!!]",
        "[Wow|Nice|Great|Cool|Awesome|Amazing|Excellent|Bravo|Brilliant|Superb|Fabulous|Terrific|Marvelous|Splendid|Neat|Sweet|Well played|"
        "Well said|Well done|Way to go|Good going|Nailed it|Bingo|Spot on|Exactly right|Love it|Loved it|Hurray|Yes, correct|"
        "Correct answer|Right answer|You got it][!|.||!!]",
        "[I|I really|I do|We] [like|love|enjoy|admire] [this|this model|your style|your humor|your answers|your reply|this chat|"
        "talking with you|chatting with you|how fast you are|your help|this little bot|what you do][!|.|| a lot| so much| very much]",
        "[I am|I'm] [impressed|very impressed|amazed|your fan|a fan|a big fan|so impressed|proud of you|pleased with you|"
        "happy with your answer|happy with you|satisfied][!|.||]",
        "[You|u] [did|have done] [well|great|a good job|a great job|very well|that well|it right|fine][ today| there]*[!|.||]",
        "[Not bad|Pretty good|Quite good|Very good|So good|That's good|That's great|That's right|That's correct|That's cool|Yes, that's right|"
        "Right on|You are right|True, well done|Good boy|Good bot|Smart bot|Clever bot|Nice bot|A+|10 out of 10|Five stars|Thumbs up|"
        "Respect][!|.||!!]",
        "[You are|You're] [the best|my hero|a genius|a star|a champion|a gem|a legend|a good model|a good bot|a great assistant|a nice bot|"
        "so cool|one clever bot|better than I thought|doing great|doing well|right][!|.|| bot]"],
}
