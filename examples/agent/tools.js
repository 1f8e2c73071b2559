/** Functions that the model may call: a schema for its grammar, and the code that runs in the page. */

/** In an app, a request to a service. */
const WEATHER = {
  Paris: { sky: "sunny", temperature: 20 },
  Rome: { sky: "cloudy", temperature: 24 },
};

const tool = (name, description, properties, run) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: {
      type: "object",
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    parse: JSON.parse,
    // An error is a result too: the model can try something else.
    function: async (input) => {
      try {
        return JSON.stringify(await run(input));
      } catch (error) {
        return JSON.stringify({ error: error.message });
      }
    },
  },
});

export const tools = [
  tool(
    "get_weather",
    "Get the current weather for a city.",
    { city: { type: "string", enum: Object.keys(WEATHER) } },
    ({ city }) => ({ city, ...WEATHER[city] }),
  ),
  tool("get_time", "Get the current date and time.", {}, () => ({ time: new Date().toString() })),
];
