import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isClosedToDisplay } from './displayPages';

const pages = readdirSync(join(__dirname, '../../pages'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.startsWith('_'))
  .map((file) => `/${file.replace(/\.tsx$/, '').replace(/^index$/, '')}`);

describe('what a display may open', () => {
  it('is the wall, what leads to it, and what everyone may read, of all pages there are', () => {
    expect(pages.filter((page) => !isClosedToDisplay(page)).sort()).toEqual(
      ['/', '/dashboard', '/intended_use', '/locked', '/sign_in', '/wall'].filter((page) => pages.includes(page)),
    );
  });

  it.each([
    '/patients?page=2',
    '/patient_details?ids=1',
    '/patients/',
    '/%70atients',
    '/admin/users',
    '/_next/data/build/patients.json',
    '/_next/data/build/admin/users.json?x=1',
    '/nothing',
  ])('is not %s', (url) => {
    expect(isClosedToDisplay(url)).toBe(true);
  });

  it.each(['/wall?unit=3', '/_next/data/build/wall.json?unit=3', '/_next/data/build/index.json', '/icon-high.svg'])(
    'is %s',
    (url) => {
      expect(isClosedToDisplay(url)).toBe(false);
    },
  );
});
