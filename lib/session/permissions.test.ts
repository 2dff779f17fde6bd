import { permissionsOf, reachOf, type Permission } from './permissions';
import { userTypes } from './userTypes';

it('of a display are the wall of its units, and nothing else', () => {
  expect(permissionsOf({ type: 'display', isAdmin: false, units: [{ id: 1 }] })).toEqual(['readWall']);
  expect(reachOf({ type: 'display', isAdmin: false }, 'readWall')).toBe('unit');
});

describe('permissions about alerts and charts', () => {
  it.each<[Permission, string]>([
    [
      'readAlerts',
      'nurse unit, physician site, respiratory_therapist unit, ward_lead site, technician site, viewer unit',
    ],
    ['readWall', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site, viewer unit, display unit'],
    ['acknowledgeAlerts', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site, technician site'],
    ['handleAlerts', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site, technician site'],
    ['changeLimits', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site'],
    ['proposeAlertSettings', 'physician site, ward_lead site'],
    ['setStandby', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site'],
    ['extendStandby', 'physician site, ward_lead site'],
    ['orderComfortCare', 'physician site'],
    ['readChart', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site'],
    ['writeChart', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site'],
    ['setCodeStatus', 'physician site'],
    ['openMessages', 'physician site, ward_lead site'],
    ['exemptFromNews2', 'nurse unit, physician site, respiratory_therapist unit, ward_lead site'],
  ])('%s is for: %s, and no one else, administrator or not', (permission, who) => {
    for (const isAdmin of [false, true]) {
      const lines = userTypes.flatMap((type) => {
        const reach = reachOf({ type, isAdmin }, permission);
        return reach === null ? [] : [`${type} ${reach}`];
      });
      expect(lines.sort()).toEqual(who.split(', ').sort());
    }
  });
});
