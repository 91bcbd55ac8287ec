// The functions of the addon for the adapters of model providers.

/** The stream of one reply of a model. */
export interface ModelStream {
  /** Returns the events of a chunk, JSON text, one a line; or `{"error": …}`. */
  push(chunk: string): string;
  /** Returns the events that end what is open, one a line; or `{"error": …}`. */
  close(): string;
  /** The tokens that the provider has counted so far, as JSON text. */
  readonly usage?: string | null | undefined;
  /** Returns the whole reply as JSON text; or `{"error": …}`. */
  reply(): string;
}

/** The class, and the functions for requests. */
export interface AdapterNative {
  ModelStream: {
    /** Makes the stream of a reply whose first message has this id. Returns nothing for an unknown API. */
    open(api: string, messageId: string, provider?: string): ModelStream | null | undefined;
  };
  /** Returns the conversation as the API's request has it; all are JSON texts. Or `{"error": …}`. */
  modelMessages(api: string, messages: string): string;
  /** Returns the tools as the API's request has them; all are JSON texts. Or `{"error": …}`. */
  modelTools(api: string, tools: string): string;
}
