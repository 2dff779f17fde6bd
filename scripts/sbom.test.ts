import { evaluateModule } from '../test/evaluateModule';

const evaluate = (expression: string): unknown => evaluateModule('sbom.mjs', expression);

describe('the notices of packages', () => {
  it('name each package once with its version and licence, and say where none is stated', () => {
    const bill = {
      components: [
        { name: 'zod', version: '4.0.0', licenses: [{ license: { id: 'MIT' } }] },
        { name: 'both', version: '2.0.0', licenses: [{ expression: '(MIT OR CC0-1.0)' }] },
        { name: 'silent', version: '1.0.0' },
        { name: 'own', version: '1.0.0', licenses: [{ license: { name: 'SEE LICENSE IN LICENSE' } }] },
      ],
    };
    expect(evaluate(`it.packagesOf(${JSON.stringify(bill)})`)).toEqual([
      { name: 'both', version: '2.0.0', licence: '(MIT OR CC0-1.0)' },
      { name: 'own', version: '1.0.0', licence: 'SEE LICENSE IN LICENSE' },
      { name: 'silent', version: '1.0.0', licence: 'not stated' },
      { name: 'zod', version: '4.0.0', licence: 'MIT' },
    ]);
  });

  it('hold the texts of each package, and say which package has none', () => {
    const packages = [
      { name: 'a', version: '1.0.0', licence: 'MIT' },
      { name: 'b', version: '2.0.0', licence: 'ISC' },
    ];
    const texts = `(name, version) => (name === 'a' ? ['Text of ' + name + ' ' + version] : [])`;
    const notices = evaluate(`it.noticesOf(${JSON.stringify(packages)}, ${texts})`);
    expect(String(notices).split(/\n\n-+\n\n/)).toEqual([
      'Wardlight contains these packages.',
      'a 1.0.0: MIT',
      'Text of a 1.0.0',
      'b 2.0.0: ISC',
      '(The package has no licence file.)\n',
    ]);
  });
});
