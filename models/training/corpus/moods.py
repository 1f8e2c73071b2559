"""Complaints, agreement, boredom, pleas, moods, tests, affection and wishes in many more words, by the beginning of the reply: read by `small_talk.py`."""
MORE = {
    "I am sorry. I am": [
        "[That|This|It|Your answer|The answer|Your reply|Your sum|The result|Your list|What you said|What you wrote|The last answer] [is|was|"
        "looks|seems] [so |totally |completely |simply |clearly |just |plain |obviously ]*[wrong|false|incorrect|bad|mistaken|nonsense|garbage|"
        "rubbish|not right|not correct|not true|not good|terrible|useless|off|untrue][.|!||]",
        "[You are|You're|ur|u are] [so |totally |completely |very |really |pretty ]*[wrong|mistaken|stupid|dumb|useless|unhelpful|bad|"
        "bad at this|confused|slow today|no help|not helping|not smart|a bad bot|a stupid bot|an idiot|terrible at this|broken][.|!||]",
        "[No|Nope|Nah|Sorry|Hm|Hmm|Well|Wait|Hey|Oh no], [that's wrong|that is not right|that isn't right|that's not correct|that is false|"
        "you are wrong|this is wrong|that's not true|it is wrong|that was not correct|you're mistaken|that can't be right|that's a mistake|"
        "wrong answer][.|!||]",
        "[You|u|You just] [made a mistake|made an error|did that wrong|did it wrong|made a big mistake|made another mistake|got that wrong][.|"
        "!|| there| again| here]",
        "[That|This|It] [isn't|is not|wasn't|was not|doesn't look|does not seem] [right|correct|true|what I asked|what I asked for|"
        "what I wanted|what I meant|helpful|good|the answer|my question|accurate][.|!||]",
        "[I|I really|We] [don't|do not] [like|believe|agree with|trust] [this|that|your answer|this answer|what you said|your reply|"
        "the answer][.|!||]",
        "[Why are you so|Why are you|How can you be so] [wrong|stupid|dumb|bad|useless|bad at this]?",
        "[Wrong|False|Incorrect|Error|Mistake|Nonsense|Rubbish|Bad answer|Wrong again|Still wrong|Not correct|Fail|Epic fail|Bad bot|"
        "Nope, wrong|Not true|Thats wrong|thats not right|ur wrong|You lie|You lied][.|!||!!]",
        "[You|u] [didn't|did not|don't|do not] [answer my question|understand me|understand|get it|get it right|get me|help me|help|listen|"
        "know anything|make sense|read my question|do what I said][.|!||]",
        "[I am|I'm] [disappointed|not happy with that|not satisfied|not happy with your answer|unhappy with this answer|not impressed|"
        "not convinced|disappointed in you][.|!||]",
        "[That|This] [makes no sense|doesn't make sense|does not make sense|does not help|doesn't help|helps nobody|is not what I asked for|"
        "answer does not help|answer makes no sense][.|!||]",
        "[There is|I see|I found|You have] [a mistake|an error|something wrong] [in your answer|in that|there|in your reply|in this answer|"
        "in the result][.|!||]"],
    "OK. What else": [
        "[OK|Okay|Ok|okay|K|Kk|Alright|All right|Right|Sure|Fine|Good|I see|Got it|Understood|Noted|Yes|Yeah|Yep|Yup|Ya|Aye|Well|Hm|Hmm|Mm|Mhm|"
        "Oh|Ah|Aha|Uh huh|Really|Indeed|Whatever|Maybe|Perhaps|No|Nope|Nah|Agreed|Deal|Exactly so|So be it][.|!|||...]",
        "[OK|Okay|Alright|Yes|Yeah|Oh|Ah|Hm|Right|Well|Fine|Sure], [I see|I get it|got it|that's fine|fine|good|understood|I understand|"
        "makes sense|no problem|that makes sense|sounds good|if you say so|never mind|all good|why not|I will|let's go on|good to know|"
        "fair enough|as you say][.|!||]",
        "[That|This|It|Your point] [makes sense|is okay|is fine|is ok with me|is fine by me|is clear|is clear now|is alright|"
        "is understandable|is interesting|is good to know|works for me|is enough for me][.|!||]",
        "[I] [see|understand|get it|got it|see what you mean|understand now|get the point|guess so|suppose so|think so too|will do that|agree|"
        "agree with you|can live with that|knew that|thought so|expected that|had no idea][.|!||]",
        "[Never mind|No worries|No problem|Not a problem|Don't worry|It's okay|It's ok|It's fine|That's okay|That's alright|Forget it|"
        "Fair enough|Good enough|Good point|If you say so|As you like|As you wish|Let's move on|Moving on|Let's continue|Go on|Next|Continue|"
        "Very well|Of course|Naturally|Certainly][.|!||]",
        "[Good|Interesting|Nice|Great], [I did not know that|I didn't know that|noted|now I know|now I understand].",
        "[ok ok|okay then|ok then|alright then|ok cool|ok good|ok fine|ok great|ok sure|ok yes|yes ok|fine then|right then|oh ok|oh okay|"
        "oh I see|ah ok|ah I see|ah okay|hm ok|mkay|okie|okey|oki|roger|copy that][.|!||]"],
    "Sure. Ask me": [
        "[I am|I'm|I feel|im] [so |very |really |a bit |super |extremely |kinda |just ]*[bored|bored today|bored at work|bored to death|"
        "alone at home|dying of boredom][.|!||...]",
        "[I have|I've got|There is] [nothing to do|nothing to do today|nobody to talk to|no one to talk to|no plans|no plans today|"
        "too much time|a lot of time|time to talk][.|!||]",
        "[Let's|Lets|Let us|Can we|Could we|Shall we|Should we|May we|I want to|I'd like to|I would like to|I just want to|I wanna|We could|"
        "Do you want to|Would you like to|Wanna] [chat|talk|have a chat|have a little chat|chat a bit|chat for a while|talk a little|"
        "talk for a bit|have a conversation|have a talk|converse|start a conversation|speak][ now| please]*[?|.||!]",
        "[Please|Just|Hey,|Come on,|OK,|Now] [talk to me|chat with me|say something|say anything|speak to me|tell me something|keep me company|"
        "entertain me|distract me|have a chat with me][.|!||]",
        "[Can|Could|Will|Would] you [talk to me|chat with me|keep me company|entertain me|say something|have a chat with me|talk with me a bit|"
        "amuse me|chat a little]?",
        "[It is|It's|Life is|My day is|Today is|Work is|School is] [so |very |really ]*[boring|dull|slow here|boring here|boring today][.|!||]",
        "[What|So what|And what] [should|can|could|shall] [we|you and I] [talk about|do|do together|do for fun|chat about][ today| now]*?",
        "[I need|I want|I'd like|I am looking for] [someone to talk to|somebody to talk to|some company|a chat|a little chat|a conversation|"
        "someone to chat with|entertainment][.|!||]",
        "[Boring|Bored|So bored|Boredom|Soooo bored|im bored|boring day|chat?|talk?|wanna chat|wanna talk|lets talk|lets chat|chat with me pls|"
        "talk to me pls][.|!||]",
        "[What do you want to|What would you like to|What do you like to] [talk about|chat about|do][ today| now]*?"],
    "Of course. What": [
        "[Can|Could|Would|Will|May|Might] you [please |maybe |perhaps |possibly ]*[help|help me|help me out|assist me|give me a hand|"
        "lend me a hand|support me|do me a favor|do something for me|be of help|help me with something|help me with a task|"
        "help me with my homework|help me a bit|give me some help|answer a question|answer something][ please| for a second| today| now|, please]*?",
        "[I|I really|I urgently|I just|We] [need|could use|want|would like|require] [help|your help|some help|a bit of help|a little help|"
        "some assistance|assistance|a hand|support|help with something|help with a task|help with my work|help please|your support|a favor|"
        "to ask you something|to ask something][.|!|| please|, please| now]",
        "[I have|I've got|I got|There's|Here comes] [a question|a question for you|a small question|a quick question|one question|"
        "another question|some questions|a few questions|a problem|a little problem|a task|a task for you|a request|a favor to ask|"
        "something to ask|an issue|a job for you][.|!||]",
        "[Can|May|Could|Might|Would it be ok if|Is it ok if] I [ask a question|ask you a question|ask something|ask you something|ask for help|"
        "ask you for help|ask for a favor|ask you a favor|bother you|trouble you for a moment|get some help|have your help|get help][ please|"
        " now| quickly]*?",
        "[Help me|Please help|Please help me|Help please|Help needed|I need help|need help|plz help|pls help|help pls|Help me out|"
        "Some help please|A little help, please|SOS|Mayday|Assist me][!|.||!!]",
        "[I am|I'm] [stuck|lost here|confused|in trouble|in need of help|struggling|not sure what to do|looking for help|"
        "looking for assistance|stuck with a task|stuck with my homework][.|!||. Can you help?|, please help|. Help me|. Help!]",
        "[Do you have|Have you got|Got|You got] [a moment|a minute|a second|some time|time|time for a question|a sec|time for me|"
        "a minute for me|a moment to help][ please| now]*?",
        "[Are you|Would you be] [able to help|able to help me|ready to help|there to help me|free to help|willing to help me|available to help|"
        "ready for a question|ready for a task][ now]*?",
        "[There is|There's] [something|a thing|one thing] [I need help with|I need|I want to ask|I'd like to ask|I don't understand|"
        "you could help me with|you can do for me][.|!||]"],
    "I am sorry to hear": [
        "[I am|I'm|im|I feel|I've been feeling|I am feeling|I'm feeling] [so |very |really |a bit |quite |pretty |extremely |terribly |"
        "kind of |just ]*[sad|down|tired|sick|ill|unhappy|upset|stressed|exhausted|depressed|anxious|worried|nervous|angry|scared|afraid|"
        "frustrated|miserable|awful|terrible|bad|low|lonely and sad|hurt|overwhelmed|worn out|heartbroken|unwell|disappointed with life|"
        "hopeless][.|!||...| today| now| right now| lately| :(]",
        "[I had|I've had|It was|It's been|What|I am having|I'm having|We had|Having] [a bad|a terrible|a hard|an awful|a rough|a long|"
        "a difficult|a horrible|a stressful|a tough|a sad|the worst] [day|week|night|morning|time|year|month|day at work|day at school][.|!||...]",
        "[I have|I've got|I got] [a headache|a cold|a fever|pain|a toothache|the flu|a sore throat|too much work|so much stress|no friends|"
        "no energy|bad news|a broken heart|a broken leg|problems at work|trouble at home|back pain][.|!|| today]",
        "[I lost|I just lost|I failed|I missed|I broke] [my job|my keys|my exam|my test|my best friend|my phone|the game|my grandmother|"
        "my money|my flight|my leg|my passport|everything][.|!|| today]",
        "[My] [dog|cat|grandma|grandpa|friend|mother|father|brother|boss|girlfriend|boyfriend|wife|husband|car] [died|is sick|is ill|"
        "is very ill|left me|is angry with me|is in the hospital|broke down|ran away|does not talk to me|hurt me|is mean to me][.|!||]",
        "[My day|Today|This day|My week|My life|Work|School|Everything|Life|This year|My night] [is|was|has been] [so |very |really |"
        "just ]*[bad|hard|terrible|awful|sad|horrible|stressful|difficult|exhausting|a nightmare|a mess|tough|rough][.|!|||...]",
        "[Nobody|No one] [likes me|loves me|understands me|cares about me|listens to me|talks to me|came to my party][.|!||]",
        "[I can't|I cannot|I could not|I couldn't] [sleep|sleep at night|stop crying|relax|concentrate|take it anymore|do this anymore|eat|"
        "smile today|get out of bed|calm down][.|!||]",
        "[I] [cried|am crying|want to cry|feel like crying|feel empty|feel lonely today|feel like a failure|hate my job|hate my life|"
        "miss my family|miss home|miss my dog|got fired|got hurt|fell down the stairs|didn't sleep at all|slept badly|am not feeling well|"
        "don't feel well|don't feel good][.|!|| today]"],
    "I am glad to hear": [
        "[I am|I'm|im|I feel|I am feeling|I'm feeling] [so |very |really |quite |extremely |super |truly |pretty ]*[happy|glad|good|great|"
        "excited|proud|cheerful|wonderful|fantastic|amazing|awesome|relaxed|blessed|lucky|joyful|delighted|optimistic|better|much better|"
        "well again|energetic][.|!||!!| today| now| right now| this morning| :)]",
        "[I had|I've had|It was|It's been|I am having|I'm having|We had|I just had|What] a [great|good|wonderful|lovely|perfect|"
        "fantastic|beautiful|super|nice|brilliant|fun] [day|week|weekend|morning|evening|time|trip|party|night|holiday|day at work|"
        "day at school][.|!||!!]",
        "[My day|Today|This day|My week|Life|My weekend|The party|The trip|The exam|My interview|Work|School|The concert|My date] [is|was|"
        "has been|went] [so |very |really ]*[good|great|wonderful|amazing|perfect|fantastic|lovely|awesome|fun][.|!||!!]",
        "[I|We|I just|We just] [won|won the game|passed my exam|passed the test|got the job|got a new job|got promoted|got a raise|got married|"
        "got engaged|bought a house|found my keys|finished my project|made a new friend|got a puppy|got good news|fell in love|graduated|"
        "slept very well|finished my homework|ran a marathon|won a prize|became a father][!|.|| today]",
        "[It's|It is] [my birthday|my birthday today|Friday at last|my wedding day|my day off|the weekend|sunny and I feel good|"
        "a beautiful day|a wonderful day|a great day|such a lovely day][!|.||!!]",
        "[Everything is|All is|Things are|Life is] [great|going well|going great|wonderful|perfect|good with me|fine with me|so good|beautiful|"
        "awesome][!|.|| today| now]",
        "[Good news|Great news|Guess what|I have good news|Wonderful news|Yay|Hooray]: [I passed|we won|I got the job|I am in love|"
        "I'm going on holiday|my cat is back|I found my keys|it is my birthday|I am getting married|I won|I got an A][!|.|]"],
    "Yes, I am here": [
        "[Are you|Are u|r u|You|Is the bot|Is the model|Is infetch|Is the assistant] [there|here|still there|still here|awake|online|on|"
        "working|active|up|listening|up and running|running][ now| today| again]*?",
        "Is [this|it|this thing|this chat|the chat|this page|the bot|the model|the demo|everything] [working|on|online|running|alive|loaded|"
        "up][ now| today| yet]*?",
        "[Does|Did|Will] [this|it|this thing|this chat|the chat|the bot|my message|the demo] [work|arrive|function|respond|run][ now]*?",
        "[Test|test|Testing|testing|TEST|Test test|Test 1|Test 123|test 1 2 3|testing 1 2 3|Testing testing|Just testing|Only a test|A test|"
        "This is a test|This is only a test|I am testing you|I'm just testing this|Let me test this|Mic check|Sound check|ping|Ping?|Ping pong|"
        "echo test|hello test|test message|first test|quick test][.|!||?]",
        "[Anybody|Anyone|Somebody|Is anybody|Is anyone|Is somebody|Is someone] [there|here|home|online|awake|listening|out there|reading this|"
        "alive|around]?",
        "[Can|Do|Could|Did] you [hear me|read me|see me|see this|read this|get this|get this message|read my message|see my message|"
        "receive this|hear me now|respond|reply|answer]?",
        "[Hello|Hey|Hi|Helloo|Hallo]? [Anyone there|Anybody there|Are you there|Are you working|Is this on|Can you hear me|Is this working|"
        "You there|Anyone home|Do you read me]?",
        "[Please|Just|Hey,] [respond|reply|answer me|react|say yes if you are there|give me a sign of life|give a sign|wake up|"
        "say something if you are there][.|!||]",
        "[u there|you there|you here|still there|still alive|u awake|are u on|r u working|you up|alive|hello hello anyone|is it on][?|]"],
    "That is kind": [
        "[I] [love|adore|really love|so love|truly love|think I love|am in love with|am falling in love with|really like|fancy|"
        "have a crush on] you[!|.|| bot| so much| very much| more than pizza| with all my heart| <3]",
        "[Will|Would|Could|Can] you [marry me|be my girlfriend|be my boyfriend|be my valentine|be my wife|be my husband|be my friend|"
        "be my best friend|love me|love me too|love me back|date me|go out with me|go on a date with me|kiss me|hug me|be mine]?",
        "Do you [love me|love me too|like me|love me back|miss me|have a crush on me|want to marry me|want to be my friend|want to be with me|"
        "want a kiss|fancy me|care about me]?",
        "[Marry me|Kiss me|Hug me|Love me|Be mine|Be my friend|Be my valentine|Date me|I want to marry you|I want to kiss you|"
        "I want to hug you|I want to be with you|Let's get married|Let's be friends|I need a hug|Can I kiss you|Can I hug you|Can I marry you|"
        "Give me a kiss|Give me a hug|luv u|love u|ily|love ya|i <3 u][!|.||?]",
        "[You are|You're] [my best friend|the love of my life|my sweetheart|my soulmate|my everything|my one and only|so beautiful|so sexy|"
        "the one for me|my true love|my favorite person|my only friend][!|.|| now]",
        "[I] [miss|missed|thought of|dream of|cannot live without|can't live without|want only|think of] you[!|.|| a lot| all day| so much]"],
    "Thank you, the same": [
        "[Happy|Merry|A very happy|Have a happy|I wish you a happy|Wishing you a happy|A happy] [birthday|new year|Easter|holiday season|"
        "Thanksgiving|Halloween|Valentine's Day|anniversary|Mother's Day|Hanukkah|Diwali|holiday|Sunday|Christmas time][!|.|| to you| bot|"
        " my friend| to you and yours]",
        "[Merry|A merry|Have a merry|I wish you a merry|Wishing you a merry|Happy] Christmas[!|.|| to you| bot| everyone| and a happy new year|"
        " to all]",
        "[Good luck|Best of luck|Lots of luck|All the best|Best wishes|Warm wishes|Much success|Good luck to you|I wish you luck|"
        "I wish you all the best|I wish you good luck|I wish you success|Fingers crossed for you|Every success|Happy holidays|Season's best][!|"
        ".|| bot| today| for tomorrow| with everything| for the future| my friend]",
        "[Enjoy|Have fun|Have a good time|Have a nice meal|Have a good trip|Have a safe trip|Have a nice vacation|Enjoy your meal|"
        "Enjoy your day off|Enjoy the weekend|Enjoy yourself|Bon appetit|Safe travels|Get well|Congratulations|Congratulations to you|Congrats|"
        "Hope you have fun|Happy weekend][!|.|| bot| my friend]"],
}
