import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds, vitalKinds } from '../vitals/kinds';
import { acknowledge } from './acknowledge';
import { codeText, knownCodes, unitsOf } from './codes';
import { parseMessage } from './parseMessage';
import { readOru } from './readOru';
import { readValue } from './readValue';

const statement = readFileSync(join(__dirname, '../../docs/hl7-conformance.md'), 'utf8');
/** Returns the rows of the table below a heading, without its two first lines. */
const tableOf = (heading: string): string[][] => {
  const section = statement.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};
/** Returns the text of the nth block of code in a language. */
const blockOf = (language: string): string => statement.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

describe('the conformance statement', () => {
  it('lists the codes that are known, and no other', () => {
    const shown = knownCodes.map((row) => [
      `\`${codeText(row)}\``,
      `${kinds[row.kind].label} (${kinds[row.kind].unit})${row.isUnitless ? ', without a unit' : ''}`,
    ]);
    expect(tableOf('Codes')).toEqual(shown);
  });

  it('lists the units that are taken for each kind, and no other', () => {
    const taken = vitalKinds.flatMap((kind) => {
      const units = unitsOf[kind];
      const words = units.map(({ names, ucumOnly = [] }) =>
        [...names.map((name) => `\`${name}\``), ...ucumOnly.map((name) => `\`${name}\` of UCUM`)].join(' '),
      );
      const codes = units.flatMap(({ mdc }) => mdc).join(', ');
      return units.length === 0 ? [] : [[kinds[kind].label, words.join('; '), codes]];
    });
    expect(tableOf('Units')).toEqual(taken);
  });

  it('has an example whose values are all taken', () => {
    const parsed = parseMessage(new TextEncoder().encode(blockOf('text')));
    const results = parsed.ok ? readOru(parsed.message, { timeZone: 'UTC', receivedAt: 0 }) : [];
    expect(results.map(({ patient, bed }) => ({ mrn: patient.identifiers[0], bed }))).toEqual([
      { mrn: { id: '123456', authorities: ['HOSPITAL'], type: 'MR' }, bed: 'ICU^^7' },
    ]);
    expect(results.flatMap(({ observations }) => observations.map((one) => readValue(one)))).toMatchObject([
      { outcome: 'value', kind: 'spo2', value: 96, quality: 'good' },
      { outcome: 'value', kind: 'pulseRate', value: 72, quality: 'good' },
    ]);
  });

  it.each(['2.3', '2.4', '2.5.1', '2.6'])(
    'has a transformer that sends again what is to be, of version %s',
    (version) => {
      const pattern = /\/(.+)\/\.test/.exec(blockOf('js'))?.[1] ?? '';
      const message = `MSH|^~\\&|||||20260301||ORU^R01|207|P|${version}\r`;
      const parsed = parseMessage(new TextEncoder().encode(message));
      const header = parsed.ok ? parsed.message.header : null;
      const answer = (code: number): string =>
        new TextDecoder().decode(
          acknowledge({ header, code: 'AR', error: { code, text: 'A reason.' }, now: 0, controlId: '207' }),
        );
      expect([answer(207), answer(200), answer(204)].map((text) => new RegExp(pattern).test(text))).toEqual([
        true,
        false,
        false,
      ]);
    },
  );
});
