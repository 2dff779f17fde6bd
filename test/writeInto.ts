import userEvent from '@testing-library/user-event';

/**
 * Writes into a field as `userEvent.type` does, its keys after the text included ("Latex{Enter}"), but with the text in
 * one piece, as if pasted: for each letter that is typed a form is drawn again.
 */
export async function writeInto(field: Element, text: string): Promise<void> {
  const [, letters = '', keys = ''] = /^([^{]*)(.*)$/s.exec(text) ?? [];
  await userEvent.click(field);
  await userEvent.paste(letters);
  if (keys !== '') {
    await userEvent.keyboard(keys);
  }
}
