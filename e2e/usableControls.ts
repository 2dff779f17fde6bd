import type { Page } from '@playwright/test';
import { expect } from './test';

/** Everything that can be pressed with a mouse: links, buttons and fields, and elements with their roles. */
const controls = [
  'a[href]',
  'button',
  'input',
  'select',
  'textarea',
  'summary',
  // A column that sorts the list is pressed itself, unless it contains the buttons that do.
  '[aria-sort]:not(:has(button))',
  ...['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'option', 'combobox', 'slider'].map(
    (role) => `[role="${role}"]`,
  ),
].join(',');

interface Walk {
  /** Elements that the focus has not reached. */
  left: Set<Element>;
  /** Elements that had the focus without showing it. */
  unmarked: Set<Element>;
}

/**
 * Presses Tab through the whole page and returns the elements that the focus never reached and those that did not show
 * it. Of radio buttons with one name one is enough, because arrows lead to the others.
 */
async function missedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate((selector) => {
    const left = [...document.querySelectorAll(selector)].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.matches(':disabled, [aria-disabled="true"]') &&
        element.closest('[inert], [aria-hidden="true"]') === null,
    );
    const walk: Walk = { left: new Set(left), unmarked: new Set() };
    Object.assign(window, { walk });
    document.addEventListener('focusin', ({ target: focused }) => {
      if (!(focused instanceof Element)) {
        return;
      }
      const group = focused.matches('input[type="radio"]') ? focused.getAttribute('name') : null;
      for (const element of walk.left) {
        if (element === focused || !element.isConnected || (group !== null && element.getAttribute('name') === group)) {
          walk.left.delete(element);
        }
      }
      // An outline, or instead the shadow that antd gives its fields, those in a frame at the frame.
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      const isOutlined = outlineStyle !== 'none' && outlineWidth !== '0px';
      const { boxShadow } = getComputedStyle(
        focused.closest('.ant-select, .ant-picker, .ant-input-affix-wrapper') ?? focused,
      );
      if (!isOutlined && !(focused.matches('input, select, textarea') && boxShadow !== 'none')) {
        walk.unmarked.add(focused);
      }
    });
    return left.length;
  }, controls);
  expect(count, 'a page without anything to press was not looked at').toBeGreaterThan(0);
  const isThrough = (): Promise<boolean> =>
    page.evaluate(() => (window as unknown as { walk: Walk }).walk.left.size === 0);
  // An element that scrolls is a stop of its own. Each press that is awaited costs a turn of two processes.
  for (let pressed = 0; pressed < 2 * count + 20 && !(await isThrough()); pressed += 20) {
    await Promise.all(Array.from({ length: 20 }, () => page.keyboard.press('Tab')));
  }
  return await page.evaluate(() => {
    const { left, unmarked } = (window as unknown as { walk: Walk }).walk;
    const tagOf = (element: Element): string => element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1);
    return [
      ...[...left].map((element) => `never reached: ${tagOf(element)}`),
      ...[...unmarked].map((element) => `no mark: ${tagOf(element)}`),
    ];
  });
}

/**
 * Returns the visible controls that are lower than 40 px, the control height of styles/theme.ts. A field in a frame
 * that can be pressed as a whole (a label, antd's select and picker) has the height of the frame. Exempt are links in
 * the flow of a text and in table cells, which are as high as their line, and checkboxes and radio buttons without a
 * label, which have the size that the browser or antd gives them everywhere.
 */
async function lowControls(page: Page): Promise<string[]> {
  return await page.evaluate((selector) => {
    const isExempt = (element: Element): boolean =>
      element.matches('a') && (getComputedStyle(element).display === 'inline' || element.closest('td, th') !== null);
    return [...document.querySelectorAll(selector)].flatMap((element) => {
      const frame = element.closest('label, .ant-select, .ant-picker, .ant-input-affix-wrapper');
      if (
        !element.checkVisibility({ visibilityProperty: true }) ||
        isExempt(element) ||
        (frame === null && element.matches('[type="checkbox"], [type="radio"]'))
      ) {
        return [];
      }
      const { width, height } = (frame ?? element).getBoundingClientRect();
      // One pixel: only for screen readers. Half a pixel: rounding of the layout.
      const isLow = width > 1 && height > 1 && height < 39.5;
      return isLow ? [`${height} px high: ${element.outerHTML.slice(0, element.outerHTML.indexOf('>') + 1)}`] : [];
    });
  }, controls);
}

/** Fails if a control of the page is lower than 40 px or not reached by the keyboard. */
export async function expectUsableControls(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  expect(await lowControls(page), page.url()).toEqual([]);
  expect(await missedByTab(page), page.url()).toEqual([]);
}
