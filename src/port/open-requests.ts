import type { Lifetime } from "../protocol/liveness/lifetime.ts";
import type { ReceivedBody } from "../protocol/transfer/received-body.ts";
import { receivedBodyOf, sentRequestOf } from "../protocol/transfer/transfer-client.ts";

/** The requests to one server that wait for a response, or for the rest of its body. */
export class OpenRequests {
  readonly #lifetime: Lifetime;
  readonly #bodies = new Set<ReceivedBody>();

  /** @param lifetime ends with the server, or with the connection to it */
  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  /**
   * Waits for the response to a request that was sent. Its body is open until the server has sent all of it.
   *
   * @throws the error with which `responding` rejects or the lifetime ends; either stops the upload
   */
  async responseTo(request: Request, responding: Promise<Response>): Promise<Response> {
    const sent = sentRequestOf(request);
    try {
      const response = await this.#lifetime.within(responding);
      const body = receivedBodyOf(response);
      if (body) {
        this.#bodies.add(body);
        void body.received.then(() => this.#bodies.delete(body));
        // An upload may go on after the response has begun; a server that has ended does not stop it.
        void body.ended.then(sent?.release);
      } else sent?.release();
      return response;
    } catch (error) {
      sent?.release(error);
      throw error;
    }
  }

  /** Whether the rest of a body is awaited. */
  get isOpen(): boolean {
    return this.#bodies.size > 0;
  }

  /** Errors all open bodies at once. */
  fail(error: Error): void {
    for (const body of this.#bodies) body.fail(error);
  }

  /** Errors all open bodies after the chunks that have arrived. */
  cutOff(error: Error): void {
    for (const body of this.#bodies) body.cutOff(error);
    this.#bodies.clear();
  }
}
