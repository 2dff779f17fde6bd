import { render } from '@testing-library/react';
import type { LatestValues } from '../../lib/vitals/schema';
import { inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { News2Cell } from './News2Cell';

const spot = { expectedEveryMs: 3_600_000 };
const whole: LatestValues = {
  spo2: inventedValue({ value: 95 }),
  pulseRate: inventedValue({ value: 75 }),
  respiratoryRate: inventedValue({ value: 16 }),
  oxygenFlow: inventedValue({ value: 0, ...spot }),
  systolic: inventedValue({ value: 120, ...spot }),
  consciousness: inventedValue({ value: 0, ...spot }),
  temperature: inventedValue({ value: 37, ...spot }),
};
const cell = (latest: LatestValues, now = wardNow, dateOfBirth = '1950-03-07', serverLost: number | null = null) => (
  <News2Cell
    patient={{ latest, spo2Scale: 1, dateOfBirth, news2ExemptFor: null }}
    mark={null}
    now={now}
    serverLost={serverLost}
    timeZone="UTC"
  />
);
const said = (...given: Parameters<typeof cell>): string | null => render(cell(...given)).container.textContent;

describe('NEWS2 of a row', () => {
  it('is a number with its band if all seven parts are known', () => {
    expect(said(whole)).toBe('1, low');
    expect(said({ ...whole, spo2: inventedValue({ value: 91 }) })).toBe('3, low-medium');
  });

  it('is a range with the band that it proves if parts are missing, and never says low', () => {
    expect(said({ spo2: inventedValue({ value: 97 }), pulseRate: inventedValue({ value: 72 }) })).toBe(
      '0 to 14, 2 of 7 known',
    );
    const latest = { spo2: inventedValue({ value: 91 }), pulseRate: inventedValue({ value: 112 }) };
    expect(said(latest)).toBe('5 to 19, at least medium');
    expect(said({})).toBe('not known, 0 of 7 known');
  });

  it('says in its tooltip what is missing', () => {
    const { container } = render(
      cell({ ...whole, oxygenFlow: undefined, spo2: inventedValue({ quality: 'invalid' }) }),
    );
    expect(container.firstElementChild?.getAttribute('title')).toBe(
      '5 of 7 known. Not counted: SpO2 without a signal, air or oxygen missing',
    );
    expect(render(cell(whole)).container.firstElementChild?.hasAttribute('title')).toBe(false);
  });

  it('opens by itself when a part becomes too old', () => {
    const latest = { ...whole, temperature: inventedValue({ value: 37, asOf: secondsAgo(3_600), ...spot }) };
    expect(said(latest)).toBe('1, low');
    expect(said(latest, wardNow + 1_000)).toBe('1 to 4, 6 of 7 known');
  });

  it('says that an old part is too old and an uncertain one uncertain, and calls neither missing', () => {
    const aged = { ...whole, temperature: inventedValue({ value: 37, asOf: secondsAgo(14 * 3_600), ...spot }) };
    const title = (latest: LatestValues) => render(cell(latest)).container.firstElementChild?.getAttribute('title');
    expect(title(aged)).toBe('6 of 7 known. Not counted: temperature too old (14 h)');
    expect(title({ ...whole, pulseRate: undefined, heartRate: inventedValue({ quality: 'questionable' }) })).toBe(
      '6 of 7 known. Not counted: pulse uncertain',
    );
  });

  it('says that it is not live while the server does not respond', () => {
    expect(said(whole, wardNow + 20_000, '1950-03-07', wardNow)).toBe('1 not live, low');
  });

  it('loses no points by an outage: it stays as it was at the last response', () => {
    const severe = { ...whole, spo2: inventedValue({ value: 80 }) };
    expect(said(severe, wardNow + 600_000, '1950-03-07', wardNow)).toBe('3 not live, low-medium');
  });

  it('shows no score of a child', () => {
    expect(said(whole, wardNow, '2015-03-07')).toBe('--, not under 16 years');
  });
});
