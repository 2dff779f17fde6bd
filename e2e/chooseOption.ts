import type { Locator } from '@playwright/test';

/** Chooses an option of one of antd's selects by its whole text. The list opens at the end of the page. */
export async function chooseOption(combobox: Locator, text: string): Promise<void> {
  await combobox.click();
  await combobox.page().locator('.ant-select-item-option').getByText(text, { exact: true }).click();
}
