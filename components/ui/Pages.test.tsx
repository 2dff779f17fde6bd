import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Pages } from './Pages';

function show({ current = 10, total = 100 } = {}) {
  const onPage = jest.fn();
  const onSize = jest.fn();
  render(<Pages current={current} pageSize={5} total={total} sizes={[5, 10]} onPage={onPage} onSize={onSize} />);
  return { onPage, onSize };
}

describe('the pages of a list', () => {
  it.each([
    ['Previous Page', 9],
    ['Next Page', 11],
    ['Previous 5 Pages', 5],
    ['Next 5 Pages', 15],
  ])('offer "%s", which leads to page %i', async (words, page) => {
    const { onPage } = show();
    const button = screen.getByRole('button', { name: words });
    // Visible, not only read out.
    expect(button.textContent).toBe(words);
    await userEvent.click(button);
    expect(onPage.mock.calls).toEqual([[page]]);
  });

  it('jump five pages and never past the ends', async () => {
    const { onPage } = show({ current: 17 });
    await userEvent.click(screen.getByRole('button', { name: 'Page 20' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Page' }), '4000{Enter}');
    await userEvent.type(screen.getByRole('textbox', { name: 'Page' }), '0{Enter}');
    expect(onPage.mock.calls).toEqual([[20], [20], [1]]);
  });

  it('lead nowhere beyond the first and the last page, and keep the focus there', async () => {
    const { onPage } = show({ current: 1, total: 5 });
    const buttons = ['Previous Page', 'Next Page'].map((name) => screen.getByRole('button', { name }));
    for (const button of buttons) {
      await userEvent.click(button);
      expect(button.getAttribute('aria-disabled')).toBe('true');
      expect(document.activeElement).toBe(button);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Page 1', current: 'page' }));
    expect(onPage).not.toHaveBeenCalled();
    expect(screen.queryByText(/^Go to/)).toBeNull();
  });

  it('go to the typed page, and nowhere for other text', async () => {
    const { onPage } = show();
    expect(screen.getByText(/^Go to/)).toBeTruthy();
    const box = screen.getByRole('textbox', { name: 'Page' });
    await userEvent.type(box, 'next{Enter}');
    await userEvent.type(box, ' 3 {Enter}');
    expect(onPage.mock.calls).toEqual([[3]]);
  });

  it('offer the sizes, also that of the address', async () => {
    const { onSize } = show();
    const box = screen.getByRole('combobox', { name: 'Page Size' });
    expect(screen.getByText(/^Page Size/)).toBe(box.closest('label'));
    expect([...box.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['5', '10']);
    await userEvent.selectOptions(box, '10');
    expect(onSize.mock.calls).toEqual([[10]]);
  });

  it.each([
    [1, 100, '1–5 of 100'],
    [20, 98, '96–98 of 98'],
    [7, 3, '1–3 of 3'],
    [1, 0, '0–0 of 0'],
  ])('on page %i of %i rows say "%s"', (current, total, words) => {
    show({ current, total });
    expect(screen.getByText(words)).toBeTruthy();
  });
});
