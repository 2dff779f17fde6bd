import type { BrowserContext } from '@playwright/test';

/** More users than all specs together have on a server that they share. */
const users = 300;

/**
 * Marks the first-login walkthrough as completed for the users of a test, as a browser has it that they have used
 * before.
 */
export async function completeWalkthrough(context: BrowserContext): Promise<void> {
  await context.addInitScript((count) => {
    try {
      for (let id = 1; id <= count; id += 1) {
        const key = `wardlight-onboarding-tour-${id}`;
        if (localStorage.getItem(key) === null) {
          localStorage.setItem(key, JSON.stringify({ step: 10, status: 'completed' }));
        }
      }
    } catch {
      // A page without storage, for example about:blank.
    }
  }, users);
}
