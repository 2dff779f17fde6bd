import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useNeighbour } from '../../../hooks/useNeighbour';
import { NeighbourButtons } from './NeighbourButtons';

const mockPush = jest.fn(() => Promise.resolve(true));
const mockListeners = new Map<string, () => void>();
jest.mock('next/router', () => ({
  __esModule: true,
  default: {
    events: {
      on: (name: string, listener: () => void) => mockListeners.set(name, listener),
      off: (name: string) => mockListeners.delete(name),
    },
  },
  useRouter: () => ({ push: mockPush }),
}));
jest.mock('../../../hooks/useNeighbour');

type Found = Awaited<ReturnType<ReturnType<typeof useNeighbour>>>;
const find = jest.fn<Promise<Found>, Parameters<ReturnType<typeof useNeighbour>>>();
/** The answers of the server that are still to come, in the order of the questions. */
let answers: ((found: Found) => void)[];

beforeEach(() => {
  answers = [];
  mockPush.mockClear();
  find.mockReset().mockImplementation(() => new Promise((resolve) => answers.push(resolve)));
  jest.mocked(useNeighbour).mockReturnValue(find);
});

const show = (patientId = 4) => render(<NeighbourButtons patientId={patientId} userId={1} />);
const button = (name: 'Next' | 'Previous') => screen.getByRole('button', { name: `${name} patient` });
const press = (name: 'Next' | 'Previous') => userEvent.click(button(name));
const answer = (at: number, found: Found) =>
  act(async () => {
    answers[at]?.(found);
    await Promise.resolve();
  });

describe('the way to the next patient', () => {
  it('does not pull back who has gone elsewhere before the answer', async () => {
    show();
    await press('Next');
    act(() => mockListeners.get('routeChangeStart')?.());
    await answer(0, 5);
    expect(mockPush).not.toHaveBeenCalled();
    expect(button('Next').getAttribute('aria-busy')).toBe('false');
  });

  it('does not open a patient after the page has gone', async () => {
    const { unmount } = show();
    await press('Next');
    unmount();
    await answer(0, 5);
    expect(mockPush).not.toHaveBeenCalled();
  });

  it('says why there is none, also where it could not be asked, and opens nothing', async () => {
    show();
    await press('Next');
    await answer(0, { reason: 'The server cannot be reached.' });
    expect(screen.getByRole('status').textContent).toBe('The server cannot be reached.');
    expect(mockPush).not.toHaveBeenCalled();
    await press('Next');
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('says that it waits, and asks once however often it is pressed', async () => {
    show();
    await press('Next');
    await press('Next');
    expect(find).toHaveBeenCalledTimes(1);
    expect(button('Next').getAttribute('aria-busy')).toBe('true');
    expect(button('Previous').getAttribute('aria-busy')).toBe('false');
    await answer(0, 5);
    expect(mockPush.mock.calls).toEqual([['/patient_details?ids=5']]);
  });

  it('goes where the last press points', async () => {
    show();
    await press('Next');
    await press('Previous');
    await answer(1, 3);
    await answer(0, 5);
    expect(mockPush.mock.calls).toEqual([['/patient_details?ids=3']]);
  });

  it('keeps the reason of one patient off the page of another', async () => {
    const { rerender } = show();
    await press('Next');
    await answer(0, { reason: 'Last of your list' });
    rerender(<NeighbourButtons patientId={5} userId={1} />);
    expect(screen.getByRole('status').textContent).toBe('');
  });
});
