import fc from 'fast-check';
import { isTimeZone, maxPasswordLength, minPasswordLength, newPassword, setupBody, signInBody, user } from './schema';
import { userTypeLabels, userTypes } from './userTypes';
import { inventedUser } from '../../test/inventedWard';

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
