import type { Page } from '@playwright/test';
import { median } from './lines';

/** Repetitions: another process of the machine can make any one task long. */
const watches = 3;

/** Returns the longest task of a page's main thread in milliseconds, as the median of several runs; 0: none over 50. */
export async function longestTask(page: Page, ms: number): Promise<number> {
  const longest: number[] = [];
  for (let watch = 0; watch < watches; watch += 1) {
    longest.push(
      await page.evaluate(
        (watched) =>
          new Promise<number>((resolve) => {
            let most = 0;
            const observer = new PerformanceObserver((list) => {
              most = Math.max(most, ...list.getEntries().map(({ duration }) => duration));
            });
            observer.observe({ type: 'longtask' });
            setTimeout(() => {
              observer.disconnect();
              resolve(most);
            }, watched);
          }),
        ms,
      ),
    );
  }
  return median(longest);
}
