import { configure } from '@testing-library/dom';
// oxlint-disable-next-line no-restricted-imports -- all of antd would be loaded for every test file
import { defaultConfig } from 'antd/lib/theme/context';

// The library's own limit of a second is too short on a busy computer. A wait ends as soon as its condition holds.
configure({ asyncUtilTimeout: 20_000 });

// As on our pages (styles/theme.ts), antd writes no rules and moves nothing. jsdom compares every rule of the document
// with every element whose style is read, and a query by role reads the style of all elements: 46 s of UsersScreen's
// tests, which take 8 s without antd's rules.
Object.assign(defaultConfig, { zeroRuntime: true });
defaultConfig.token.motion = false;
// The rules that hide what is closed.
const hidden = ['dropdown', 'picker-dropdown', 'popover', 'select-dropdown', 'tooltip'];
const style = document.createElement('style');
style.textContent = `${hidden.map((name) => `.ant-${name}-hidden`).join()} { display: none }`;
document.head.append(style);

/** The parts of a browser's layout that antd needs and jsdom lacks: nothing matches, nothing changes its size. */

class NeverResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

class NeverIntersects implements IntersectionObserver {
  readonly root = null;
  readonly rootMargin = '0px';
  readonly scrollMargin = '0px';
  readonly thresholds = [0];
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): IntersectionObserverEntry[] {
    return [];
  }
}

// jsdom fetches no style sheet: one has loaded as soon as it is in the document.
new MutationObserver((records) => {
  for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
    if (node instanceof HTMLLinkElement && node.rel === 'stylesheet') {
      node.dispatchEvent(new Event('load'));
    }
  }
}).observe(document.head, { childList: true });

window.ResizeObserver = NeverResizes;
window.IntersectionObserver = NeverIntersects;
window.matchMedia = (media: string): MediaQueryList =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  });
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement): void {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement): void {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
window.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
Element.prototype.setPointerCapture = () => {};

/** antd's forms send themselves a message. Node's own channel would keep the test process alive. */
class OneWayChannel {
  readonly port1: { onmessage: (() => void) | null; close: () => void } = { onmessage: null, close: () => {} };
  readonly port2 = {
    postMessage: (): void => {
      setTimeout(() => this.port1.onmessage?.());
    },
  };
}
Object.assign(window, { MessageChannel: OneWayChannel });

// jsdom prints "not implemented" for the second argument (pseudo-elements), which antd's measuring passes.
const computedStyle = window.getComputedStyle.bind(window);
window.getComputedStyle = (element) => computedStyle(element);

export {};
