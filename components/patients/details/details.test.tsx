import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { useNeighbour } from '../../../hooks/useNeighbour';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { inventedPatient, inventedValue, wardNow } from '../../../test/inventedWard';
import { NeighbourButtons } from './NeighbourButtons';
import { News2Button } from './News2Button';
import type { ReadingsDrawer } from './ReadingsDrawer';

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
jest.mock('../../../hooks/useNow');
jest.mock('../../../hooks/useServerLost');
jest.mock('./ReadingsDrawer', () => ({
  ReadingsDrawer: ({ patient, onSaved }: ComponentProps<typeof ReadingsDrawer>) => (
    <button type="button" onClick={onSaved}>
      Save for {patient.familyName}
    </button>
  ),
}));

describe('NeighbourButtons', () => {
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
});

describe('News2Button', () => {
  beforeEach(() => {
    jest.mocked(useNow).mockReturnValue(wardNow);
    jest.mocked(useServerLost).mockReturnValue(null);
  });

  const incomplete = {
    spo2: inventedValue({ value: 91 }),
    heartRate: inventedValue({ value: 92 }),
    oxygenFlow: inventedValue({ value: 0, expectedEveryMs: 3_600_000 }),
    consciousness: inventedValue({ value: 1, expectedEveryMs: 3_600_000 }),
  };

  function show(change: Partial<Patient>, canRecord = true) {
    const onSaved = jest.fn();
    const { container } = render(
      <News2Button
        patient={inventedPatient(1, change)}
        now={wardNow}
        timeZone="UTC"
        canRecord={canRecord}
        onSaved={onSaved}
      />,
    );
    const parts = [...container.querySelectorAll('[title]')].filter((each) => each.tagName === 'SPAN');
    return { onSaved, container, parts };
  }

  describe('NEWS2 of one patient', () => {
    it('says the least and the most that it can be, and names every part with its points', () => {
      const { parts } = show({ latest: incomplete });
      expect(screen.getByRole('button').textContent).toMatch(/^NEWS2 at least 7 \(max 16\)/);
      expect(parts.map((part) => part.getAttribute('title'))).toEqual([
        'Respiratory rate: missing',
        'SpO2, scale 1: 91 %: 3 points',
        'Air or oxygen: air: 0 points',
        'Systolic BP: missing',
        'Pulse (ECG): 92 /min: 1 point',
        'Consciousness: C: 3 points',
        'Temperature: missing',
      ]);
      expect(parts.map((part) => part.querySelector('[aria-hidden]')?.textContent)).toEqual([
        'R',
        'S3',
        'O0',
        'B',
        'P1',
        'C3',
        'T',
      ]);
      expect(parts.filter((part) => part.hasAttribute('data-missing'))).toHaveLength(3);
    });

    it('says that oxygen decides the points of SpO2 on scale 2', () => {
      const { parts } = show({ spo2Scale: 2, latest: { spo2: inventedValue({ value: 95 }) } });
      expect(parts.map((part) => part.getAttribute('title'))).toContain('SpO2, scale 2: 95 %: points depend on oxygen');
    });

    it('says that it is not live while the server does not respond, and is greyed with the values', () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      show({ latest: incomplete });
      expect(screen.getByRole('button').textContent).toContain(', not live');
      expect(screen.getByRole('button').hasAttribute('data-current')).toBe(true);
    });

    it('loses no points by an outage: it stays as it was, with that time', () => {
      jest.mocked(useServerLost).mockReturnValue(wardNow);
      jest.mocked(useNow).mockReturnValue(wardNow + 600_000);
      show({ latest: incomplete });
      expect(screen.getByRole('button').textContent).toMatch(/^NEWS2 at least 7 \(max 16\), not live, 15:00/);
    });

    it('opens the form for readings, and asks for the patient again when they were saved', async () => {
      const { onSaved } = show({ latest: incomplete });
      await userEvent.click(screen.getByRole('button', { name: /Enter readings/ }));
      await userEvent.click(await screen.findByRole('button', { name: 'Save for Sample1' }));
      expect(onSaved).toHaveBeenCalledTimes(1);
      expect(screen.queryByRole('button', { name: /Save for/ })).toBeNull();
    });

    it.each([
      ['users who may not record', {}, false],
      ['a discharged patient', { state: 'discharged' as const }, true],
    ])('is no button for %s', (_name, change, canRecord) => {
      show(change, canRecord);
      expect(screen.queryByRole('button')).toBeNull();
      expect(screen.getByRole('group', { name: 'NEWS2' })).toBeTruthy();
    });

    it('is not made for a child', () => {
      show({ dateOfBirth: '2015-03-07' });
      expect(screen.getByText('NEWS2 is not for patients under 16 years.')).toBeTruthy();
    });
  });
});
