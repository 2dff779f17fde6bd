/** Replaces the browser's EventSource, which jsdom does not have: a test sends the server's events. */
export class InventedStream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  /** All that were opened since `install`, the newest last. */
  static opened: InventedStream[] = [];

  readyState: number = InventedStream.CONNECTING;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    InventedStream.opened.push(this);
  }

  /** Replaces the page's EventSource until `remove`. */
  static install(): void {
    InventedStream.opened = [];
    Object.assign(window, { EventSource: InventedStream });
  }

  static remove(): void {
    Reflect.deleteProperty(window, 'EventSource');
  }

  close(): void {
    this.readyState = InventedStream.CLOSED;
  }

  /** The server accepts. */
  open(): void {
    this.readyState = InventedStream.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  /** The server sends an event. */
  tell(topic: string): void {
    this.dispatchEvent(new MessageEvent(topic, { data: JSON.stringify({ topic }) }));
  }

  /** The connection is lost, and the browser reconnects by itself; or the server refuses, and the browser does not. */
  fail(how: 'lost' | 'refused'): void {
    this.readyState = how === 'lost' ? InventedStream.CONNECTING : InventedStream.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

/** Hides or shows the page, as a browser does with a tab. */
export function setPageVisibility(state: DocumentVisibilityState): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}
