import { expect, type Page } from '@playwright/test';
import { type default as axe, source, type RunOptions } from 'axe-core';
import { settled } from './settled';

declare global {
  interface Window {
    /** What `source` puts into a page. */
    readonly axe: typeof axe;
  }
}

/** Every rule of WCAG 2.0, 2.1 and 2.2 on the levels A and AA. */
const options: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'] },
  resultTypes: ['violations'],
};
/** The rules of `options` that look at colours. Between the themes nothing else differs. */
const ofColours: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
  resultTypes: ['violations'],
};

/**
 * Fails with each broken rule and the elements that break it. axe runs in the page itself: a frame of another origin
 * would need a run of its own, and no page has frames.
 */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  await expectNoViolations(page, options);
}

async function expectNoViolations(page: Page, wanted: RunOptions): Promise<void> {
  // A colour in transition from one theme to the other belongs to neither.
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source);
  }
  const found = await page.evaluate(async (given) => {
    const { violations } = await window.axe.run(document, given);
    return {
      frames: document.querySelectorAll('iframe, frame').length,
      violations: violations.map(({ id, help, nodes }) => ({
        id,
        help,
        elements: nodes.map((node) => node.target.join(' ')),
      })),
    };
  }, wanted);
  expect(found, `WCAG 2.2 A and AA on ${page.url()}`).toEqual({ frames: 0, violations: [] });
}

/**
 * Checks both themes, by night the rules of colours alone. They are switched in place, so that what was typed and what
 * is open stays.
 */
export async function expectNoAxeViolationsDayAndNight(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [theme, wanted] of [
    ['dark', ofColours],
    ['light', options],
  ] as const) {
    await page.locator('html').evaluate((html, name) => {
      html.dataset.theme = name;
    }, theme);
    await expectNoViolations(page, wanted);
  }
}
