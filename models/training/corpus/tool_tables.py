"""The known tools, and the words of which invented ones are made."""
# name | description | heads | parameters as name:kind; those after a slash are optional.
KNOWN = """book_table|Book a table in a restaurant.|book a table;reserve a table;get us a table;make a reservation|restaurant:venue people:people date:date time:time
reserve_table|Reserve a table.|reserve a table;book a table;we need a table|restaurant:venue guests:people / time:time
book_flight|Book a flight.|book a flight;find a flight;get me a flight;reserve a flight;I need to fly|from:origin to:destination date:date / class:class passengers:people
search_flights|Search flights between two cities.|search flights;find flights;look for flights;show me flights|origin:origin destination:destination date:date
book_hotel|Book a hotel room.|book a hotel;reserve a room;find me a hotel;get a hotel room|city:city nights:nights / guests:people date:date
book_train|Book a train ticket.|book a train;buy a train ticket;get me a train ticket|from:origin to:destination / date:date time:time
get_directions|Get directions between two places.|get directions;how do I get;show me the way;navigate|from:origin to:destination / mode:mode
get_distance|Get the distance between two cities.|what is the distance;how far is it;get the distance|from:origin to:destination
send_email|Send an email.|send an email;send a mail;write an email;email|to:email subject:topic / body:text
send_message|Send a text message.|send a message;send a text;write a message;text|recipient:recipient text:text
post_message|Post a message to a channel.|post a message;post;publish a message|channel:room text:text
create_event|Create a calendar event.|create an event;add an event;schedule an event;put an event in my calendar;set up an event|title:title date:date time:time / attendees:attendees
schedule_meeting|Schedule a meeting.|schedule a meeting;arrange a meeting;set up a meeting;plan a meeting|with:with date:date time:time / topic:topic duration:minutes
create_reminder|Create a reminder.|create a reminder;set a reminder;add a reminder|text:title time:time / date:date
set_reminder|Set a reminder.|set a reminder;remind me;make a reminder|message:title date:date
set_alarm|Set an alarm.|set an alarm;wake me up;alarm|time:time / day:day label:title
start_timer|Start a timer.|start a timer;set a timer;timer|minutes:minutes / name:title
create_task|Create a task.|create a task;add a task;make a task;new task|title:title priority:priority / due_date:date
create_ticket|Open a support ticket.|open a ticket;create a ticket;file a ticket|title:title priority:priority / assignee:owner
translate_text|Translate a text.|translate;how do you say;translate the text|text:text target_language:language
get_weather|Get the weather.|what is the weather;get the weather;how is the weather;weather|city:city unit:unit
get_forecast|Get the weather forecast.|what is the forecast;get the forecast;show me the forecast;what will the weather be|city:city date:date / unit:unit
convert_currency|Convert money.|convert;exchange;change|amount:sum from:from_currency to:to_currency
transfer_money|Transfer money to a person.|transfer money;send money;pay;make a transfer|recipient:recipient amount:sum / currency:currency
order_food|Order food.|order food;order;get me|item:model quantity:quantity / restaurant:venue
add_to_cart|Add a product to the cart.|add to my cart;put in the cart;buy|product:model quantity:quantity / color:color
search_products|Search products in the shop.|search products;find products;look for things;show me products|query:topic max_price:price / limit:count color:color
search_web|Search the web.|search the web;look up;search;google|query:topic / limit:count language:language
find_recipe|Find a recipe.|find a recipe;give me a recipe;search a recipe|ingredients:items / meal:meal minutes:minutes
set_light|Set the light of a room.|set the light;dim the light;put the lights;turn the lamp|room:room brightness:level / color:color
set_temperature|Set the temperature of a room.|set the temperature;set the heating;turn the heating;heat|room:room degrees:degrees
set_volume|Set the volume.|set the volume;turn the volume;put the volume|room:room level:level
set_mode|Set the mode of a device.|set the mode;switch the mode;put the heater|room:room mode:speed
play_music|Play music.|play music;play a song;put on some music|song:title / artist:person volume:level
play_video|Play a video.|play the video;show the video;start the video|title:title / room:room
create_note|Save a note.|create a note;save a note;write a note;note down|title:title / text:text tags:tags
update_status|Change the status of an order.|update the status;change the status;set the status of order|id:id status:status
track_package|Track a package.|track the package;where is the package;follow my package|code:id / email:email
export_report|Export a report.|export the report;download the report;save the report|title:title format:format
create_user|Create a user.|create a user;add a user;register a user|name:person email:email / active:switch
rent_car|Rent a car.|rent a car;book a car;I need a car;hire a car|city:city days:nights / date:date
buy_tickets|Buy tickets for an event.|buy tickets;get tickets;order tickets|event:title quantity:quantity date:date
log_meal|Log a meal.|log a meal;record a meal;note my meal|food:model meal:meal / time:time
copy_file|Copy a file.|copy the file;duplicate the file|source:path destination:path
find_restaurant|Find restaurants.|find a restaurant;search for restaurants;where can I eat|city:city / cuisine:genre people:people""".split("\n")
VERBS = {"create": "create add make register", "delete": "delete remove erase", "update": "update change edit modify", "find": "find search locate",
    "send": "send deliver forward",
    "book": "book reserve", "cancel": "cancel stop drop", "list": "list show display", "open": "open start launch", "close": "close shut end",
    "move": "move shift transfer",
    "check": "check inspect verify", "rent": "rent hire", "buy": "buy order purchase", "archive": "archive store", "assign": "assign give",
    "set": "set put adjust", "print": "print output",
    "plan": "plan schedule arrange", "log": "log record note", "share": "share publish post"}
OBJECTS = ("order ticket user account room device sensor report invoice product package flight hotel recipe playlist contact document task message image camera door alarm "
    "project branch server job lamp robot ship train course lesson class visit tour parcel bike boat table survey poll job game match payment refund coupon album event").split()
SETS = ["city date", "origin destination date", "person date time", "title priority", "recipient text", "id status", "title date time", "people date",
    "level room", "topic count",
    "email topic", "topic price count", "person people time", "title tags", "id owner", "venue people time", "sum recipient", "model quantity color",
    "path format", "key status",
    "topic language", "city nights people", "person email", "title owner date", "size color quantity", "items people", "attendees date time", "city unit",
    "id date", "room speed", "title minutes", "person title", "city price", "email text", "room time", "id priority", "date time people", "topic format",
    "recipient topic date", "owner priority title", "city venue", "path path", "model price", "quantity model city", "day time title", "id text", "email format id",
    "person city", "date count", "text language", "recipient quantity model", "color size", "venue time", "key owner", "title color", "minutes room", "degrees time room"]
CONTEXTS = ["[I am in a hurry.|My friends are coming.|We are planning a trip.|It is my birthday soon.|I am very busy today.|Good morning.|My boss asked for it.|I almost forgot.|Thanks for your help so far.|I have no time.] ",
    "[I have|There is|We have] [a lot to do|another job for you|one more thing|a small request|something to arrange|a visitor coming|news].[ Here it is:| Please help.|]* ",
    "[My|Our|The] [wife|husband|team|client|sister|boss|neighbor|customer|doctor] [asked me|is waiting|called|wrote to me|wants this today|told me to]. ",
    "[OK|Right|Fine|Hello|Hi there|Listen|Quick one|Next one|Now this], ", "[I just|We just] [came home|woke up|arrived|had lunch|got the mail|finished work]. ",
    "~Sorry, one last thing. "]
