import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { inventedPatient, inventedValue, wardNow } from '../../../test/inventedWard';
import { News2Button } from './News2Button';
import type { ReadingsDrawer } from './ReadingsDrawer';

jest.mock('../../../hooks/useNow');
jest.mock('../../../hooks/useServerLost');
jest.mock('./ReadingsDrawer', () => ({
  ReadingsDrawer: ({ patient, onSaved }: ComponentProps<typeof ReadingsDrawer>) => (
    <button type="button" onClick={onSaved}>
      Save for {patient.familyName}
    </button>
  ),
}));
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
