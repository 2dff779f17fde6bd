import { listingOf, patientsViewPath, readPatientsView } from './patientsUrl';

const standard = {
  view: 'all',
  state: 'active',
  unit: undefined,
  bed: undefined,
  mine: false,
  sort: '-alert',
  page: 1,
  pageSize: 25,
};

describe('readPatientsView', () => {
  it.each([
    [{ page: '0' }],
    [{ page: '-1' }],
    [{ page: '1e3' }],
    [{ page: '1000001' }],
    [{ page: ['2', '3'] }],
    [{ pageSize: '501' }],
    [{ pageSize: '' }],
    [{ sort: 'password' }],
    [{ sort: '--mrn' }],
    [{ sort: 'alert' }],
    [{ state: 'deleted' }],
    [{ unit: '' }],
    // As addresses were before: what somebody typed as a unit or a bed is in none.
    [{ unit: 'East' }],
    [{ unit: ['3', '4'] }],
    [{ bed: '' }],
    [{ bed: 'M1' }],
    [{ mine: 'yes' }],
    [{ view: 'mine' }],
    [{ view: ['not_reporting', 'all'] }],
    [{ text: 'Okafor' }],
  ])('falls back to the usual view for %j', (query) => {
    expect(readPatientsView(query)).toEqual(standard);
  });

  it('reads every part', () => {
    expect(
      readPatientsView({
        view: 'not_reporting',
        state: 'discharged',
        unit: '3',
        bed: 'b00000000007',
        mine: 'true',
        sort: '-spo2',
        page: '3',
        pageSize: '500',
      }),
    ).toEqual({
      view: 'not_reporting',
      state: 'discharged',
      unit: 3,
      bed: 'b00000000007',
      mine: true,
      sort: '-spo2',
      page: 3,
      pageSize: 500,
    });
  });
});

describe('patientsViewPath', () => {
  it('is bare for the usual view', () => {
    expect(patientsViewPath(readPatientsView({}))).toBe('/patients');
  });

  it('is read back as the same view', () => {
    const view = {
      view: 'not_reporting',
      state: 'discharged',
      unit: 3,
      bed: 'b00000000007',
      mine: true,
      sort: '-location',
      page: 2,
      pageSize: 50,
    } as const;
    expect(
      readPatientsView(Object.fromEntries(new URL(patientsViewPath(view), 'http://own.invalid').searchParams)),
    ).toEqual(view);
  });
});

describe('listingOf', () => {
  it('queries all active patients of the unit if the page itself filters those who do not report', () => {
    const view = readPatientsView({
      view: 'not_reporting',
      state: 'discharged',
      unit: '3',
      mine: 'true',
      page: '3',
      pageSize: '25',
    });
    expect(listingOf(view)).toEqual({
      state: 'active',
      unit: 3,
      bed: undefined,
      mine: true,
      attention: false,
      sort: '-alert',
      page: 1,
      pageSize: 500,
    });
  });

  it('asks the server for the active patients who need attention, a page at a time', () => {
    const view = readPatientsView({ view: 'needs_attention', state: 'discharged', unit: '3', page: '2' });
    expect(listingOf(view)).toEqual({
      state: 'active',
      unit: 3,
      bed: undefined,
      mine: false,
      attention: true,
      sort: '-alert',
      page: 2,
      pageSize: 25,
    });
  });

  it('queries the page of the view otherwise', () => {
    expect(listingOf(readPatientsView({ page: '3', sort: '-mrn' }))).toEqual({
      state: 'active',
      unit: undefined,
      bed: undefined,
      mine: false,
      attention: false,
      sort: '-mrn',
      page: 3,
      pageSize: 25,
    });
  });
});
