/**
 * No test of a screen or hook uses a network: a request without a response from the test itself (by replacing the
 * client's function or `fetch`) ends as a network error and fails the test.
 */
const sent: string[] = [];

const addresses = new WeakMap<XMLHttpRequest, string>();
const openRequest = XMLHttpRequest.prototype.open;

XMLHttpRequest.prototype.open = function remember(this: XMLHttpRequest, method: string, url: string | URL): void {
  addresses.set(this, `${method} ${url.toString()}`);
  openRequest.call(this, method, url.toString(), true);
};

XMLHttpRequest.prototype.send = function refuse(this: XMLHttpRequest): void {
  sent.push(addresses.get(this) ?? 'XMLHttpRequest');
  queueMicrotask(() => this.dispatchEvent(new ProgressEvent('error')));
};

window.fetch = (input) => {
  sent.push(`fetch ${input instanceof Request ? input.url : input.toString()}`);
  return Promise.reject(new TypeError('Failed to fetch'));
};

navigator.sendBeacon = (url) => {
  sent.push(`sendBeacon ${url.toString()}`);
  return false;
};

function complain(): void {
  const requests = sent.splice(0);
  if (requests.length > 0) {
    throw new Error(`This test replaces no network:\n${requests.join('\n')}`);
  }
}

afterEach(complain);
afterAll(complain);

export {};
