/** Where the server's own errors go when the operator has named a receiver. */
export interface ServerReporter {
  /** Sends what a route or a page threw, with the pattern of its address, under an id. Never throws. */
  send(error: unknown, route: string, id: string): void;
  /** Waits a moment for what is on its way. */
  close(): Promise<void>;
}
