import { render, screen } from '@testing-library/react';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { inventedPatient, inventedValue, wardNow } from '../../../test/inventedWard';
import { News2Panel } from './News2Panel';

jest.mock('../../../hooks/useNow');
jest.mock('../../../hooks/useServerLost');
beforeEach(() => {
  jest.mocked(useNow).mockReturnValue(wardNow);
  jest.mocked(useServerLost).mockReturnValue(null);
});

function parts(change: Partial<Patient>): string[] {
  const { container } = render(<News2Panel patient={inventedPatient(1, change)} now={wardNow} timeZone="UTC" />);
  return [...container.querySelectorAll('dl > div')].map((part) =>
    [...part.children].map((one) => one.textContent).join(': '),
  );
}

describe('NEWS2 of one patient', () => {
  it('names every part with its points, and those that are missing', () => {
    const shown = parts({
      latest: {
        spo2: inventedValue({ value: 91 }),
        heartRate: inventedValue({ value: 92 }),
        oxygenFlow: inventedValue({ value: 0, expectedEveryMs: 3_600_000 }),
        consciousness: inventedValue({ value: 1, expectedEveryMs: 3_600_000 }),
      },
    });
    expect(shown).toEqual([
      'Respiratory rate: missing',
      'SpO2, scale 1: 91 %: 3 points',
      'Air or oxygen: air: 0 points',
      'Systolic BP: missing',
      'Pulse (ECG): 92 /min: 1 point',
      'Consciousness: C: 3 points',
      'Temperature: missing',
    ]);
    expect(screen.getByText('7 to 16')).toBeTruthy();
    expect(screen.getByText('4 of 7 known, at least high')).toBeTruthy();
  });

  it('says that oxygen decides the points of SpO2 on scale 2', () => {
    expect(parts({ spo2Scale: 2, latest: { spo2: inventedValue({ value: 95 }) } })).toContain(
      'SpO2, scale 2: 95 %: points depend on oxygen',
    );
  });

  it('says that it is not live while the server does not respond, and is greyed with the values', () => {
    jest.mocked(useServerLost).mockReturnValue(wardNow);
    parts({ latest: { spo2: inventedValue({ value: 91 }) } });
    expect(screen.getByText(/^not live, /)).toBeTruthy();
    expect(screen.getByRole('group', { name: 'NEWS2' }).hasAttribute('data-current')).toBe(true);
  });

  it('is not made for a child', () => {
    render(<News2Panel patient={inventedPatient(1, { dateOfBirth: '2015-03-07' })} now={wardNow} timeZone="UTC" />);
    expect(screen.getByText('NEWS2 is not for patients under 16 years.')).toBeTruthy();
  });
});
