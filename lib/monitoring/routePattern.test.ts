import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { calls } from '../api/calls';
import { routePattern } from './routePattern';

describe('routePattern', () => {
  it.each([
    ['https://ward.example/patient_details?ids=7,8#x', '/patient_details'],
    ['/api/v2/patients/12/vitals?kind=spo2', '/api/v2/patients/:id/vitals'],
    ['/Moreau/7', '/:text/:id'],
    ['/:text/:id', '/:text/:id'],
    ['/patients/Moreau', '/patients/:text'],
    ['', '/'],
    ['https://ward.example', '/'],
    ['/_next/data/k3x/patients.json', '/_next/data/:text/:text'],
    ['Moreau', '/:text'],
    ['//evil.example/patients', '/:text/patients'],
    ['/dashboard\n?name=Moreau', '/:text'],
  ])('turns %j into the pattern %s', (address, pattern) => {
    expect(routePattern(address)).toBe(pattern);
  });

  it('lets no word through that is not one of ours', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        const pattern = routePattern(`/patients/${text}/${more}?${text}#${more}`);
        expect(pattern.split('/').every((part) => part === '' || /^(:id|:text|[\w-]+)$/.test(part))).toBe(true);
        expect(routePattern(`/M${text.replace(/[/?#]/g, '')}`).startsWith('/:text')).toBe(true);
      }),
    );
  });

  const pages = readdirSync(join(__dirname, '../../pages'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^_].*\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\.tsx$/, '').replace(/(^|\/)index$/, '')}`);
  const addresses = Object.values(calls).map(({ path }) => path);

  // A new page or call that fails here has a word that is missing in the list of routePattern.ts.
  it.each([...new Set([...pages, ...addresses])])('knows every word of %s', (path) => {
    expect(routePattern(path.replaceAll(/:\w+/g, '7'))).toBe(path.replaceAll(/:\w+/g, ':id'));
  });
});
