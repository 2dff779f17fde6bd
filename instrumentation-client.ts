// Runs before hydration.
import { config } from 'zod/v4/core';

// zod would try whether it may compile schemas with `new Function`; the Content-Security-Policy forbids it and reports the try.
config({ jitless: true });

// antd's variables and icons, and the scroll lock of drawers, arrive as style elements that the page makes itself; the
// policy lets only elements with this page's nonce in. A script element gets none: whoever could make one could
// otherwise run anything.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const createElement = Document.prototype.createElement;

Document.prototype.createElement = function createWithNonce(this: Document, name: string, options?: ElementCreationOptions): HTMLElement {
  const element = createElement.call(this, name, options);
  if (nonce !== undefined && element instanceof HTMLStyleElement) {
    element.nonce = nonce;
  }
  return element;
};
