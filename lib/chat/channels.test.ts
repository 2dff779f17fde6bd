import { careTeamName, channelId, placeOfChannel, type ChannelPlace } from './channels';
import { patientLabels } from './patientLabels';

const patient = { id: 12, givenName: 'sam', familyName: 'Sample', unit: 'East', bed: '4' };

describe('the id of a channel', () => {
  it.each<[ChannelPlace, string]>([
    [{ kind: 'site', siteId: 1 }, 'site-1'],
    [{ kind: 'unit', unitId: 3 }, 'unit-3'],
    [{ kind: 'careTeam', patientId: 12 }, 'patient-12'],
    [{ kind: 'direct', userIds: [3, 7] }, 'direct-3-7'],
  ])('of %j contains only numbers of rows and says what it is for', (place, id) => {
    expect(channelId(place)).toBe(id);
    expect(placeOfChannel(id)).toEqual(place);
  });

  it('of two people is the same for both', () => {
    expect(channelId({ kind: 'direct', userIds: [7, 3] })).toBe('direct-3-7');
  });

  it.each([
    '',
    'site',
    'site-',
    'site-0',
    'site-01',
    'site-1-2',
    'patient-x',
    'patient-12-',
    'direct-3',
    'direct-7-3',
    'direct-3-3',
    'direct-3-7-9',
    'team-1',
    '!members-abc',
  ])('is not one of ours if it is %j', (id) => {
    expect(placeOfChannel(id)).toBeNull();
  });
});

describe('the name of a care team as the chat service sees it', () => {
  it.each([
    ['number', 'Care team 12'],
    ['bed', 'Care team: East, bed 4'],
    ['initials_and_bed', 'Care team: S.S., East, bed 4'],
  ] as const)('is by the site’s setting %s: %s', (label, name) => {
    expect(careTeamName(patient, label)).toBe(name);
  });

  it.each(patientLabels)('never contains a name of the patient (%s)', (label) => {
    expect(careTeamName(patient, label)).not.toMatch(/sam|sample/i);
  });

  it.each(patientLabels)('is the number if the patient has no place (%s)', (label) => {
    expect(careTeamName({ ...patient, unit: null, bed: null }, label)).toBe('Care team 12');
  });

  it('omits a bed that is not known', () => {
    expect(careTeamName({ ...patient, bed: null }, 'initials_and_bed')).toBe('Care team: S.S., East');
  });
});
