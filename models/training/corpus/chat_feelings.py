"""How people of all ages say how they feel, that they are bored or need a hand, and what they wish, as whole sentences, by the beginning of the reply; read by `small_talk.py`."""
MORE = {
    "Sure. Ask me": [
        "[im bored af|im bored lol|sooo bored rn|bored rn|bored out of my mind|I'm bored stiff|I'm bored silly|I am dying of boredom|"
            "I have nothing on my mind, let's talk|nothing to do lol|nothing good on tv|the wifi games are down, talk to me|mom took my phone, I'm bored|"
            "no school today and I'm bored][.|!||]",
        "[It's raining and I'm bored|It rains all day and I have nothing to do|I can't go out today, I'm bored|I'm sick in bed and bored|"
            "I am retired and have lots of time|The house is so quiet, talk to me|The kids are asleep, let's chat|My friends are all away, chat with me|"
            "I'm alone this evening, talk with me|I'm on night shift and bored|I'm early and have to wait|I have ten minutes to kill|I've some minutes to spare][.|!||"
            "]",
        "[Got anything fun|Anything fun to do|Anything we could do|Anything to chat about|Any ideas for a chat|What's fun here|What is there to do here|"
            "What do people talk about with you|What can I talk to you about|What can we do for fun|What could we play|Are you up for a chat|"
            "Are you in the mood to talk|Fancy a chat|Feel like chatting|Feel like talking|Do you feel like a chat|Mind if we chat|Got time to chat|"
            "Time for a little chat][?|]",
        "[Let us have a nice little talk|Let's have a natter|Let's have a chinwag|I'd love a good chat|I would enjoy a little conversation|"
            "A little conversation would be nice|I feel like a conversation|I'd like some company this evening|Would you keep an old lady company|"
            "Would you keep me company for a while|Sit with me and talk|Stay and chat with me|Stay a little and talk][.|!||?]",
        "[Make my day less boring|Make it less boring|Help me kill time|Help me kill some time|Help me through this boring day|Cure my boredom|Save me from boredom|"
            "Rescue me from this boring evening|Do something about my boredom|Keep me busy|Keep me entertained|Cheer me up, I'm bored|Amuse a bored person][.|!||]",
        "[Just talk|Just chat with me|Say anything you like|Say what you want|Say something nice|Say something new|Talk about anything|Talk about whatever you like|"
            "Tell me whatever you like|Start talking|You start|You begin|You choose a topic|Pick a topic|Choose a topic|Change the topic|Let's change the subject|"
            "New topic|Something else, please|Let's talk about something else][.|!||]",
        "[This lesson is so boring|Class is boring|School is so boring today|Homework is boring|Work is slow today|The meeting is so dull|My shift is endless|"
            "Sundays are boring|It's a dull day|It's a slow Sunday|What a boring evening|What a dull afternoon|Such a boring weekend|Nothing ever happens here|"
            "Nothing happens today][.|!||]"],
    "Of course. What": [
        "[can u help me rq|can u help real quick|yo can you help|yo i need help|bro help|bro i need help|help a bro out|help me out here|help plss|helpp me|hlp|"
            "i need halp|halp|need help asap|need ur help rn|got a q|got a q for u|question!|i got a question for u|can i ask smth|can i ask u smth|may i ask sth|"
            "lemme ask u something][.|?||]",
        "[Could you be so kind and help me|Would you be so kind as to help me|Would you be kind enough to help an old man|I would be grateful for your help|"
            "I'd be grateful for some help|Might I trouble you for help|Might I ask you something|I should like to ask you something|"
            "I would like to ask a question, if I may|If you have a moment, I need help|If you don't mind, I have a question|Forgive me, I have a question|"
            "Pardon, may I ask something][.|?|]",
        "[I need a little help with my homework|Can you help with homework|Can you help me with school|Can you help me with math|I need help for school|"
            "I need help for a test|I have a test tomorrow, can you help me|My homework is too hard, help|I don't get my homework, help me|I'm stuck on my homework|"
            "Mom can't help me, can you|Nobody can help me, can you][.|?|!|]",
        "[Something is bothering me, can you help|There's something I need to know|There is something I want to know|I want to know something|"
            "I'd like to know something|I need to know something|I need to ask you this|I've been meaning to ask you something|I came with a question|"
            "I am here with a question|I came here for help|I'm here because I need help|That's why I came, I need help|I was told you can help|"
            "They say you can help me|My friend said you could help][.|!||]",
        "[Are you good at helping|Do you help people|Do you help with things|Do you take questions|Do you answer questions|Can you answer questions|"
            "Can I ask you anything|Can I ask you things|Can I ask away|May I ask away|Can I start asking|Am I allowed to ask something|"
            "Is it okay to ask you a question|Could I get some help over here|Any chance you could help me|Any chance of some help|Is help available|"
            "Is there any help|Can anybody help me|Who can help me|Can someone help me][?|]",
        "[I've one more question|I have another question|One more question|Another question|Next question|One last question|I have a last question|"
            "I still have a question|I still need help|I need you again|I need your help again|I need something else|I want something else|There is one more thing|"
            "One more thing|Just one more thing|And another thing|I have a different question|Now a different question|Something different now][.|!||]",
        "[I can't do it|I can't manage it|I can't do it alone|It's too hard for me|This is too difficult for me|I don't know how to do this|"
            "I don't know where to start|I have no idea what to do|I'm at a loss|I don't know what to do next|I need to do something and don't know how][. Help|"
            ". Can you help me?|, can you help?|, please help|. Please help me.]"],
    "I am sorry to hear": [
        "[im so sad rn|im sad :(|feeling blue|feelin down|not feeling it today|not my day|today sucks|my life sucks|life sucks|everything sucks|worst day ever|"
            "worst week ever|bad vibes|im so done with today|im dead tired|so sleepy|so tired lol|cant sleep|i cant even|ugh my head|ouch|ow that hurt|owww|boohoo|"
            "sob|cries|crying rn|im crying|:((|:-(|T_T|;(|sad face]",
        "[I am hungry|I'm so hungry|I'm starving|I am thirsty|I'm freezing|I am so cold|I'm too hot|I am melting in this heat|I'm soaked|I feel sick|I feel dizzy|"
            "I feel weak|I've caught a cold|I can't stop coughing|I keep sneezing|My nose is running|My eyes hurt|My feet hurt|My knees hurt|My ear hurts|"
            "My tummy hurts|I have a tummy ache|I have a stomach ache|I burned my hand|I cut my finger|I hit my head|I sprained my ankle][.|!||]",
        "[Nobody wants to play with me|My friends left me out|They laughed at me in class|The others are mean to me|Someone was mean at school|I got a bad grade|"
            "I got an F|I failed math|I have to stay in at recess|I got in trouble at school|My teacher was angry with me|Mom is mad at me|Dad yelled at me|"
            "My parents fight all the time|My parents are getting divorced|My toy is broken|I lost my teddy|I dropped my ice cream|I have so much homework][.|!||]",
        "[My hamster died|My goldfish died|Our cat is gone|Our dog is missing|My grandpa is in hospital|My grandmother passed away last week|My husband is very ill|"
            "My wife is in the hospital|I lost a dear friend|I miss my mother so much|I miss my late husband|My children never call|Nobody visits me|"
            "The house is so empty without her|The days are long and lonely|My old bones ache|My back is giving me trouble|I don't sleep well anymore|"
            "Getting old is hard][.|!||]",
        "[I didn't get the job|They fired me today|My boss hates me|My boss is never happy with me|Work is killing me|I work too much|I am so overworked|"
            "I have a deadline and I'm scared|I'm drowning in work|I can't pay my rent|I am broke|I have no money left|My car broke down again|My train is late again|"
            "I'm stuck in the rain|My computer crashed and I lost everything|My phone fell in the water|My flight was cancelled|My holiday was cancelled|"
            "Somebody broke into my house][.|!||]",
        "[She left me|He left me|He dumped me|She broke up with me|We broke up|We split up|My date did not show up|She doesn't love me anymore|He doesn't text back|"
            "I miss him|I miss her|I miss her so much|I had a fight with my sister|I had a fight with my best friend|My friend won't talk to me|I feel left out|"
            "I feel so alone|I feel alone in the world|I have no one|I have nobody|I feel ignored|Nobody remembers me][.|!||]",
        "[I'm worried about my exam|I am nervous about tomorrow|I'm scared of the dentist|I'm afraid of the dark|I am scared of the storm|I had a nightmare|"
            "I had a bad dream|I'm anxious all the time|I can't stop worrying|I worry too much|I feel under pressure|Everything is too much|It's all too much for me|"
            "I don't know how to go on|I'm at the end of my rope|I'm falling apart|I'm burned out|I've lost my hope|I feel useless|I feel stupid|"
            "I feel like nothing works][.|!||]",
        "[We lost|We lost the game|My team lost|My team lost again|I lost the race|I lost again|I came last|I lost a bet|I spilled coffee on my shirt|"
            "I burnt the dinner|My cake fell|I missed the bus again|I overslept|I forgot my mom's birthday|It rained on my birthday|Nobody came to my birthday|"
            "It's Monday again, I'm so tired|Summer is over and I'm sad|The weekend is over, I'm sad][.|!||]",
        "[I don't feel so good|I don't feel so well|I don't feel well today|I'm not doing so great|I'm not at my best|I have felt better|I've had better days|"
            "Things are not going well|Things are bad right now|It's not going well|It could be better|Today is not a good day|Today was a long and hard day|"
            "This was a hard week|This year has been so hard|It's been a tough time|I'm going through a hard time|I'm having a rough time|I'm in a bad mood|"
            "I'm in a bad place right now][.|!||]",
        "~[My heart is heavy tonight|I feel like a rainy Sunday inside]"],
    "I am glad to hear": [
        "[im so happy rn|so happy rn|feeling great rn|best day ever lol|today was lit|today was awesome|lets gooo|LETS GO|yesss|yessss|yay me|yayyy|yaaay|woo|"
            "wooo we won|i won i won|i did it|we did it|nailed my test|aced it|got an A+|100 on my test|no school tomorrow yay|snow day yay|holidays yay|"
            "pizza tonight yay|im hyped|so hyped|so pumped|living my best life|good vibes today]",
        "[I learned to ride a bike|I can swim now|I can read now|I lost my first tooth|I got a gold star at school|I got the best grade in class|"
            "My teacher praised me|I made a new friend at school|I'm going to the zoo today|We are going to the beach|We go on holiday tomorrow|"
            "I get a puppy tomorrow|We have a new kitten|I got a new bike|I got a new game|My best friend is coming over|I'm having a sleepover|"
            "It's my birthday party today][.|!||]",
        "[I became a grandmother|I'm a grandpa now|My grandchildren are visiting|The grandchildren came to see me today|My son called me today|"
            "My daughter is getting married|We have been married for fifty years today|My roses are in bloom|My garden is beautiful this year|"
            "I had a lovely walk this morning|I had tea with a dear friend|My knee is much better|The doctor says I'm healthy|The doctor had good news|"
            "I am well again|I'm back on my feet|My wife is out of hospital][.|!||]",
        "[I got the promotion|My boss praised me|The presentation went well|The interview went great|I signed the contract today|My first day at work went well|"
            "I finally finished my thesis|I passed my driving test|I got my license|I paid off my house|We found a flat|We moved into our new house|"
            "I'm done with all my work|I finished early today|It's my last day before the holidays|I have the day off|I have a week off][.|!||]",
        "[She said yes|He asked me to marry him|He said he loves me|She likes me too|I have a date tonight|My date went so well|I met the love of my life|"
            "We're having a baby|We are expecting a baby|I'm going to be a mom|I'm going to be a dad|I'm going to be an aunt|Our baby slept all night|"
            "We made up again|My friend forgave me|My sister is coming home|We're together again][.|!||]",
        "[We won the cup|We won the final|My team is the champion|I scored a goal today|I ran five kilometers today|I beat my record|I won at chess|I beat my brother|"
            "I won the lottery|I found ten euros|I found my ring|My cat came back|Our dog was found|My bread turned out great|The cake was a success|"
            "The concert was amazing|The movie was great|The party was a success|Dinner was delicious|The coffee is great today][.|!||]",
        "[I'm in high spirits|I'm in a great mood|I'm in such a good mood today|I woke up happy|I woke up in a good mood|I feel alive|I feel so free|I feel at peace|"
            "I feel calm and happy|I'm at peace|I'm so relieved|What a relief|I'm so grateful for my life|I can't stop smiling|I'm smiling from ear to ear|"
            "I could sing|I could dance|I'm singing all day|I'm dancing around|I'm proud of myself|I'm really looking forward to tomorrow|I can't wait for tomorrow|"
            "I can't wait for the weekend][.|!||]",
        "[I'm feeling a lot better|I feel better than yesterday|I feel better already|I'm better, I slept well|It's going well|Things are looking up|"
            "Things are getting better|Everything worked out|It all went well|It all worked out in the end|All is well with me|All is well again|"
            "I can't complain, life is good|Couldn't be better|It could not be better|Never been better|I've never been happier|Never felt better|Very well indeed][.|"
            "!||]",
        "~[I'm walking on sunshine|My cup is full today]"],
    "Yes, I am here": [
        "[are u there|are u there??|u there bot|u alive|r u alive|r u here|r u on|u still here|still there?|u listening|hello??|anyone?|anybody?|any1 here|any1 there|"
            "is some1 here|bot?|bot are u there|yoo u there|you dead|did u die|did you fall asleep|are you asleep|are you sleeping|sleeping?][?|]",
        "[Are you with me|Are you still with me|Are you around|Are you around today|Are you in|Are you at home|Are you on the line|Are you still on|Are you on duty|"
            "Are you free now|Are you alive|Are you back|Are you back online|Have you started|Have you loaded|Have you gone|Where are you, are you there|"
            "Did I lose you|Have I lost you|Did you leave|Did you go away|Did you leave me|Are we connected|Am I connected|Are we online][?|]",
        "[Is the line still open|Is the connection good|Is my message getting through|Am I getting through|Do my messages arrive|Did my message go through|"
            "Did that send|Did it send|Can anybody read this|Can anyone see this|Is someone reading this|Is a bot reading this|Is this the chat|Is this where I type|"
            "Do I type here|Do I write here|Can I write here|Is this box working|Does the box work|Does my keyboard work|Is the bot awake yet][?|]",
        "[I'm just checking if you work|I am checking whether this works|Just checking|Just checking in|Just checking if you're there|Only checking if it works|"
            "I only want to see if you answer|I want to see whether it reacts|My son set this up, does it work|My grandson installed this, does it work|"
            "I hope this works|Hope it works|Let's see if it works|Let's see if anyone is there|Let's see if you are awake|Trying this out|Just trying this out|"
            "A little trial][.|?|]",
        "[Please answer|Please say something, are you there|Please answer, are you there|Say something so I know you're there|Make a sound if you are there|"
            "Answer if you can hear me|Answer if you read this|Blink twice if you are there|Say hello if you're there|Show me that you are there|Show a sign of life|"
            "Give me a beep|Beep|Beep beep|Wake up, bot|Wake up, little model|Rise and shine, are you there|Come back|Come out, come out, wherever you are][.|!|]"],
    "That is kind": [
        "[ilysm|ily bot|ilu|luv u bot|love uuu|love you lots|love you to bits|love you loads|love you to the moon and back|I love you more|I love you bot, really|"
            "I love you, computer|I love you very much, little bot|I like you very very much|ur my bestie|ur my bff|be my bestie|be my bff|wanna be my gf|"
            "wanna be my bf|will u marry me|marry me bot|will u be my friend|can u be my friend|can we be friends|wanna be friends|r u my friend|are you my friend|"
            "are we friends][.|?|!|]",
        "[I think you are the one for me|I think of you all the time|I have a little crush on you|I've fallen for you|You stole my heart|You have my heart|"
            "You make my heart beat|You're the only one who understands me|You are the only one I talk to|You're my sunshine|You are like a friend to me|"
            "You're like family to me|You are a dear to me|I'm so fond of you|I have grown fond of you|I'd like to take you out for dinner|May I take you to dinner|"
            "May I kiss your hand][.|!|]",
        "[Would you go to the prom with me|Will you go to the dance with me|Would you like to go out sometime|Would you have dinner with me|Could you ever love me|"
            "Could you love someone like me|Can a bot love me|Do you have feelings for me|Do you feel something for me|Do you think of me|Do you dream of me|"
            "Do you want to be my best friend|Do you want to marry me|Do you want to be my girlfriend|Do you want a hug|Would you like a hug|Can I have a hug|"
            "Can I have a kiss|Can I get a hug][?|]",
        "[Here is a hug for you|Here's a kiss|Sending you a hug|Sending hugs|Sending you love|A big kiss for you|A kiss for the bot|Smooch|mwah|muah muah|hug|hugs!|"
            "big hugs|*hugs*|*kiss*|<3 <3|<3 u|xoxoxo|xx|kisses and hugs|virtual hug|I'm giving you a hug|I hug you][.|!|]"],
    "Thank you, the same": [
        "[A happy new year to you and your makers|A good start into the new year|Have a good start into the new year|Happy new year, bot|happy new yearrr|hny|"
            "Happy 2030|All the best for the new year|May the new year bring you luck|A healthy new year|A blessed Christmas|A peaceful Christmas|"
            "Merry Christmas, little bot|merry xmas bot|Merry Christmas to all of you|Jolly Christmas|Joyeux Noel|Buon Natale|Season's greetings to you][.|!||]",
        "[Happy birthday to you, dear bot|happy bday bot|hbd bot|happy birthday lil bot|Many happy returns|Many happy returns of the day|"
            "All the best for your birthday|Have a wonderful birthday|Happy belated birthday|Happy Easter to you|Happy Easter bunny day|Happy Halloween, boo|"
            "Happy St. Patrick's Day|Happy Fourth of July|Happy Independence Day|Happy Mother's Day, bot|Eid Mubarak|Happy Eid|Happy Holi|Chag sameach|Happy Passover|"
            "Happy Lunar New Year|Happy Chinese New Year|Happy name day|Happy Labor Day|Happy Friday, bot][.|!||]",
        "[Good luck, little one|good luck bro|gl|gl hf|glhf|Good luck with your work|Good luck with the next user|Good luck with everything|Good luck out there|"
            "I'm keeping my fingers crossed for you|I cross my fingers for you|I keep my thumbs pressed for you|You got this, good luck|May luck be with you|"
            "May you be lucky|Wishing you luck|Wishing you lots of luck|Wishing you all the best|I wish you well|I wish you nothing but the best|"
            "I wish you health and happiness|May you live long|A long life to you|Success|Much joy|Lots of joy][.|!||]",
        "[Enjoy your lunch|Enjoy your dinner|Enjoy your break|Enjoy your coffee|Enjoy your holidays|Enjoy the sunshine|Enjoy the summer|Enjoy the game|"
            "Have a good lunch|Have a good flight|Have a good journey|Have a pleasant trip|Have a relaxing Sunday|Have a nice holiday|Have a great summer|"
            "Have a lovely Christmas|Have a merry one|Have lots of fun|Guten Appetit|Buon appetito|To your health|Here's to you|Gesundheit|"
            "Bless you, and good health][.|!||]",
        "~[May all your wishes come true|A lucky year to you]"],
}
