import { expect, type Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { settled } from './settled';

/**
 * Fails if what the page shows breaks a rule of WCAG, or is cut off or printed over something else, with the usual
 * size of text and with twice that.
 */
export async function expectReadableOnPhone(page: Page): Promise<void> {
  for (const size of ['', '200%']) {
    await page.locator('html').evaluate((html, value) => {
      html.style.fontSize = value;
    }, size);
    await settled(page);
    expect(await page.evaluate(misplacedTexts), `text size ${size === '' ? '100%' : size}`).toEqual([]);
  }
  await page.locator('html').evaluate((html) => {
    html.style.fontSize = '';
  });
  // A larger text needs less contrast and has larger controls.
  await expectNoAxeViolationsDayAndNight(page);
}

/** Returns the texts that reach beyond the window or their own box, or cover each other. It runs in the page. */
function misplacedTexts(): string[] {
  const root = document.querySelector('dialog[open]') ?? document.body;
  const width = document.documentElement.clientWidth;
  const wrong: string[] = [];
  // Words that only a screen reader says.
  const unseen = '.visually-hidden, next-route-announcer';
  if (document.documentElement.scrollWidth > width) {
    wrong.push(`The page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);
  }
  const lines: { text: string; element: Element; box: DOMRect }[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    const text = (node.textContent ?? '').trim();
    const isShown = element?.checkVisibility() === true && element.closest(unseen) === null;
    if (element === null || text === '' || !isShown) {
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.left < 0 || box.right > width) {
        wrong.push(`Beyond the window: ${text}`);
      }
      lines.push({ text, element, box });
    }
  }
  for (const element of root.querySelectorAll('*')) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const isCut =
      (overflowX !== 'visible' && element.scrollWidth > element.clientWidth) ||
      (['hidden', 'clip'].includes(overflowY) && element.scrollHeight > element.clientHeight);
    if (isCut && element.checkVisibility() && element.closest(unseen) === null) {
      wrong.push(`Cut off: ${element.tagName} ${element.textContent.trim() || element.getAttribute('name')}`);
    }
  }
  // What stays in sight while the rest scrolls is over that on purpose.
  const flows = lines.filter(({ element }) => {
    for (let up: Element | null = element; up !== null && up !== root; up = up.parentElement) {
      if (['sticky', 'fixed'].includes(getComputedStyle(up).position)) {
        return false;
      }
    }
    return true;
  });
  for (const [index, { text, box }] of flows.entries()) {
    for (const other of flows.slice(index + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      // Lines of one paragraph are set closer than the height of a letter with both its strokes.
      if (across > 1 && down > 0.35 * Math.min(box.height, other.box.height)) {
        wrong.push(`On each other: ${text} | ${other.text}`);
      }
    }
  }
  return wrong;
}
