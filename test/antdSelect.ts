import userEvent from '@testing-library/user-event';

/** Opens one of antd's selects and returns its visible options by their text. */
async function open(combobox: HTMLElement): Promise<Map<string, Element>> {
  await userEvent.click(combobox);
  const listId = combobox.getAttribute('aria-controls') ?? '';
  const list = document.getElementById(listId)?.closest('.ant-select-dropdown');
  const options = [...(list?.querySelectorAll('.ant-select-item-option') ?? [])];
  return new Map(options.map((option) => [option.textContent, option]));
}

/** Chooses an option by its text, as a pointer does. */
export async function chooseOption(combobox: HTMLElement, text: string): Promise<void> {
  const option = (await open(combobox)).get(text);
  if (option === undefined) {
    throw new Error(`There is no option "${text}"`);
  }
  await userEvent.click(option);
}

/** Returns the texts of all options that a select offers. */
export async function offeredOptions(combobox: HTMLElement): Promise<string[]> {
  const texts = [...(await open(combobox)).keys()];
  await userEvent.click(combobox);
  return texts;
}

/** Returns the text of the chosen option. */
export function chosenOption(combobox: HTMLElement): string {
  return combobox.closest('.ant-select')?.querySelector('.ant-select-content')?.textContent ?? '';
}
