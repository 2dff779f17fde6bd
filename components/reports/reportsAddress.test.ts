import { readReportsAddress, reportsParameters } from './reportsAddress';

describe('the address of the reports', () => {
  it('leaves out what it does not know', () => {
    const unknown = { status: 'lost', kind: '<b>', severity: 'S5', unit: 'East', assignee: '0', page: '-1', id: 'x' };
    expect(readReportsAddress(unknown)).toEqual(readReportsAddress({}));
    expect(readReportsAddress({}).status).toBe('open');
  });

  it('says again what it was made from', () => {
    const query = {
      status: 'all',
      kind: 'device',
      severity: 'S1',
      unit: '3',
      assignee: 'none',
      mine: 'true',
      page: '2',
    };
    expect(reportsParameters(readReportsAddress({ ...query, id: '12' }))).toEqual({ ...query, id: '12' });
    expect(reportsParameters(readReportsAddress({}))).toEqual({});
  });
});
