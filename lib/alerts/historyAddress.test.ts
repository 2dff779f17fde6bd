import { historyQueryOf, readHistoryAddress } from './historyAddress';

describe('the address of the history of alerts', () => {
  it('leaves out what it does not know, so that a shortened address opens the page', () => {
    const odd = readHistoryAddress({
      unit: 'West',
      patient: '-1',
      priority: 'x',
      person: ['1'],
      from: 'May',
      days: '9',
    });
    expect(historyQueryOf(odd)).toEqual({});
    expect(odd).toMatchObject({ view: 'history', days: '1' });
  });

  it('comes back as it was', () => {
    const query = {
      view: 'budget',
      days: '14',
      unit: '3',
      patient: '12',
      rule: 'spo2.low',
      state: 'open',
      from: '2026-05-01',
    };
    expect(historyQueryOf(readHistoryAddress(query))).toEqual(query);
  });
});
