import fc from 'fast-check';
import { damaged, latin1, twoPatients } from '../../test/damagedMessage';
import { fuzzRuns } from '../../test/fuzzRuns';
import { parseMessage } from './parseMessage';
import { readOru, type OruResult } from './readOru';

const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-01T08:00:02Z') };

function resultsOf(bytes: Uint8Array): OruResult[] {
  const parsed = parseMessage(bytes);
  return parsed.ok ? readOru(parsed.message, site) : [];
}
const read = (...lines: string[]): OruResult[] =>
  resultsOf(latin1(['MSH|^~\\&|||||20260501100009||ORU^R01|C|P|2.3', ...lines, ''].join('\r')));
/** Each patient as "A-100, readable, bed: values". */
const summary = (results: readonly OruResult[]): string[] =>
  results.map(({ patient, bed, observations }) => {
    const ids = patient.identifiers.map(({ id }) => id).join('+');
    const values = observations.map(({ value }) => value).join(' ');
    return `${ids}${patient.isReadable ? '' : ' unreadable'} ${bed}: ${values}`;
  });
const obx = (value: number): string => `OBX||NM|0002-4182^HR^MDIL|0|${value}|0004-0aa0^bpm^MDIL|||||F`;
const patientOf = (pid: string) => read(pid, 'OBR|1', obx(80))[0]?.patient;

