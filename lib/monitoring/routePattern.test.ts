import fc from 'fast-check';
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
  ])('makes of %j the pattern %s', (address, pattern) => {
    expect(routePattern(address)).toBe(pattern);
  });

  it('lets nothing through that is not a word of ours', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, more) => {
        const pattern = routePattern(`/patients/${text}/${more}?${text}#${more}`);
        expect(pattern.split('/').every((part) => part === '' || /^(:id|:text|[\w-]+)$/.test(part))).toBe(true);
        expect(routePattern(`/M${text.replace(/[/?#]/g, '')}`).startsWith('/:text')).toBe(true);
      }),
    );
  });
});
