import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ComponentType } from 'react';
import { onDemand } from './onDemand';

interface DrawerProps {
  name: string;
  onClose: () => void;
}
function Drawer({ name, onClose }: DrawerProps) {
  return <button onClick={onClose}>Drawer of {name}</button>;
}

const load = jest.fn<Promise<ComponentType<DrawerProps>>, []>();
const Downloaded = onDemand(load);

function Screen() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Open</button>
      {isOpen ? <Downloaded name="Ada" onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  load.mockReset().mockResolvedValue(Drawer);
  render(<Screen />);
});

describe('a drawer whose code is downloaded when it opens', () => {
  it('says that the download failed, and tries again when asked', async () => {
    load.mockRejectedValueOnce(new Error('ChunkLoadError'));
    await press('Open');
    await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
    await press('Try again');
    await expect(screen.findByText('Drawer of Ada')).resolves.toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('tries again when it is opened again after a failure', async () => {
    load.mockRejectedValueOnce(new Error('ChunkLoadError'));
    await press('Open');
    await screen.findByRole('dialog', { name: 'This could not be loaded' });
    await press('Close');
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Open');
    await expect(screen.findByText('Drawer of Ada')).resolves.toBeTruthy();
  });

  it('says every failure, however often it is tried', async () => {
    load.mockRejectedValue(new Error('ChunkLoadError'));
    await press('Open');
    for (const attempts of [2, 3]) {
      await screen.findByRole('dialog', { name: 'This could not be loaded' });
      await press('Try again');
      expect(load).toHaveBeenCalledTimes(attempts);
    }
    await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
  });

  it('gives the focus back to the button that opened it', async () => {
    await press('Open');
    await userEvent.click(await screen.findByText('Drawer of Ada'));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
  });

  it('gives the focus back after a failed download too', async () => {
    load.mockRejectedValueOnce(new Error('ChunkLoadError'));
    await press('Open');
    await screen.findByRole('dialog', { name: 'This could not be loaded' });
    await press('Close');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
  });

  it('opens with its values and closes', async () => {
    expect(load).not.toHaveBeenCalled();
    await press('Open');
    await userEvent.click(await screen.findByText('Drawer of Ada'));
    expect(screen.queryByText('Drawer of Ada')).toBeNull();
  });
});
