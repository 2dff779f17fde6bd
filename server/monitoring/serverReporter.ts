/** Sends the server's own errors to the operator's receiver. */
export interface ServerReporter {
  /** Sends an error that a route or a page threw, with the pattern of its address and an id. Never throws. */
  send(error: unknown, route: string, id: string): void;
  /** Waits briefly for reports that are being sent. */
  close(): Promise<void>;
}
