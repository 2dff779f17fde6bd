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
 * would need a run of its own, and no page has frames. Of a page with an open modal dialog it looks at that alone: what
 * is behind it can be neither read nor pressed, and costs as much again. `part` is the selector of a part of the page
 * whose rest has been looked at.
 */
export async function expectNoAxeViolations(page: Page, part?: string): Promise<void> {
  await expectNoViolations(page, options, part);
}

async function expectNoViolations(page: Page, rules: RunOptions, part: string | undefined): Promise<void> {
  // A colour in transition from one theme to the other belongs to neither.
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(source);
  }
  const found = await page.evaluate(
    async ({ given, selector }) => {
      const modal = [...document.querySelectorAll('dialog:modal, [role="dialog"][aria-modal="true"]')].findLast(
        (each) => each.checkVisibility(),
      );
      const chosen = selector === undefined ? (modal ?? document) : document.querySelector(selector);
      const { violations } = await window.axe.run(chosen ?? document, given);
      return {
        frames: document.querySelectorAll('iframe, frame').length,
        violations: violations.map(({ id, help, nodes }) => ({
          id,
          help,
          elements: nodes.map((node) => node.target.join(' ')),
        })),
      };
    },
    { given: rules, selector: part },
  );
  expect(found, `WCAG 2.2 A and AA on ${page.url()}`).toEqual({ frames: 0, violations: [] });
}

/**
 * Checks both themes, by night the rules of colours alone. They are switched in place, so that what was typed and what
 * is open stays.
 */
export async function expectNoAxeViolationsDayAndNight(page: Page, part?: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [theme, wanted] of [
    ['dark', ofColours],
    ['light', options],
  ] as const) {
    await page.locator('html').evaluate((html, name) => {
      html.dataset.theme = name;
    }, theme);
    await expectNoViolations(page, wanted, part);
  }
}
