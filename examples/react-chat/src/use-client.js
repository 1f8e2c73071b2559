import { createRuntime } from "infetch";
import OpenAI from "openai";
import { useEffect, useState } from "react";

/** A client of this page's runtime, once it has started; closed with the component. */
export function useClient() {
  const [{ client, error }, setState] = useState({});
  useEffect(() => {
    let isMounted = true;
    const starting = createRuntime();
    starting.then(
      ({ apiKey, baseURL, fetch }) => {
        if (isMounted)
          setState({ client: new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true }) });
      },
      (error) => isMounted && setState({ error }),
    );
    return () => {
      isMounted = false;
      starting.then(
        (runtime) => runtime.close(),
        () => {},
      );
    };
  }, []);
  return { client, error };
}
