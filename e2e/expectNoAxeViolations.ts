import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './settled';

/** Every rule of WCAG 2.0, 2.1 and 2.2 on the levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];

/** Fails with each broken rule and the elements that break it. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // A colour in transition from one theme to the other belongs to neither.
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    elements: nodes.map((node) => node.target.join(' ')),
  }));
  expect(found, `WCAG 2.2 A and AA on ${page.url()}`).toEqual([]);
}

/** Checks both themes. They are switched in place, so that what was typed and what is open stays. */
export async function expectNoAxeViolationsDayAndNight(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of ['dark', 'light']) {
    await page.locator('html').evaluate((html, name) => {
      html.dataset.theme = name;
    }, theme);
    await expectNoAxeViolations(page);
  }
}