describe('readOru: whose values they are', () => {
  it('gives each patient their own values only', () => {
    expect(summary(resultsOf(latin1(twoPatients)))).toEqual(['A-100 ICU^^B1: 97 80', 'B-200 ICU^^B2: 86 120']);
  });

  it.each([
    ['its name is damaged', 'PD|||B'],
    ['its name is another', 'PIX|||B'],
    ['its name is one of a line that belongs to a patient', 'PD1|||B'],
    ['its line end went into the name', 'P\rID|||B'],
  ])('gives no value after a lost second PID to the first patient: %s', (_name, line) => {
    const results = read('PID|||A', 'PV1||I|B1', 'OBR|1', obx(80), line, 'OBR|2', obx(90));
    expect(summary(results)).toEqual(['A B1: 80', ' unreadable null: 90']);
  });

  it('gives no value after a lost second PID to the first patient: its line end was lost', () => {
    const results = read('PID|||A', 'PV1||I|B1', 'OBR|1', `${obx(80)}PID|||B`, 'OBR|2', obx(90));
    expect(summary(results)).toEqual(['A B1: 80', ' unreadable null: 90']);
  });

  it('gives no value after a PV1 of its own to the patient before', () => {
    const results = read('PID|||A', 'PV1||I|B1', 'OBR|1', obx(80), 'PV1||I|B2', 'OBR|2', obx(90));
    expect(summary(results)).toEqual(['A B1: 80', ' unreadable B2: 90']);
  });

  it.each([
    ['a damaged PID', ['ID|||A', 'PV1||I|B1']],
    ['a damaged line after PID', ['PID|||A', 'V1||I|B1']],
    ['two PV1', ['PID|||A', 'PV1||I|B1', 'PV1||I|B2']],
    ['a PID in the tail of the line before', ['NTE|1||xPID|||A', 'PV1||I|B1']],
    ['a PID in the tail of the PID before', ['PID|||A^^^^MR||Abel|||FPID|||B^^^^MR', 'PV1||I|B1']],
    ['an OBR in the tail of the PID before', ['PID|||A^^^^MR||Abel|||FOBR|1||||||20260501100000']],
    ['an OBR in the tail of PV1', ['PID|||A', 'PV1||I|B1OBR|1||||||20260501100000']],
    ['a PV1 in the tail of the PID before', ['PID|||A^^^^MR||Abel|||FPV1||I|B1']],
    ['a PID in the tail of the PID before, whose last field is empty', ['PID|||A^^^^MR||PID|||B^^^^MR', 'PV1||I|B1']],
  ])('lets neither number nor bed decide with %s', (_name, lines) => {
    expect(read(...lines, 'OBR|1', obx(80)).map(({ patient }) => patient.isReadable)).toEqual([false]);
  });

  it.each([
    ['PID', 'PID|||B'],
    ['PV1', 'PV1||I|B2'],
    ['ORC', 'ORC|RE|2'],
    ['OBR', 'OBR|2||||||20260501100000'],
  ])('gives no one what comes after a %s in the tail of a value, because more may be lost before it', (_name, tail) => {
    const results = read('PID|||A', 'PV1||I|B1', 'OBR|1', `${obx(80)}${tail}`, obx(90));
    expect(summary(results)).toEqual(['A B1: 80', ' unreadable null: 90']);
    const beside = read('PID|||A', 'PV1||I|B1', 'OBR|1', obx(80), `BX|2|NM|${tail}`, obx(90));
    expect(summary(beside)).toEqual(['A B1: 80', ' unreadable null: 90']);
  });

  it.each(['PID|||A^^^H^PID||Abel', 'PID|||A^^^^MR||RAPID||19500101|F', 'PID|||A^^^^MR||SOBR||19500101|F'])(
    'takes %j for one whole PID',
    (pid) => {
      expect(patientOf(pid)).toMatchObject({ isReadable: true, identifiers: [{ id: 'A' }] });
    },
  );

  it('lets the bed decide without PID, if nothing is damaged', () => {
    expect(summary(read('PV1||I|B1', 'OBR|1', obx(80)))).toEqual([' B1: 80']);
    expect(summary(read('OBR|1', obx(80)))).toEqual([' null: 80']);
  });

  it('keeps the values beside a damaged one', () => {
    expect(summary(read('PID|||A', 'OBR|1', obx(80), 'OX||NM|0002', obx(90)))).toEqual(['A null: 80 90']);
  });

  it.each([
    ['PID|||""^^^^MR', false],
    ['PID|||', false],
    ['PID|1', false],
    ['PID|||""', false],
    ['PID|||  ^^^^MR', false],
    ['PID||X1', true],
    ['PID||||X1', true],
    ['PID||||||||||||||||||ACCOUNT', true],
    ['PID|||""~X1^^^^PI', true],
  ])('says of %j whether it names a person by a number: %s', (pid, expected) => {
    expect(patientOf(pid)?.hasIdentifier).toBe(expected);
  });

  it('reads identifiers with authority and type, and PID-2 after PID-3', () => {
    expect(patientOf('PID||77|A-1^^^HOSP&1.2&ISO^MR~9^^^&1.3&ISO^NI||Abel&von^Anna||19500101120000|F')).toEqual({
      identifiers: [
        { id: 'A-1', authorities: ['HOSP', '1.2'], type: 'MR' },
        { id: '9', authorities: ['1.3'], type: 'NI' },
        { id: '77', authorities: [], type: '' },
      ],
      hasIdentifier: true,
      isReadable: true,
      familyName: 'Abel',
      birthDate: '1950-01-01',
    });
  });

  it.each([
    ['PID|||A-1^^^^MR', []],
    ['PID|||A-1^^^""^MR', []],
    ['PID|||A-1^^^ & &ISO^MR', []],
    ['PID|||A-1^^^A\\T\\B^MR', ['A&B']],
    ['PID|||A-1', []],
  ])('reads the authorities of %j as %j', (pid, expected) => {
    expect(patientOf(pid)?.identifiers[0]?.authorities).toEqual(expected);
  });

  it.each([
    ['PID|||A||""^""||""', null, null],
    ['PID|||A', null, null],
    ['PID|||A||Abel||1950', 'Abel', '1950'],
    ['PID|||A||Abel||19500231', 'Abel', '19500231'],
  ])('reads name and day of birth of %j as %s, %s', (pid, familyName, birthDate) => {
    expect(patientOf(pid)).toMatchObject({ familyName, birthDate });
  });

  it.each([
    ['ICU/PCU^^iB1&0&0', 'ICU/PCU^^iB1&0&0', 'ICU/PCU'],
    [' ^^&10 ', '^^&10', null],
    ['""', null, null],
    ['', null, null],
  ])('keeps the bed %j as it was sent', (place, bed, unit) => {
    expect(read('PID|||A', `PV1||I|${place}`, 'OBR|1')[0]).toMatchObject({ bed, unit });
  });

  it.each([
    ['P', 'Abel^Anna', false],
    ['T', 'Abel^Anna', true],
    ['D', 'Abel^Anna', true],
    ['P', 'Abel^Demo', true],
    ['P', 'DEMO', true],
    ['P', 'Demont^Anna', false],
    ['P', 'Abel^Demo Anna', false],
  ])('with MSH-11 %s and the name %s says training: %s', (processing, name, expected) => {
    const text = `MSH|^~\\&|||||||ORU^R01|C|${processing}|2.3\rPID|||A||${name}\rOBR|1\r${obx(80)}\r`;
    expect(resultsOf(latin1(text)).map(({ isTraining }) => isTraining)).toEqual([expected]);
  });
});

