import fc from 'fast-check';
import { isCommonPassword } from './commonPassword';
import { commonPasswords } from './passwords';

const names = ['Harbour Ward', 'St Mary’s', 'Ines', 'Moreau', 'ines.moreau@hospital.example', 'Wardlight'];

describe('a password', () => {
  let common: ReadonlySet<string>;
  beforeAll(async () => {
    common = await commonPasswords();
  });

  it.each([
    'password1234567',
    'Password!!!!!!!!!',
    'PASSWORD2026!!!!',
    '123password123!',
    '!!!iloveyou!!!!!',
    'sunshine20262026',
    '1q2w3e4r5t6y7u8i9o0p',
    'unbelievable1234',
    'p a s s w o r d 1 2 3 4',
    'ｐａｓｓｗｏｒｄ１２３４５６７',
    'passwordpassword',
    'PasswordPassword1',
    'password1password1',
    'aaaaaaaaaaaaaaa',
    'abababababababab',
    'abcabcabcabcabc',
    'Moon!Moon!Moon!Moon!',
    'dragondragondragon',
    '1234567890123456',
    '098765432109876',
    'abcdefghijklmnop',
    'zyxwvutsrqponmlk',
    'qwertyuiopasdfgh',
    'qwertzuiopqwertzuiop',
    '1qaz2wsx3edc4rfv',
    'abc-def-ghi-jkl-mno',
    'qwerty-123456-asdfgh',
    'harbourward2026',
    'Harbour-Ward-2026!',
    'InesMoreau123456',
    'ines.moreau@hospital.example',
    'wardlightwardlight',
    'Wardlight2026!!!',
    'moreau-hospital-1',
    'ines ines ines ines',
    'StMarysStMarys2026',
    'st marys st marys!',
    'stmarys-harbourward',
    '               ',
    ' \t\u00a0\u2003 \t\t\u00a0 \u2003\u2003 \t ',
    'a b  c   d    e',
    '\u200bx\u200b\u200by\u200bz\u200b\u200b \u200b\u200b  7 \u200b',
  ])('such as %j is refused', (password) => {
    expect(isCommonPassword(password, common, names)).toBe(true);
  });

  it.each([
    'correct horse battery',
    'four grey herons wade',
    'tall-lamp-river-9',
    'Moreau likes old maps',
    'zwölf Boxkämpfer',
    'кот сидит на крыше',
    'ab12cd34ef56gh78xq',
  ])('such as %j is taken', (password) => {
    expect(isCommonPassword(password, common, names)).toBe(false);
  });

  it('of random letters is accepted for any user', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{24}$/), (password) => {
        fc.pre(new Set(password).size > 10);
        expect(isCommonPassword(password, common, names)).toBe(false);
      }),
      { seed: 7 },
    );
  });

  it('that repeats itself three times is refused, whatever it repeats', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), (part) => {
        fc.pre(part.normalize('NFKC').toLowerCase().length > 0);
        expect(isCommonPassword(part.repeat(3), common, [])).toBe(true);
      }),
    );
  });
});
