import type { Locator } from '@playwright/test';

/** Presses a button that asks for confirmation, and then the same word in its question. */
export async function pressAndConfirm(button: Locator, word: string): Promise<void> {
  await button.click();
  await button.page().getByRole('tooltip').getByRole('button', { name: word, exact: true }).click();
}