describe('readOru: values', () => {
  const observation = (line: string, ...before: string[]) => read('PID|||A', ...before, line)[0]?.observations.at(-1);

  it('reads every part of an OBX', () => {
    const line =
      'OBX|3|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC|1.1.1.150456|97.0|262688^MDC_DIM_PERCENT^MDC|90-100|L~SP||N|R|||' +
      '20260501095959||||GATE-1^^0123^EUI-64';
    expect(observation(line, 'OBR|1||||||20260501100000')).toEqual({
      setId: '3',
      code: { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' },
      subId: '1.1.1.150456',
      valueType: 'NM',
      value: 97,
      unit: { id: '262688', text: 'MDC_DIM_PERCENT', system: 'MDC' },
      status: 'R',
      flags: ['L', 'SP'],
      takenAt: { text: '20260501095959', at: Date.parse('2026-05-01T07:59:59Z'), field: 'OBX-14' },
      deviceId: 'GATE-1^^0123^EUI-64',
      line: 4,
      orderLine: 3,
      reportedAt: Date.parse('2026-05-01T08:00:00Z'),
    });
  });

  it.each([
    ['NM', '97', 97],
    ['NM', '+97.50', 97.5],
    ['NM', '-100', -100],
    ['NM', ' 97 ', 97],
    ['NM', '', null],
    ['NM', '""', null],
    ['NM', '?', '?'],
    ['NM', '***', '***'],
    ['NM', '97,5', '97,5'],
    ['NM', '9e1', '9e1'],
    ['NM', '0x61', '0x61'],
    ['NM', 'Infinity', 'Infinity'],
    ['NM', '9'.repeat(400), '9'.repeat(400)],
    ['NM', '97~98', '97~98'],
    ['NM', '97^98', '97^98'],
    ['NA', '97^98^99', '97^98^99'],
    ['NA', '97', '97'],
    ['ST', '97', '97'],
    ['', '97', '97'],
    ['SN', '^97', 97],
    ['SN', '=^97', 97],
    ['SN', '>^97', '>^97'],
    ['SN', '^97^-^98', '^97^-^98'],
  ])('reads %s %j as %j', (type, text, expected) => {
    expect(observation(`OBX||${type}|1^A^L||${text}`)?.value).toBe(expected);
  });

  it.each([
    ['OBX-14', '20260501095500', '20260501100000', '2026-05-01T07:55:00Z'],
    ['OBR-7', '', '20260501100000', '2026-05-01T08:00:00Z'],
    ['OBR-7', '""', '20260501100000', '2026-05-01T08:00:00Z'],
    ['MSH-7', '', '', '2026-05-01T08:00:09Z'],
  ])('takes the time of %s', (field, own, order, at) => {
    expect(observation(`OBX||NM|1|0|97||||||F|||${own}`, `OBR|1||||||${order}`)?.takenAt).toMatchObject({
      field,
      at: Date.parse(at),
    });
  });

  it('does not replace a time that it cannot read by that of the message', () => {
    const line = 'OBX||NM|1|0|97||||||F|||2026050109';
    expect(observation(line, 'OBR|1||||||20260501100000')?.takenAt).toEqual({
      text: '2026050109',
      at: null,
      field: 'OBX-14',
    });
  });

  const value = 'OBX||NM|1|0|97||||||F';
  it.each([
    ['the name of its OBR is damaged', ['OBR|1||||||20260501093000', value, 'BR|2||||||20260501100000', value]],
    ['a bar is lost before OBR-7', ['OBR|1|||||20260501100000', value]],
    ['a bar is lost before OBX-14', ['OBR|1||||||20260501100000', `${value}||20260501093000`]],
  ])('gives a value no other time than its own where %s', (_name, lines) => {
    expect(
      read('PID|||A', ...lines)
        .at(-1)
        ?.observations.at(-1)?.takenAt,
    ).toMatchObject({ text: null, at: null });
  });

  it('keeps the times of values beside a damaged one, and their own times beside a damaged OBR', () => {
    const results = read(
      ...['PID|||A', 'OBR|1||||||20260501093000', 'OX||NM|1|0|97||||||F', value],
      ...['BR|2||||||20260501100000', `${value}|||20260501095500`],
    );
    expect(results.flatMap(({ observations }) => observations.map(({ takenAt }) => takenAt.text))).toEqual([
      '20260501093000',
      '20260501095500',
    ]);
  });

  it('takes a time of OBR for the patient of that OBR only', () => {
    const [, second] = read('PID|||A', 'OBR|1||||||20260501100000', obx(80), 'PID|||B', obx(90));
    expect(second?.observations[0]?.takenAt.field).toBe('MSH-7');
  });

  it('takes the device of the row that contains a value, within one patient', () => {
    const row = (id: string, device: string) => `OBX||||${id}|||||||X|||||||${device}`;
    const [first, second] = read(
      'PID|||A',
      'OBR|1',
      row('1.0.0.0', 'MON-1'),
      row('1.1.0.0', 'PART'),
      row('2.0.0.0', 'MON-2'),
      'OBX||NM|1|1.1.1.1|97||||||F',
      'OBX||NM|1|2.1.1.1|97||||||F',
      'OBX||NM|1|3.1.1.1|97||||||F',
      'OBX||NM|1|1|97||||||F',
      'PID|||B',
      'OBR|1',
      'OBX||NM|1|1.1.1.1|97||||||F',
    );
    expect(first?.observations.slice(3).map(({ deviceId }) => deviceId)).toEqual(['MON-1', 'MON-2', null, null]);
    expect(second?.observations.map(({ deviceId }) => deviceId)).toEqual([null]);
  });

  it('gives no value of one patient to the other, however a message is damaged', () => {
    // Values of the second patient are 86 and 120, of the first 97 and 80. A damage can change digits, so the names
    // are looked at: the second patient's are Philips'.
    const isSeconds = ({ code }: { code: { system: string } }): boolean => code.system === 'MDIL';
    fc.assert(
      fc.property(damaged, (bytes) => {
        // The line ends are compared, because a damage can also move whole lines; that is another message.
        const text = String.fromCharCode(...bytes);
        fc.pre(['PID|||A-100', 'PID|||B-200'].every((pid) => text.split(pid).length <= 2));
        const wrong = resultsOf(bytes).filter(
          ({ patient, observations }) =>
            patient.isReadable &&
            patient.identifiers.some(({ id }) => id === 'A-100') &&
            observations.some(isSeconds) &&
            // Two lines of the head lost in one piece leave no trace; the deframer's and the sender's part.
            text.includes('Berg'),
        );
        expect(wrong).toEqual([]);
      }),
      fuzzRuns,
    );
  });

  it('loses at each single lost byte no more than the quarantine gets, and mixes nothing up', () => {
    const whole = latin1(twoPatients);
    const wrong = [...whole.keys()].filter((lost) =>
      resultsOf(Uint8Array.from([...whole.slice(0, lost), ...whole.slice(lost + 1)])).some(
        ({ patient, observations }) =>
          patient.isReadable &&
          new Set(observations.map(({ code }) => code.system).filter((system) => /^MD(?:C|IL)$/.test(system))).size > 1,
      ),
    );
    expect(wrong).toEqual([]);
  });
});
