"""What people of all ages type that is no request: hellos, goodbyes, thanks, praise, complaints and nods as whole sentences, by the beginning of the reply; read by `small_talk.py`."""
GREETINGS = [
    "[Hi, it's grandma|Hello from grandpa|Hi, this is my first time with a chat bot|Hello, my son showed me this page|hi its me from yesterday|Hello, I am visiting|"
        "Hi, I am back from school|Hello, I just got home from work|Hi, I'm back from lunch][.|!||]",
    "[hi bestie|hey girl|hey u|hi hi bot|sup everyone|hey lil bot|hi computer|hi robot|hey machine|hi mister robot|hello mister|hi my robot friend|hello miss|"
        "hello internet|hi screen|hey browser|hi laptop][.|!||]",
    "[Good morning, sleepyhead|Good morning, did you miss me|Morning all|Mornin bot|good mornin|gd morning|good mornin to ya|good eve|evenin|good aft|Goooood morning|"
        "A good evening to the whole team][.|!||]",
    "[Hello, nice to be here|Hello, good to see you again|Hi, glad you are here|Hey, good to be back|Well, look who it is|Hey, there you are|Ah, there you are|"
        "Look who's awake|Fancy meeting you here|Well hello there, little one][.|!||]",
    "[Dear assistant, hello|Dear model, good day|Dear Sir or Madam|To whom it may concern|Esteemed assistant, good morning|I greet you|I bid you good day|"
        "I bid you good morning|My greetings|Warm greetings|Kind regards and hello|Greetings from Vienna|Greetings from my garden][.|!||]",
    "[Hello hello hello|Hey ho|Hi ho|Hey hey my friend|Hallo hallo|Hello and again hello|Howdy partner|Howdy y'all|Howdy doody|Ahoy there|Ahoy matey|G'day mate|Oi oi|"
        "Top o' the morning to ya|What ho|Hail|Cheerio and hello|Peekaboo][.|!||]",
    "[waves|*waves*|waving at you|waves hello|o/|hi :D|hello ^^|hey :-)|hi <3|hellooo :)|heyyy there|helloww|hii there|heloo|hullo there|hulloo|herro|yoooo|ayy|ayyy|"
        "heyaa|hiyaaa|h e l l o|HELLO|HI|HEY|HI THERE]",
    "[Salut|Coucou|Bonsoir|Guten Abend|Hallo zusammen|Grüezi|Servus|Buenas tardes|Buenas noches, hello|Buon pomeriggio|Bom dia|Dzien dobry|Ahoj|Hei|Hej hej|Privet|"
        "Namaste|Sawadee|Annyeong|Xin chao|Selam|Zdravo][.|!||]",
]
MORE = {
    "Goodbye!": [
        "[I have to pick up the kids|I must catch my train|I have to feed the cat|I need to cook dinner|I have to do my homework now|My mom says I have to stop|"
            "Dad says it's bedtime|The teacher is coming|Class starts|My tea is ready|Dinner's ready|I need to charge my phone]"
        "[, bye|. Bye|, see you|. See you later|, goodbye|. Until later|, talk soon][.|!|]",
        "[I'm falling asleep here|My eyes are closing|I can't keep my eyes open|I am going to sleep now|I'll hit the hay|Off to bed with me|Bedtime for me|"
            "Time for my nap|Lights out][, good night|. Good night|, bye|. Sleep well][.|!|]",
        "[cu l8r|see u|see u tmrw|see ya around|c ya|cyaa|byeee|bye byee|byebyeee|baiii|bai|laterz|gn8|gn bot|gn all|nighty nite|nite nite|ttys|talk l8r|gtg bye|"
            "gotta bounce|im out|im off|i'm outta here|peace|deuces|toodle-oo|toodeloo|pip pip][.|!||]",
        "[That will be all|That would be all|That is all, my dear|I think that's everything|I have what I came for|I won't keep you any longer|"
            "I'll leave you alone now|I'll let you go|I shall take my leave|I bid you farewell|Farewell, dear machine|I will leave it at that for today][.|!||]",
        "[It was fun, bye|That was fun, see you|Nice chat, bye|Good talk, bye|Good talk, see you|Lovely talking to you, bye|I enjoyed our chat, goodbye|"
            "I had fun, bye|It was nice, until next time|This was great, goodbye][.|!||]",
        "[See you at the weekend|See you after the break|See you when I'm back|See you in a bit|See you in the evening|See you in a week|See you in the new year|"
            "See you on the other side|See you at breakfast|Catch you tomorrow|Catch you on the flip side|Speak soon|Talk soon|Chat soon|More tomorrow|"
            "To be continued][.|!||]",
        "[You have a good one|You have a nice day|Have a good rest of your day|Have a peaceful night|Have a good night's sleep|Have a lovely weekend, bye|"
            "Enjoy your evening, bye|Enjoy the rest of your day|Take good care|Take care of yourself|Look after yourself|Be good|Be well|Keep well|Stay safe, bye][.|"
            "!||]",
        "[I'm closing the window now|I'm shutting down my computer|I'll switch off the computer now|I turn off my phone now|I'm going offline|Going offline|"
            "Going to log out|I'm signing out|Signing out|I close the laptop now|Closing the app now][, bye|. Bye|. Goodbye|][.|!|]",
        "[No thanks, bye|No, bye|Nothing more, bye|No, I'm done|No, I have to go|I'm good, bye|I am all set, goodbye|We're done here|We are finished, goodbye|"
            "Enough for today|That's enough for now, bye|Let's leave it here for today|Let's continue tomorrow|Let's go on another day][.|!||]",
        "~[Well, the bus won't wait, so long|My cue to leave]"],
    "You're welcome!": [
        "[Thanks, that was very kind of you|Thank you, dear computer|Thank you, young man|Thank you kindly, my dear|Oh thank you so very much|"
            "How very kind, thank you|Bless your heart, thank you|God bless, thank you|Thanks awfully|I thank you from the bottom of my heart|My sincere thanks|"
            "My deepest thanks|With many thanks|Sincere thanks|Thank you ever so much][.|!||]",
        "[thx bro|thx a ton|thx alot|thanks alot|thank uuu|ty ty|ty so much|tyy|tysmm|thankies|thankss bot|thanx bot|thnx m8|tanks|thnk you|thankyouuu|thanks fam|"
            "thanks chief|thanks boss|cheers bro|cheers dude|cheers for that|ta love|ta very much|ta mate|thx for that|10x|ty <3|thanks :D][.|!||]",
        "[Thanks, I'll try that|Thanks, I'll do that|Thanks, I will remember it|Thank you, I'll tell my mom|Thanks, I'll write it down|Thank you, I learned something|"
            "Thanks, now I can do my homework|Thanks, now I can sleep|Thanks, that settles it|Thank you, that settles our bet|Thanks, that clears it up|"
            "Thank you, that's clear now][.|!||]",
        "[Thanks anyway|Thanks all the same|Thanks for trying|Thank you for trying|Thanks for nothing, just kidding|Thanks for the try|Thanks for the effort|"
            "Thanks for putting up with me|Thanks for your honesty|Thanks for being honest|Thanks for listening|Thank you for listening to me|Thanks for being there|"
            "Thanks for cheering me up|Thanks for the company|Thanks for the chat|Thank you for the nice chat|Thank you for the talk][.|!||]",
        "[That's so kind|That's so nice of you|That is very kind of you|That was kind|That was really nice of you|How thoughtful|How lovely of you|How good of you|"
            "You are too kind|You're too kind|You shouldn't have|You've been very kind|You've been a great help|You have been so helpful|You were a great help|"
            "You were very helpful][, thanks|, thank you|. Thanks][.|!|]",
        "[I couldn't have done it without you|I would never have found that|I'd be lost without you|You just saved my homework|You saved my grade|"
            "You saved the evening|You saved our quiz night|You really saved me there|I owe you big time|I owe you a coffee|I owe you a beer|I'm in your debt|"
            "Consider me thankful|I'm so thankful I found you][.|!||]",
        "[Yes, thanks|Yes, thank you|Yep, thanks|Yes that's it, thank you|Yes, exactly, thanks|Yeah thanks|Sure, thanks|No, thanks|No thank you|Not now, thanks|"
            "Not right now, thank you|I'm good, thanks|I'm fine, thanks for asking|All good, thanks|All good here, thank you|Nothing right now, thank you][.|!||]",
        "[A thousand thanks|A million thanks|A big thank you|A big thank you to you|A huge thanks|Huge thanks|Loads of thanks|Heaps of thanks|Thanks heaps|"
            "Thanks loads|Thanks tons|Thanks again and again|Once again, thank you|Thank you, thank you, thank you|Thanks thanks thanks|Thanks a bundle|Thanks galore|"
            "Thanks in advance|Thank you in advance|Thanking you][.|!||]",
        "[The children thank you|My class says thank you|Grandma says thank you|My dad says thanks|We all thank you|We thank you|We are grateful to you|"
            "Our whole family says thanks|My daughter says thank you very much|All of us say thanks][.|!||]",
        "[Appreciated|Appreciate it|Appreciate that|Appreciate you|Appreciate it a lot|Really appreciate it|I appreciate you|I appreciate the quick answer|"
            "I appreciate the effort|I'm very appreciative|Your help means a lot|This means a lot to me|That means a lot|It means the world to me][.|!||, thanks]"],
    "I am fine": [
        "[How's it hanging|How's your Monday|How's your Friday going|How's your weekend|How's the family|How's your health|How's your mood|How's the world of bits|"
            "How are things in there|How are things on your side|How are things in the computer|How's life in the browser|How is life as a bot|"
            "How's your memory today][?|]",
        "[How are you my dear|How are you keeping, my dear|And how are we feeling today|How do we feel this morning|And how is my little friend|Are you keeping well|"
            "Are you in good spirits|I trust you are well|I hope this finds you well|I do hope you are well|I hope you slept well|I hope your day is going well][?|.|]",
        "[how r u doing|how u|how you been|how u been|how u feelin|how ya been|how ya feelin|hows it goin|hows it hangin|hows ur day goin|hows things|hows tricks|"
            "hru today|hyd|sup dude|sup man|sup bro|sup fam|waddup|wuu2|wubu2|whats good bro|whats poppin|what's cracking|whats the vibe|what's the craic|"
            "you alright mate|alright mate|y'all good|u okay|u ok bot|r u ok|are u well][?|]",
        "[I slept well, and you|I'm doing well, yourself|I'm okay, how are you|Not bad, and you|Not too bad, you|Pretty good, and you|Fine, you|Good, you|"
            "Good thanks, how are you|Very well thank you, and how are you|I can't complain, and you|So so, and you|Same as always, and you|Great, and how are you][?|"
            "]",
        "[Did you miss me|Have you been good|Have you been busy|Busy day, how are you|Been busy|Had a good rest|Did you have a nice weekend|Had a good weekend|"
            "Did you have a good day so far|Did you sleep okay|Slept well|Woke up well|Feeling alright|Feeling well today|Feeling any better|Are you feeling better|"
            "Still doing well|Still feeling well][?|]",
        "[Tell me how you are|Tell me how you feel|Tell me how your day was|So tell me, how's life|I'd love to hear how you are|I was wondering how you are|"
            "Just checking how you are|Just checking in, how are you|Checking in on you, are you well|I wanted to ask how you are|I came to ask how you are doing|"
            "First tell me how you are][.|?|]",
        "[How would you say you are today|How do you find yourself today|How have you been lately|How have you been all week|How have you been since yesterday|"
            "How have things been|How has life been|How has your week been|How has your morning been|How did your day go|How did the night go|"
            "How did you spend the day|Is life treating you well|Is life good|Life good|Are you having a nice time|Are you enjoying your day|Enjoying the day][?|]"],
    "Nice to meet you too": [
        "[Nice to make your acquaintance|How nice to meet you|How lovely to meet you|Oh, how nice to get to know you|I'm delighted to meet you|"
            "I am honored to meet you|I am so happy to meet you|I'm glad to get to know you|I'm excited to meet you|So happy to finally meet you|"
            "So glad I got to meet you][.|!||]",
        "[nice 2 meet ya|nice to meet ya|nice to meet yaa|nice to meet u bot|nice meeting ya|good to meet ya|good 2 meet u|pleased 2 meet u|glad to meet u|"
            "happy to meet u|so nice meeting you|cool to meet you|cool meeting you|great to meet ya][.|!||]",
        "[We meet for the first time|I've never met a bot before, nice to meet you|You are my first bot, nice to meet you|So this is you, nice to meet you|"
            "I wanted to meet you for a long time|I have wanted to meet you|At last we meet|Finally we meet|Good that we meet|Happy that we met|"
            "A pleasure meeting you|The pleasure is all mine|It's an honor to know you][.|!||]"],
    "Thank you!": [
        "[You too|You too, bot|Same to you|Same here|Likewise|And you too|You as well|And to you as well|The same to you|Right back at you|Back at you|To you too|"
            "And a nice day to you too|You have a nice day too][.|!||]",
        "[You are so clever for a computer|You're a clever little thing|What a clever machine|What a sweet little bot|You are a good boy|You're a good robot|"
            "You're adorable|You are so sweet|Aww, you're cute|Aw that's sweet|Awww|Aww, so cute|So cute|How cute|Too cute|Cutie|Sweetie pie][.|!||]",
        "[You know everything|You know so much|You know your stuff|You're so well informed|You are smarter than my brother|You are smarter than my teacher|"
            "You're smarter than I thought|You beat my expectations|You're faster than my phone|You answer so quickly|You never let me down|You always know|"
            "You always help|You do it so well|You make it look easy|You explain well|You explain it so well][.|!||]",
        "[That's the right answer|That's exactly it|That's the one|That's what I thought too|Yes, that is right|Yes, that's the answer|Yes, you are right|"
            "Yep that's right|Right you are, well done|Correct, good job|That is absolutely correct|Absolutely right|Totally right|Right again|Correct again|"
            "You got that right|You were right|Turns out you were right|I checked, you are right|My teacher says it is right][.|!||]",
        "[lol nice|lol good one|lol ur funny|rofl|lmao|lmao good one|hahahaha|hahah|haha nice|haha good one|xD|lolol|that cracked me up|I'm laughing so hard|"
            "I had to laugh|You made me giggle|My kids are laughing|The whole class laughed|That joke was great|Good joke|Funny joke|Best joke today][.|!||]",
        "[slay|ur the goat|based|sheesh|pog|poggers|W bot|huge W|big brain|200 iq|ez|too good|so good bro|straight fire|that slaps|thats sick|thats dope|goated|"
            "legend|absolute legend|boss move|ur amazing|ur awesome|u r the best|u r so smart|u so smart|ure great|u rock|luv it|love this|loving it][.|!||]",
        "[What a nice story|What a lovely story|I liked the story|The story was nice|That was a nice poem|What a pretty poem|I love the poem|Great list|"
            "What a good list|Good thinking|Good idea|Great idea|That's a good idea|That's clever|How clever|How smart|Clever answer|Smart answer|Quick answer|"
            "That was quick|That was super fast|So fast|Wow, so quick|Short and clear, I like it|Clear answer, nice][.|!||]",
        "[My compliments|I compliment you|Compliments to you|I take my hat off|Hats off to you|Splendid work|Marvelous work|Delightful|Simply delightful|"
            "How wonderful|How marvelous|Simply wonderful|Magnificent|Remarkable|Astonishing|Incredible|Unbelievable, well done|Jolly good|Jolly well done|Good show|"
            "Top-notch work|You did splendidly|You performed very well][.|!||]",
        "[I tell everyone about you|I will recommend you|I'd recommend you to anyone|I'll show you to my friends|My friends will love you|I will use you again|"
            "I'll come back for sure|I really enjoy this|I enjoy talking to you|You make my day better|You brighten my day|You cheer me up|I trust you|"
            "I believe in you|I'm on your side|You're my favorite bot|Never change][.|!||]",
        "~[Somebody built you well|What a bright spark you are]"],
    "I am sorry. I am": [
        "[I don't understand your answer|I don't get your answer|Your answer confuses me|You confuse me|Now I'm confused by your answer|What kind of answer is that|"
            "What is that supposed to mean|That answer is weird|That's a weird answer|Strange answer|What a strange answer|Your answer has nothing to do with it|"
            "You changed the subject|You're off topic][.|!||]",
        "[You didn't even try|You are not even close|Not even close|You missed the point|You missed my point|You forgot something|You left something out|"
            "You skipped half of it|You only did half|You mixed it up|You mixed up everything|You confused two things|You counted wrong|You calculated wrong|"
            "You can't count|You can't even add|Your math is bad|Learn to count][.|!||]",
        "[ur bad|ur so dumb|u suck|you suck|this sucks|that sucks as an answer|trash bot|bot is trash|garbage bot|L bot|thats an L|cringe|so cringe|wth|wtf|"
            "nahh thats wrong|nah bro thats wrong|bro what|bruh|bruh no|bruhhh|thats cap|cap|stop lying|liar|lies|all lies|fake news|mid|epic fail bot|dumb bot|"
            "silly bot|stupid thing|stupid machine|dummy][.|!||]",
        "[My dear, that is not right|Oh dear, that's not right|I beg to differ|I must disagree|I have to disagree|I'm afraid that's wrong|"
            "I am afraid you are mistaken|That is a mistake, young man|That cannot be correct|That can't be true|It can't be|Impossible, that's wrong|"
            "Surely that is wrong|You must be mistaken|You must be wrong|I know it is wrong|I know that's not true|I happen to know it's wrong][.|!||]",
        "[That's not what I said|I never said that|I didn't say that|I did not ask that|I didn't ask for that|I asked something else|I asked you something different|"
            "I meant something else|That's not my question|That was not the question|You answered another question|Read my question again|Read it again|"
            "Listen to me properly|Pay attention|You don't listen|You're not listening][.|!||]",
        "[You let me down|You disappoint me|What a disappointment|How disappointing|I'm very disappointed|I thought you were smart|I thought you could do it|"
            "I expected better from you|You used to be better|You were better yesterday|You're getting worse|That's a bad joke|Bad joke|That joke was bad|Not funny|"
            "That's not funny|That wasn't funny|I don't find that funny][.|!||]",
        "[Try harder|Do better|You can do better|Do it right|Do it properly|Please do it right|Get it right|Get your facts straight|Check your facts|"
            "Double check that|Think before you answer|Go back to school|Back to school with you|Thumbs down|Zero stars|One star|One star for that answer|Zero points|"
            "F minus|That's an F][.|!||]"],
    "OK. What else": [
        "[Sorry|I'm sorry|I am sorry|So sorry|Sorry about that|Sorry for that|Sorry, my mistake|Sorry, my fault|My mistake|My fault|My bad|Oops, my mistake|"
            "Oops sorry|Sorry, wrong button|Sorry, wrong chat|Sorry, typo|Typo|Oops, typo|Sorry, I pressed enter too early|I apologize|My apologies|I beg your pardon|"
            "Pardon me, my mistake|Forgive me|Please forgive me|Excuse my typing|Sorry for the late reply|Sorry I was away|Sorry for being rude|Sorry I yelled at you|"
            "I didn't mean it|I didn't mean that|No offense|sry|srry|soz|mb|my bad bro][.|!||]",
        "[I was just kidding|Just kidding|Only kidding|I'm kidding|I am only joking|Just joking|That was a joke|It was only a joke|jk|jk lol|kidding|"
            "I was teasing you|I was pulling your leg|I'm messing with you|Just messing around][.|!||]",
        "[I did not know that|Didn't know that|I had no clue|I never knew that|That's new to me|That is news to me|News to me|Oh really|Oh, is that so|Is that so|"
            "You don't say|Who knew|Who would have thought|I would not have guessed|I'd never have guessed it|I thought it was something else|I thought as much|"
            "That's what I thought|As I thought|Just as I thought|I figured|I guessed that][.|!||]",
        "[Hmm, interesting|How interesting|That's interesting|Very interesting|Quite interesting|Curious|How curious|Strange but okay|Okay, weird|Weird but ok|"
            "Funny, I see|Oh wow, okay|Oh, okay then|Oh alright|Ah, that explains it|That explains a lot|That explains it|Now it makes sense|Now I see|Now I get it|"
            "Got you|I hear you|I see your point|I follow|I can see that][.|!||]",
        "[Not today|Not now|Not yet|Maybe later|Maybe another time|Maybe tomorrow|Later perhaps|Another time|Some other time|I don't know yet|I don't know|"
            "I am not sure yet|Not sure|Not sure yet|No idea|I have no idea|idk|dunno|I dunno|Hard to say|It depends|Let me think|Let me think about it|"
            "Give me a second|One moment|One second|Just a moment|Wait a second|Hold on|Hang on|brb one sec|Wait|hmm let me think][.|!||]",
        "[It's nothing|Nothing|Nothing special|Nothing much|Not much|Just looking|Just looking around|I'm just looking|Just browsing|Just curious|I was just curious|"
            "I just wanted to see|I just wanted to try it|Just trying things out|I'm only trying you out|Only playing around|No reason|No particular reason|"
            "Just because][.|!||]",
        "[yup yup|yep yep|yeah ok|yeah okay|yeah sure|yeah right|ya ok|okie dokie|okk cool|okayyy|okii|oki doki|k cool|k fine|kk thx no more|aight cool|ight bet|"
            "say less|no cap|facts|tru|tru dat|ikr|i know right|i see i see|gotcha bro|got u|roger roger|ten four|10-4|aye aye|aye aye captain|yessir|yes sir|"
            "yes ma'am|affirmative][.|!||]",
        "[That will be fine|That is quite all right|Quite right|Quite so|I dare say|I suppose so|I suppose you are right|I shall remember that|I'll bear it in mind|"
            "I'll make a note of it|I made a note|I wrote it down|I've written it down|I will tell my wife|I'll tell him|I will pass it on|I'll look into it|"
            "I'll have a look|Let us leave it at that|Leave it|Leave that|Skip it|Skip that|Let's skip this][.|!||]"],
}
