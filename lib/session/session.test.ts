import fc from 'fast-check';
import { inventedUser } from '../../test/inventedWard';
import { findUsers } from '../users/findUsers';
import { initialsOf } from '../users/initialsOf';
import type { ListedUser } from '../users/schema';
import { homeOf } from './homeOf';
import { type Permission, permissionsOf, reachOf } from './permissions';
import { reachesUnit } from './reachesUnit';
import { isTimeZone, maxPasswordLength, minPasswordLength, newPassword, setupBody, signInBody, user } from './schema';
import { type UserType, userTypeLabels, userTypes } from './userTypes';

describe('session', () => {
  describe('the page on which a user begins', () => {
    it.each<[UserType, boolean, string]>([
      ['administrator', true, '/admin/users'],
      ['technician', false, '/admin/devices'],
      ['nurse', false, '/dashboard'],
      ['physician', true, '/dashboard'],
      ['viewer', false, '/dashboard'],
      ['display', false, '/wall'],
    ])('of a %s (administrates: %s) is %s', (type, isAdmin, page) => {
      expect(homeOf({ permissions: permissionsOf({ type, isAdmin, units: [] }) })).toBe(page);
    });
  });

  describe('permissions', () => {
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
        [
          'readWall',
          'nurse unit, physician site, respiratory_therapist unit, ward_lead site, viewer unit, display unit',
        ],
        [
          'acknowledgeAlerts',
          'nurse unit, physician site, respiratory_therapist unit, ward_lead site, technician site',
        ],
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
  });

  describe('a unit', () => {
    const units = [
      { id: 3, name: 'Intensive Care' },
      { id: 4, name: 'East' },
    ];

    it('that is not the user’s own is out of reach, whatever emergency access shows', () => {
      expect(reachesUnit({ type: 'nurse', isAdmin: false, units }, 'West')).toBe(false);
    });

    it.each([
      ['in any letter case', { type: 'nurse' as const, units }, ' intensive care'],
      ['of a patient without one', { type: 'nurse' as const, units }, null],
      ['of a user without units', { type: 'nurse' as const, units: [] }, 'West'],
      ['of a physician', { type: 'physician' as const, units }, 'West'],
    ])('is within reach %s', (_, user, unit) => {
      expect(reachesUnit({ isAdmin: false, ...user }, unit)).toBe(true);
    });
  });

  describe('schema', () => {
    const signIn = { email: 'ada@ward.example', password: 'p' };
    const setup = {
      code: 'one-use',
      siteName: 'North',
      timeZone: 'Europe/London',
      fname: 'Ada',
      lname: 'Ample',
      email: 'ada@ward.example',
      password: 'fifteen letters',
      type: 'administrator',
    };

    describe('the body of sign-in', () => {
      it.each([
        ['no e-mail', { email: undefined }],
        ['an empty e-mail', { email: '' }],
        ['an e-mail without a host', { email: 'ada@' }],
        ['two e-mails', { email: 'ada@ward.example,eve@ward.example' }],
        ['a line break in the e-mail', { email: 'ada@ward.example\r\nBcc: eve@ward.example' }],
        ['an e-mail of 255 characters', { email: `${'a'.repeat(242)}@ward.example` }],
        ['an e-mail that is an object', { email: { $ne: '' } }],
        ['no password', { password: undefined }],
        ['an empty password', { password: '' }],
        ['a password that is too long to hash', { password: 'p'.repeat(maxPasswordLength + 1) }],
        ['an unknown field', { isAdmin: true }],
      ])('is refused with %s', (_, change) => {
        expect(signInBody.safeParse({ ...signIn, ...change }).success).toBe(false);
      });

      it('finds the same user in whatever case the e-mail is typed', () => {
        expect(signInBody.parse({ ...signIn, email: '  Ada@Ward.EXAMPLE ' }).email).toBe('ada@ward.example');
      });

      it('leaves the password exactly as it was typed', () => {
        fc.assert(
          fc.property(fc.string({ minLength: 1, maxLength: maxPasswordLength }), (password) => {
            expect(signInBody.parse({ ...signIn, password }).password).toBe(password);
          }),
        );
      });
    });

    describe('a password being set', () => {
      it.each([
        [minPasswordLength - 1, false],
        [minPasswordLength, true],
        [maxPasswordLength, true],
        [maxPasswordLength + 1, false],
      ])('of %d characters: %s', (length, taken) => {
        expect(newPassword.safeParse('x'.repeat(length)).success).toBe(taken);
      });

      it('needs only length', () => {
        expect(newPassword.safeParse(' '.repeat(minPasswordLength)).success).toBe(true);
        expect(newPassword.safeParse('кошка гуляет по крыше').success).toBe(true);
      });
    });

    describe('the body of setup', () => {
      it.each([
        ['no code', { code: ' ' }],
        ['a site without a name', { siteName: '' }],
        ['a site’s name of 101 characters', { siteName: 'n'.repeat(101) }],
        ['an unknown zone', { timeZone: 'Mars/Olympus' }],
        ['no zone', { timeZone: '' }],
        ['a short password', { password: 'short' }],
        ['a type that is not listed', { type: 'doctor' }],
        ['an unknown field', { isAdmin: false }],
      ])('is refused with %s', (_, change) => {
        expect(setupBody.safeParse({ ...setup, ...change }).success).toBe(false);
      });

      it('takes a complete one, trimmed', () => {
        expect(setupBody.parse({ ...setup, siteName: ' North ', email: 'Ada@ward.example' })).toEqual(setup);
      });
    });

    describe('isTimeZone', () => {
      it.each(['', ' ', 'Mars/Olympus', 'Europe/London\n', '../../etc/passwd', 'constructor'])(
        'does not know %j',
        (text) => {
          expect(isTimeZone(text)).toBe(false);
        },
      );

      it.each(['UTC', 'Europe/London', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires'])('knows %s', (text) => {
        expect(isTimeZone(text)).toBe(true);
      });

      it('returns true or false for any text and never throws', () => {
        fc.assert(
          fc.property(fc.string(), (text) => {
            expect(typeof isTimeZone(text)).toBe('boolean');
          }),
        );
      });
    });

    describe('the user in a response', () => {
      const ada = inventedUser({
        id: 1,
        fname: 'Ada',
        lname: 'Ample',
        email: 'ada@ward.example',
        username: 'ada',
        siteId: 1,
        userImage: null,
        type: 'nurse',
        isAdmin: false,
      });

      it('omits what is not listed, for example a password’s hash', () => {
        expect(user.parse({ ...ada, passwordHash: '$argon2id$' })).toEqual(ada);
      });

      it.each(userTypes)('may be a %s, who has a label', (type) => {
        expect(user.parse({ ...ada, type }).type).toBe(type);
        expect(userTypeLabels[type]).not.toBe('');
      });
    });
  });
});

