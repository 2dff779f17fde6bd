import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Drawer } from 'antd';
import { antdOnDemand } from './antdOnDemand';

const Opened = antdOnDemand<{ onClose: () => void }>(() =>
  Promise.resolve(({ onClose }: { onClose: () => void }) => <Drawer open title="Ada" onClose={onClose} />),
);
const sheets = (): number => document.querySelectorAll('link[rel="stylesheet"]').length;

describe('a drawer of antd’s', () => {
  it('says that its styles could not be loaded, tries again when asked, and brings them once', async () => {
    const prepend = jest.spyOn(document.head, 'prepend').mockImplementation((link) => {
      if (link instanceof HTMLLinkElement) {
        queueMicrotask(() => link.dispatchEvent(new Event('error')));
      }
    });
    render(<Opened onClose={() => undefined} />);
    await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
    expect(screen.queryByText('Ada')).toBeNull();
    prepend.mockRestore();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expect(screen.findByText('Ada')).resolves.toBeTruthy();
    expect(sheets()).toBe(1);
    render(<Opened onClose={() => undefined} />);
    await waitFor(() => expect(screen.getAllByText('Ada')).toHaveLength(2));
    expect(sheets()).toBe(1);
  });
});
