import type { Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { expect } from './test';

/** Counts the tones that a page starts, before it loads. */
export async function countPulses(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = window as unknown as { pulses: number };
    counted.pulses = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      counted.pulses += 1;
      start.call(this, when);
    };
  });
}

/** Returns how many tones a page has started. */
export const pulsesOf = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { pulses: number }).pulses);

/** Lets a page sound, which plays three tones as a test. */
export async function enableSound(page: Page, { notify = false } = {}): Promise<void> {
  await page.getByRole('button', { name: /NO SOUND|Sound on/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Alert sound' });
  await expect(dialog.getByText('You should hear three tones.')).toBeVisible();
  if (notify) {
    await dialog.getByRole('checkbox', { name: 'Notify me while another window is in front' }).check();
    await expectNoAxeViolationsDayAndNight(page);
  }
  await dialog.getByRole('button', { name: 'Done' }).click();
  // The lists below hold still under the pointer, so a new alert that a colleague takes would not be in them.
  await page.mouse.move(0, 0);
}