describe('users', () => {
  describe('the users that a text finds', () => {
    function listed(id: number, fname: string, lname: string, state: ListedUser['state'] = 'active'): ListedUser {
      return {
        id,
        fname,
        lname,
        email: `${fname}@${lname}.test`.toLowerCase(),
        type: 'nurse',
        isAdmin: false,
        units: [],
        state,
        lastActiveAt: null,
        createdAt: '2026-03-07T15:00:00.000Z',
        version: 1,
      };
    }

    const users = [
      listed(1, 'Zoë', 'Berg'),
      listed(2, 'Ada', 'Berg'),
      listed(3, 'Sam', 'Adams', 'disabled'),
      listed(4, 'Zed', 'Zorn', 'waiting'),
      listed(5, 'Ada', 'Berg'),
    ];
    const ids = (text: string): number[] => findUsers(users, text).map(({ id }) => id);

    it('are none if a word begins neither a name nor an e-mail address', () => {
      expect(ids('dam')).toEqual([]);
      expect(ids('ada zorn')).toEqual([]);
    });

    it('are all of them without a text: waiting users first, then by last and first name', () => {
      expect(ids('')).toEqual([4, 3, 2, 5, 1]);
    });

    it.each([
      ['zoe', [1]],
      ['BERG ada', [2, 5]],
      ['sam@adams.test', [3]],
      ['zorn.test', [4]],
    ])('are found by the starts of words in name and e-mail: %s', (text, found) => {
      expect(ids(text)).toEqual(found);
    });
  });

  describe('initialsOf', () => {
    it.each([
      ['', '?'],
      ['   ', '?'],
      ['Noor', 'N'],
      ['Noor Demo', 'ND'],
      ['noor  van der Demo ', 'ND'],
      ['Øyvind Åberg', 'ØÅ'],
      ['𝒩oor 𝒟emo', '𝒩𝒟'],
    ])('the initials of "%s" are "%s"', (name, initials) => {
      expect(initialsOf(name)).toBe(initials);
    });
  });
});
