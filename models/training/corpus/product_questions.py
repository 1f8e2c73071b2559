"""More ways to ask about infetch and its technology, by the beginning of the answer of `product.py`."""
MORE = {
    "infetch runs open models": [
        "[What|What exactly|So what|And what] is [infetch|this infetch|infetch about|infetch good for|the infetch project|the idea of infetch|"
        "the purpose of infetch]?",
        "[Tell me|Explain|Describe|Summarize] [what infetch is|what infetch does|infetch|infetch in short|infetch in one sentence|"
        "the infetch project][.|, please.|]",
        "What does infetch [do|do for me|offer|do exactly]?", "[I never heard of|I am new to|I don't know] infetch. What is it?",
        "[What|What kind of] [product|software|library|project|tool] is [infetch|this]?",
        "[definition of infetch|infetch, what is it|about infetch|infetch meaning][?|]"],
    "The page sends each": [
        "How [does infetch|does it all] [work|function|work inside|work under the hood]?",
        "[What happens|What goes on] inside infetch when I [send a request|ask something|send a message]?",
        "[Explain|Describe|Tell me] [how infetch works|the architecture of infetch|how infetch is built|how infetch answers a request][.|]",
        "How [is infetch structured|is infetch built|does infetch answer a request|does infetch handle a request]?"],
    "Call `const runtime": [
        "How [do I|can I|to|should I|would I] [start|use|launch|set up|install|run|begin with|try|initialize|add|integrate] infetch[ in my app|"
        " in my page| in my project]*?",
        "[Show me|Tell me|Explain|I need to know|I want to know] how to [start|use|set up|launch|run|install] infetch[.|]",
        "[Which|What] [function|code|line|call] starts [infetch|the runtime]?",
        "How [do I|can I] [create|make|start|get|obtain] [a runtime|the runtime|an infetch runtime]?",
        "[start infetch|infetch setup|infetch quick start|install infetch|create runtime|infetch getting started][?|]",
        "[What do I need|What must I do|What should I do] to [start|use|run|set up] infetch?"],
    "Create the OpenAI client": [
        "How [do I|can I|to] [use|connect|combine|configure|set up] [the OpenAI SDK|the OpenAI client|the openai package|my OpenAI client|"
        "the OpenAI library] [with|for] infetch?",
        "Does infetch work with [my OpenAI code|OpenAI code|the openai library|the OpenAI client]?",
        "[Which|What] [options|parameters|settings] does the OpenAI client need?"],
    "Yes, it is private": [
        "Is [my data|my chat|this chat|my text|this conversation|our conversation|what I write|everything here] [private|safe|secure|"
        "confidential|kept secret|safe here]?",
        "[Do you|Does infetch|Does this page|Will you|Does the app] [send|upload|share|sell|leak|transmit] my [data|messages|chats|text|"
        "prompts|questions|secrets][ to anyone| to a server| anywhere]*?",
        "[Who can see|Can anyone read|Can somebody see|Does somebody read|Who reads|Who sees] [this|my messages|my data|what I write]?",
        "[Where do|To whom do] my [messages|prompts|words|data] go?",
        "[Is it safe|Is it OK] to [share|type|write|tell you] [my password|private things|secrets|personal data][ here]*?",
        "[privacy|data protection|is it private|private][?|]",
        "Do my [messages|data|prompts|words|chats] [leave my computer|leave this device|stay here|stay private|stay on my device]?",
        "[What about|Tell me about|How about] [privacy|my privacy|data protection|data privacy]?"],
    "Yes. Once the model": [
        "[Do you|Does infetch|Does this|Can you|Can infetch|Will this|Does the model] [work|run|function] [offline|without internet|"
        "without a network|without wifi|with no connection|in airplane mode|on a plane|without a connection]?",
        "Do I need [internet|wifi|a network|a connection|to be online][ for this| for infetch]*?", "[offline|offline mode|works offline|offline use][?|]",
        "[What if|What happens if|What happens when] [I am offline|the network is down|I have no internet|the internet is down|the wifi is off|"
        "I lose my connection]?",
        "Can I use [you|infetch|this] [offline|without internet|without wifi|on a plane|in airplane mode]?"],
    "WebGPU is a browser": [
        "[What is|What's|Define|Explain|Describe] WebGPU[?|]", "[What does WebGPU do|How does WebGPU work|How does WebGPU help|What is WebGPU good for]?"],
    "Without WebGPU": [
        "[What if|What happens if|What happens when] [I have no WebGPU|I have no GPU|my browser lacks WebGPU|there is no WebGPU|"
        "WebGPU is not available|I have no graphics card|the GPU is missing]?",
        "[Does infetch|Do you|Does this|Can infetch|Can you] [run|work] without [WebGPU|a GPU|a graphics card]?",
        "[Do I need|Does it need|Is it necessary to have] [a GPU|WebGPU|a graphics card|a strong graphics card]?"],
    "infetch uses web-llm": [
        "[Which|What] [engine|engines|libraries] [does infetch use|are used|run the models|does it use]?",
        "[What|Which] [runs|powers] the [models|chat] in infetch?", "[Name|List|Tell me] the engines of infetch[.|]"],
    "An embedding is": [
        "[Can I|How can I|Where do I|How do I] [get|make|compute|create] [embeddings|an embedding|vectors]?",
        "[Explain|Define|Describe] [embeddings|an embedding][.|]", "[Does infetch|Do you] [have|support|offer|make|compute] [embeddings|vectors]?"],
    "infetch answers the OpenAI": [
        "[Which|What] [endpoints|paths|routes|URLs] [does infetch have|does infetch support|are there|does it answer|can I call|can I use|"
        "are available]?",
        "[List|Name|Tell me|Show me] the [endpoints|paths|routes|API paths][ of infetch]*[.|]",
        "[Which|What] [requests|API calls] does infetch [answer|support|understand]?"],
    "Every token is metered": [
        "[Does infetch|Do you|Does it] [count|meter|measure|track|record] [tokens|usage|my usage|my tokens]?",
        "[Where|How] [can I see my usage|is my usage stored|do I find my usage|does infetch store usage]?",
        "[Tell me|Explain] how [usage is metered|tokens are counted|usage is stored][.|]", "[usage|metering|token usage][?|]"],
    "infetch can show a draft": [
        "[Can I|How do I|Where do I|How can I] [get|see|make|create|print] [an invoice|a bill|a draft invoice]?",
        "[Does infetch|Can infetch|Do you] [make|create|show|have|write] [invoices|bills|draft invoices]?", "[invoice|invoices|billing|bill][?|]"],
    "The runtime makes its own": [
        "Do I need [a key|an API key|to sign up for a key|a token from OpenAI]?",
        "[Which|What] [API key|key] [do I need|should I use|must I use|do I pass|do I enter]?",
        "[Where|How] [do I get|can I get|do I find|can I find] [the API key|an API key|my key|my API key]?", "[api key|API key][?|]"],
    "Yes. Set `stream": [
        "[Can I|How do I|How can I] [stream|stream answers|stream tokens|stream replies|get a stream|turn on streaming|enable streaming|"
        "get tokens one by one]?",
        "[Does infetch|Do you|Does it] [support|have|do|offer] [streaming|streams|token streaming]?", "[streaming|stream][?|]",
        "[Is streaming possible|Are streams supported|Is streaming available]?"],
    "Yes. Give me tools": [
        "[Can you|Do you|Does infetch|Can infetch] [support|use|call|handle] [tools|functions|tool calls|function calls]?",
        "[Do you have|Is there|Have you got] [tool support|function calling|tool calling]?", "[tools|function calling|tool calls][?|]"],
    "Yes. Ask for JSON": [
        "[Can you|Do you|Does infetch] [write|support|return|output|speak|produce|do|answer in] JSON?",
        "[Is there|Do you have] [a JSON mode|JSON mode|structured output|support for JSON]?", "[JSON mode|structured output][?|]"],
    "infetch-tiny is built in": [
        "[Which|What] [models|other models|bigger models] [can I use|can I load|are supported|can infetch run|does infetch support|"
        "are available|can infetch load|work with infetch]?",
        "[Can I|May I|How can I] [use|load|run] [another model|a bigger model|my own model|other models|larger models|Llama|Qwen]?",
        "Are [other|bigger|larger|more] models [available|possible|supported]?"],
    "infetch is open source": [
        "[Is infetch|Is it|Is this] [free|open source|free of charge|free to use|free software|paid|commercial]?",
        "[What does infetch cost|How much does infetch cost|What do I pay for infetch|How much is infetch]?",
        "[Which|What] [license|licence] [does it have|does it use|does infetch use|covers infetch|applies|is infetch under]?",
        "[license|licence|price of infetch|cost of infetch][?|]", "Do I have to pay for [infetch|this]?"],
    "infetch runs in modern": [
        "[Which|What] [browsers can I use|browsers are supported|browsers does infetch support|browser works best|browser is best|"
        "browsers work with infetch]?",
        "Does [it|infetch|this] [work|run] in [Chrome|Firefox|Safari|Edge|Opera|Brave|my browser|every browser|mobile browsers]?",
        "[supported browsers|browser support|browsers][?|]", "Can I use [infetch|this] in [Chrome|Firefox|Safari|Edge]?"],
    "No. infetch needs no backend": [
        "[Do I need|Must I run|Do we need|Do I have to rent|Must I host|Do I have to set up] [a server|a backend|my own server]?",
        "Does [infetch|it|this] [need|require|use|have] [a server|a backend]?", "Is a [server|backend] [needed|required|necessary]?"],
    "Apps stay private": [
        "Why [should I|should we|would I|would anyone|do people] use [infetch|a model in the browser|local models|models in the browser]?",
        "[What are|Tell me|Name|List] the [benefits|advantages|strengths|pros] of infetch",
        "What [is so good about infetch|makes infetch special|makes infetch useful|makes infetch different]?"],
    "A token is": [
        "[Define|Describe|Explain] [a token|tokens|the word token][.|]",
        "What [is a token|are tokens|do you mean by token|does the word token mean][ in a language model]*?"],
    "A language model is": [
        "[Define|Describe|Explain] [a language model|language models|LLMs|what an LLM is][.|]",
        "What [is a large language model|are language models|are LLMs|does a language model do|does LLM mean]?"],
    "Abort the request": [
        "[How do I|How can I|Can I] [stop|cancel|abort|interrupt|end] [a reply|an answer|the answer|a request|the stream|the generation|"
        "a running request]?"],
    "Several tabs share": [
        "[What if|What happens if|What happens when] I [open several tabs|open two tabs|use many tabs|open it in more tabs]?",
        "[Can|Do] [two|several|many|all] tabs [share the engine|share one model|use the same model|load the model once]?"],
}
