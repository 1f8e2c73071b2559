"""What people really write into titles, topics and messages: short texts to be copied."""
TITLES = [line.strip() for line in """
dentist appointment;team lunch;quarterly report;renew the passport;pick up the dry cleaning;call the bank;project kickoff;weekly review;pay the rent;water the plants
budget meeting;job interview;parents evening;piano lesson;school trip;oil change;vet appointment;yoga class;movie night;book club;board meeting;design review;sales pitch
performance review;sprint planning;code freeze;release notes;travel expenses;annual leave;birthday cake;wedding anniversary;summer party;holiday plans;grocery run;gym session
doctor's visit;haircut;flu shot;car inspection;tax return;insurance claim;electricity bill;phone contract;moving boxes;spare keys;lost luggage;train tickets;hotel booking
login page does not load;printer out of paper;broken projector;slow internet;password reset;missing invoice;wrong address;late delivery;damaged parcel;payment failed
app crashes on start;screen stays black;email bounce;server down;disk full;update the homepage;fix the typo;write the tests;clean up the data;back up the photos
prepare the slides;order new chairs;book the venue;send the contract;check the numbers;review the draft;update the budget;call the supplier;meet the new colleague
healthy breakfast;Italian cooking;world history;solar energy;electric cars;remote work;machine learning;climate change;stock market;space travel;ancient Rome;jazz music
gardening tips;home repair;interior design;digital marketing;mental health;public speaking;time management;data privacy;renewable energy;job market;travel insurance
running shoes;wireless headphones;coffee machine;office chair;winter jacket;phone case;desk lamp;garden hose;water bottle;board games;kitchen knife;rain coat;hiking boots
chicken soup;veggie burger;pepperoni pizza;tuna salad;fried rice;apple pie;green tea;orange juice;chocolate ice cream;mushroom risotto;cheese sandwich;fish and chips
The Old Man and the Sea;Moonlight;Yesterday;Blue River;Summer Rain;Morning Light;The Last Train;City of Glass;Golden Hour;Night Shift;Deep Water;Silent Snow;The Long Road
Sales figures 2024;Meeting notes;Travel plan;House rules;To do this week;Lessons learned;New ideas;Guest list;Packing list;Reading list;Road map;Price list;Floor plan
""".replace("\n", ";").split(";") if line.strip()]
MESSAGES = [line.strip() for line in """
I'll be ten minutes late;running late, start without me;see you at the station;can we move it to Friday?;the meeting is cancelled;please call me back;thanks for the flowers
I arrived safely;the package is here;don't forget the milk;dinner is ready;where are you?;happy birthday;good luck with the exam;get well soon;the train is late again
I left the keys under the mat;could you feed the cat?;let's meet at noon;the report is attached;I can't make it tonight;we won the game;what time works for you?
your order has shipped;the server is back up;please review my changes;the build is broken;we ran out of coffee;can you cover my shift?;great job on the presentation
I have a question about the invoice;the doctor can see you tomorrow;my flight was cancelled;the kids are asleep;the heating is off;bring your laptop;lunch is on me
I agree with the plan;sorry for the delay;the deadline is next week;no rush, take your time;we need two more chairs;the door code has changed;see you on Sunday
the contract is signed;it was nice to meet you;please send me the photos;how was your trip?;the dog needs a walk;I forgot my password;the numbers look good;welcome to the team
""".replace("\n", ";").split(";") if line.strip()]
