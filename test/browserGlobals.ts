import { configure } from '@testing-library/dom';
// oxlint-disable-next-line no-restricted-imports -- all of antd would be loaded for every test file
import { defaultConfig } from 'antd/lib/theme/context';
import * as react from 'react';

// The library's own limit of a second is too short on a busy computer. A wait ends as soon as its condition holds.
configure({ asyncUtilTimeout: 20_000 });

// As on our pages (styles/theme.ts), antd writes no rules and moves nothing. jsdom compares every rule of the document
// with every element whose style is read, and a query by role reads the style of all elements: 46 s of UsersScreen's
// tests, which take 8 s without antd's rules. Nor does it write its variables and the looks of its icons: jsdom copies
// 600 variables for each element that it reads, and no test reads one.
jest.mock('@rc-component/util/lib/Dom/dynamicCSS', () => ({
  updateCSS: () => document.createElement('style'),
  removeCSS: () => {},
}));
jest.mock('@ant-design/icons/lib/cssUtils', () => ({
  ...jest.requireActual<object>('@ant-design/icons/lib/cssUtils'),
  updateCSS: () => {},
}));
Object.assign(defaultConfig, { zeroRuntime: true });
defaultConfig.token.motion = false;
// The rules that hide what is closed.
const hidden = ['dropdown', 'picker-dropdown', 'popover', 'select-dropdown', 'tooltip'];
const style = document.createElement('style');
style.textContent = `${hidden.map((name) => `.ant-${name}-hidden`).join()} { display: none }`;
document.head.append(style);

// React notes for each element where it was made, which no warning here prints: a tenth of a screen's test. It stops
// at 10,000 of them within a second.
const inside: unknown = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (typeof inside !== 'object' || inside === null) {
  throw new Error('React keeps its own state elsewhere');
}
Object.defineProperty(inside, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} });

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

// jsdom compares each of its own 120 rules with every element whose style is asked for, and a query by role asks for
// the styles of all elements of a page, a click for those of all that its target is in: a fifth of a screen's test.
// What they ask for hangs on little: what an element itself says of being shown, which is computed once for all that
// say the same, and its inline styles and those around it. Whatever else is read, and beside rules of a test, jsdom
// computes. It prints "not implemented" for the second argument (pseudo-elements), which antd's measuring passes.
const computedStyle = window.getComputedStyle.bind(window);
const displays = new Map<string, string>();
const hiddenClass = new RegExp(`ant-(${hidden.join('|')})-hidden(?![-\\w])`);

function inlineStyle(element: Element, name: string): string {
  const isStyled = element.hasAttribute('style') && (element instanceof HTMLElement || element instanceof SVGElement);
  return isStyled ? element.style.getPropertyValue(name) : '';
}

function displayOf(element: Element): string {
  const { localName, className } = element;
  const says = ['hidden', 'open'].map((name) => element.hasAttribute(name));
  const isClosed = typeof className === 'string' && hiddenClass.test(className);
  const key = [localName, element.getAttribute('type'), isClosed, ...says, inlineStyle(element, 'display')].join();
  const known = displays.get(key) ?? computedStyle(element).display;
  displays.set(key, known);
  return known;
}

function inherited(element: Element, name: string, initial: string): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    const value = inlineStyle(each, name);
    if (value !== '') {
      return value;
    }
  }
  return initial;
}

/** What axe and user-event ask of each element, and jsdom's rules say of few: of those below, and of a colour field. */
const inlineOnly = /^(clip|clip-path|content-visibility|direction|height|opacity|overflow(-[xy])?|position|width)$/;
const ruled = /^(dialog|meter|progress)$/;

function quickly(element: Element, property: string): string | null {
  const name = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  switch (name) {
    case 'display':
      return displayOf(element);
    case 'visibility':
      return inherited(element, name, 'visible');
    case 'pointer-events':
      return inherited(element, name, 'auto');
    default:
      return inlineOnly.test(name) && !ruled.test(element.localName) && element.getAttribute('type') !== 'color'
        ? inlineStyle(element, name)
        : null;
  }
}

window.getComputedStyle = (element) => {
  if (document.styleSheets.length > 1) {
    return computedStyle(element);
  }
  let whole: CSSStyleDeclaration | null = null;
  const read = (name: string): string =>
    quickly(element, name) ?? (whole ??= computedStyle(element)).getPropertyValue(name);
  return new Proxy(style.style, {
    get(_, name): unknown {
      if (name === 'getPropertyValue') {
        return read;
      }
      return quickly(element, String(name)) ?? Reflect.get((whole ??= computedStyle(element)), name);
    },
  });
};

export {};
