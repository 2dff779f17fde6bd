import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import fc from 'fast-check';
import { capturedKinds, capturePath, countBy, describeCapture, plainLines } from '../../test/capture';
import { damaged, latin1, twoPatients } from '../../test/damagedMessage';
import { fuzzRuns } from '../../test/fuzzRuns';
import type { HeardAlarm } from '../deviceAlarms/heardAlarm';
import { toInstant } from '../time/schema';
import { kinds, type VitalKind, vitalKinds } from '../vitals/kinds';
import { createDeframer } from './Deframer';
import { acknowledge } from './acknowledge';
import { charsetOf } from './charset';
import { type Code, codeFrom, codeRow, codeText, isSomeTemperature, knownCodes, unitOf, unitsOf } from './codes';
import { inopOf } from './inops';
import { noteStructure } from './noteStructure';
import { type Message, parseMessage } from './parseMessage';
import { readAlarms } from './readAlarms';
import { type Observation, type OruResult, readOru } from './readOru';
import { readValue } from './readValue';
import { choicesOf, nothingSeen, proposedAnswers, proposedTexts, type SeenStructure } from './seenStructure';
import {
  meaningBy,
  numberIs,
  offeredCharsets,
  senderSettings,
  type SenderSettings,
  unanswered,
  versionOne,
} from './senderSettings';

describe('readOru', () => {
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
      ['PID without its first letter', 'ID|||B^^^H^MR||BergV1||I|B2'],
      ['PV1', 'PV1||I|B2'],
      ['ORC', 'ORC|RE|2'],
      ['OBR', 'OBR|2||||||20260501100000'],
    ])(
      'gives no one what comes after a %s in the tail of a value, because more may be lost before it',
      (_name, tail) => {
        const results = read('PID|||A', 'PV1||I|B1', 'OBR|1', `${obx(80)}${tail}`, obx(90));
        expect(summary(results)).toEqual(['A B1: 80', ' unreadable null: 90']);
        const beside = read('PID|||A', 'PV1||I|B1', 'OBR|1', obx(80), `BX|2|NM|${tail}`, obx(90));
        expect(summary(beside)).toEqual(['A B1: 80', ' unreadable null: 90']);
      },
    );

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
          { id: 'A-1', authorities: ['HOSP', '1.2'], type: 'MR', field: 3 },
          { id: '9', authorities: ['1.3'], type: 'NI', field: 3 },
          { id: '77', authorities: [], type: '', field: 2 },
        ],
        hasIdentifier: true,
        isReadable: true,
        familyName: 'Abel',
        givenName: 'Anna',
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
      ['PID|||A||Abel||00000000', 'Abel', null],
      ['PID|||A||Abel||00010101000000', 'Abel', null],
      ['PID|||A||Abel||99999999', 'Abel', null],
      ['PID|||A||Abel||0000', 'Abel', '0000'],
      ['PID|||A||Abel^Ann^^JR', 'Abel JR', null],
      ['PID|||A||Abel^Ann^^MD', 'Abel', null],
      ['PID|||A||^Ann^^JR', null, null],
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

    it('reads the second triplet of a code and of a unit, if it says something', () => {
      const read = observation('OBX||NM|A^B^C^D^E^F||97|%^^^^^UCUM');
      expect(read?.code).toEqual({ id: 'A', text: 'B', system: 'C', alternate: { id: 'D', text: 'E', system: 'F' } });
      expect(read?.unit).toEqual({ id: '%', text: '', system: '' });
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

    const timesOf = (messageTime: string, order: string, own: string) => {
      const lines = ['PID|||A', `OBR|1||||||${order}|||||||20260501090000`, `OBX||NM|1|0|97||||||F|||${own}`];
      const [result] = resultsOf(latin1([`MSH|^~\\&|||||${messageTime}||ORU^R01|C|P|2.3`, ...lines, ''].join('\r')));
      const { takenAt, reportedAt = null } = result?.observations[0] ?? {};
      return [result?.sentAt ?? null, reportedAt, takenAt?.at ?? null].map((at) => (at === null ? at : toInstant(at)));
    };

    it.each([
      ['+0000', '10:00:09', '10:00:00', '09:59:58'],
      ['.1234-0330', '13:30:09', '13:30:00', '13:29:58'],
      ['', '08:00:09', '08:00:00', '07:59:58'],
      ['.123456', '08:00:09', '08:00:00', '07:59:58'],
    ])('reads all times of a message in the zone of MSH-7 (%j), else in that of the site', (zone, ...expected) => {
      const times = timesOf(`20260501100009${zone}`, '20260501100000', '20260501095958');
      expect(times.map((at) => at?.slice(11, 19))).toEqual(expected);
      expect(timesOf(`20260501100009${zone}`, '', '20260501095958+0200')[2]).toBe('2026-05-01T07:59:58.000Z');
    });

    it.each([
      '202605011000090000',
      '20260501100009+000',
      '20260501100009+',
      '20260501100009.50000',
      '20260501100009+9000',
    ])('reads no time without a zone if MSH-7 may have lost its own: %s', (messageTime) => {
      expect(timesOf(messageTime, '20260501100000', '20260501095958+0200')).toEqual([
        ...[null, null],
        '2026-05-01T07:59:58.000Z',
      ]);
      expect(timesOf(messageTime, '20260501100000', '')[2]).toBeNull();
    });

    it('takes OBR-14 only if no other time is sent', () => {
      expect(timesOf('', '', '')).toEqual([null, '2026-05-01T07:00:00.000Z', '2026-05-01T07:00:00.000Z']);
      expect(timesOf('2026', '', '')).toEqual([null, null, null]);
      expect(timesOf('', '2026', '')[2]).toBeNull();
      expect(timesOf('20260501100009', '', '')[2]).toBe('2026-05-01T08:00:09.000Z');
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
              // A head that has lost name and number leaves no trace; the deframer's and the sender's part.
              text.includes('200^^^HOSP^MR|'),
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
            new Set(observations.map(({ code }) => code.system).filter((system) => /^MD(?:C|IL)$/.test(system))).size >
              1,
        ),
      );
      expect(wrong).toEqual([]);
    });
  });
});

describe('readValue', () => {
  const mdc = (id: string): Code => ({ id, text: '', system: 'MDC' });
  const unit = (id: string): Code => ({ id, text: '', system: '' });
  const observation = (changed: Partial<Observation>): Observation => ({
    setId: '1',
    code: mdc('150456'),
    subId: '',
    valueType: 'NM',
    value: 97,
    unit: unit('%'),
    status: 'F',
    flags: [],
    takenAt: { text: null, at: null, field: null },
    deviceId: null,
    line: 5,
    ...{ reportedAt: null, orderLine: null },
    ...changed,
  });
  const heartRate = { code: mdc('147842'), unit: unit('/min') };
  const value = (kind: string, number: number, quality = 'good', isCorrection = false) => ({
    outcome: 'value',
    kind,
    value: number,
    quality,
    isCorrection,
  });

  it.each(['', 'I', 'O', 'U', 'FPID', 'f', '__proto__'])('refuses a value with the status %j', (status) => {
    expect(readValue(observation({ status }))).toEqual({ outcome: 'refused', kind: 'spo2', reason: 'status' });
  });

  it.each([
    ['a test', 'spo2', { flags: ['L', 'TEST'] }, 'training'],
    ['a demonstration', 'spo2', { flags: ['DEMO'] }, 'training'],
    ['no unit', 'spo2', { unit: unit('') }, 'unit'],
    ['the unit of another kind', 'spo2', { unit: unit('mmHg') }, 'unit'],
    // Of a pressure under this code nothing is known: the probe may well have a signal.
    ['what no patient can have in the unit of another kind', 'spo2', { value: 120, unit: unit('mmHg') }, 'unit'],
  ])('refuses %s', (_name, kind, changed, reason) => {
    expect(readValue(observation(changed))).toEqual({
      outcome: 'refused',
      kind,
      reason,
    });
  });

  it.each(['TEST', 'DEMO'])('takes a value that is marked %s from a sender on trial', (flag) => {
    expect(readValue(observation({ flags: [flag] }), { isTrainingTaken: true })).toEqual(value('spo2', 97));
  });

  it.each([
    ['nothing', { value: null }],
    ['-100', { value: -100 }],
    ['32767', { value: 32_767 }],
    ['more than a patient can have', { value: 101 }],
    ['the 127 of an oximeter', { value: 127 }],
    ['less than a patient can have', { value: -999 }],
    ['127 without a unit', { value: 127, unit: unit('') }],
    ['-999 without a unit', { value: -999, unit: unit('') }],
    ['-1 in a unit that is not known', { value: -1, unit: unit('pct') }],
    ['a fraction above 1', { value: 97, unit: { id: '1', text: '', system: 'UCUM' } }],
    ['a question mark', { value: '?' }],
    ['a text of digits', { valueType: 'ST', value: '97' }],
    ['X without a value', { status: 'X', value: null, unit: unit('') }],
    ['X with a value', { status: 'X' }],
    ['N', { status: 'N' }],
    ['not available', { flags: ['NAV'] }],
    ['a saturation of 0', { value: 0 }],
    ['a percentage that is a fraction', { value: 0.97 }],
  ])('takes %s for no signal', (_name, changed) => {
    expect(readValue(observation(changed))).toEqual({ outcome: 'noSignal', kind: 'spo2' });
  });

  it.each(['F', 'X', 'D', ''])('takes an array under a number with the status %j for neither', (status) => {
    for (const changed of [
      { valueType: 'NA', value: '97^98^97' },
      { valueType: 'MA', value: '97' },
      { valueType: 'NA', value: null, flags: ['NAV'] },
    ]) {
      expect(readValue(observation({ ...changed, status }))).toEqual({ outcome: 'containment' });
    }
  });

  it('takes 384.5 degrees for no signal, and a pulse of 0', () => {
    const probe = observation({ code: mdc('150364'), value: 384.5, unit: unit('Cel') });
    expect(readValue(probe)).toEqual({ outcome: 'noSignal', kind: 'temperature' });
    expect(readValue({ ...probe, unit: unit('') })).toEqual({ outcome: 'noSignal', kind: 'temperature' });
    expect(readValue({ ...probe, value: -99.9 })).toEqual({ outcome: 'noSignal', kind: 'temperature' });
    const pulse = observation({ code: mdc('149530'), value: 0, unit: unit('bpm') });
    expect(readValue(pulse)).toEqual({ outcome: 'noSignal', kind: 'pulseRate' });
  });

  it('keeps an ECG heart rate of 0, unless two people said that this sender means no signal', () => {
    const asystole = observation({ ...heartRate, value: 0 });
    expect(readValue(asystole)).toEqual(value('heartRate', 0));
    const settings = { ...versionOne, isZeroRateNoSignal: true };
    expect(readValue(asystole, { settings })).toEqual({ outcome: 'noSignal', kind: 'heartRate' });
    const slow = observation({ ...heartRate, value: 8 });
    expect(readValue(slow, { settings })).toEqual(value('heartRate', 8));
  });

  it.each(['D', 'W'])('withdraws with the status %s, with and without a value', (status) => {
    const expected = { outcome: 'withdraw', kind: 'spo2' };
    expect(readValue(observation({ status }))).toEqual(expected);
    expect(readValue(observation({ status, value: null }))).toEqual(expected);
  });

  it.each(['F', 'C', 'X', ''])('refuses what is held with the status %j, and lets D take it back', (status) => {
    const lookUp = () => ({ kind: 'spo2', isUnitless: false, isHeld: true }) as const;
    const refused = { outcome: 'refused', kind: 'spo2', reason: 'text' };
    expect(readValue(observation({ status }), { lookUp })).toEqual(refused);
    expect(readValue(observation({ status: 'D' }), { lookUp })).toEqual({ outcome: 'withdraw', kind: 'spo2' });
  });

  it.each(['F', 'R', 'P', 'S'])('takes a value with the status %s', (status) => {
    expect(readValue(observation({ status }))).toEqual(value('spo2', 97));
  });

  it('says that a C replaces', () => {
    expect(readValue(observation({ status: 'C' }))).toEqual(value('spo2', 97, 'good', true));
  });

  it.each([
    [[], 'good'],
    [['L', 'SP'], 'good'],
    [['QUES'], 'questionable'],
    [['INV'], 'invalid'],
    [['QUES', 'INV'], 'invalid'],
    [['CAL'], 'invalid'],
  ])('with OBX-8 %j the value is %s', (flags, quality) => {
    expect(readValue(observation({ flags }))).toEqual(value('spo2', 97, quality));
  });

  it.each([
    ['150364', 98.6, '[degF]', 37],
    ['150364', 310.15, 'K', 37],
    ['150364', 37.2, '°C', 37.2],
    ['150301', 16, 'kPa', 120.0102],
    ['188736', 154, 'lb', 69.8532],
    ['188736', 3_400, 'g', 3.4],
  ])('converts %s %d %s to %d', (id, number, name, expected) => {
    const { outcome, ...rest } = readValue(observation({ code: mdc(id), value: number, unit: unit(name) }));
    expect([outcome, 'value' in rest ? rest.value : null]).toEqual(['value', expected]);
  });

  it('takes a fraction for a percentage where UCUM says so', () => {
    const fraction = observation({ value: 0.97, unit: { id: '1', text: '', system: 'UCUM' } });
    expect(readValue(fraction)).toEqual(value('spo2', 97));
  });

  it('says which code it does not know, and nothing of a row that only contains others', () => {
    const code = { id: '0402-f8f5', text: 'sMode', system: 'MDIL' };
    expect(readValue(observation({ code }))).toEqual({ outcome: 'unmapped', code });
    expect(readValue(observation({ code: mdc('69965'), status: 'X', value: null }))).toEqual({
      outcome: 'containment',
    });
  });

  describe('by the settings of its sender', () => {
    const { code } = observation({});
    const by = (change: Partial<SenderSettings>) => ({ settings: { ...versionOne, ...change } });
    const meaning = (number: number, values: number[], more: Partial<Observation> = {}) =>
      readValue(observation({ value: number, ...more }), by({ sentinels: [{ code: more.code ?? code, values }] }));

    it.each([
      ['a value that a patient can have', 97, [97], {}],
      ['one that a patient can have in another unit', 0.97, [0.97], { unit: { id: '1', text: '', system: 'UCUM' } }],
      ['asystole', 0, [0], heartRate],
      ['a fast heart', 250, [250], heartRate],
    ])('takes %s for a value, although somebody called it no signal', (_name, number, values, more) => {
      expect(meaning(number, values, more)).toMatchObject({ outcome: 'value' });
    });

    it.each([
      ['a number in a unit that is not known', 127, [127], { unit: unit('pct') }],
      ['a rate of 255', 255, [127, 255], heartRate],
    ])('takes %s for no signal where they say so', (_name, number, values, more) => {
      expect(meaning(number, values, more)).toMatchObject({ outcome: 'noSignal' });
      expect(meaning(number, [126], more)).not.toMatchObject({ outcome: 'noSignal' });
    });

    it('calls a number no signal under its own code alone', () => {
      const other = by({ sentinels: [{ code: { ...code, id: '149530' }, values: [127] }] });
      expect(readValue(observation({ value: 127, unit: unit('pct') }), other)).toMatchObject({ outcome: 'refused' });
    });

    it.each([
      ['no unit for the code', [], unit(''), { outcome: 'refused', kind: 'spo2', reason: 'unit' }],
      ['that of another code', [{ code: heartRate.code, unit: '%' }], unit(''), { outcome: 'refused' }],
      ['one that the kind has not', [{ code, unit: 'kg' }], unit(''), { outcome: 'refused' }],
      ['one where another is sent', [{ code, unit: '%' }], unit('mmHg'), { outcome: 'refused' }],
      ['one of the kind', [{ code, unit: '%' }], unit(''), value('spo2', 97)],
    ])('reads a value without a unit by the settings, with %s', (_name, missingUnits, sent, expected) => {
      expect(readValue(observation({ unit: sent }), by({ missingUnits }))).toMatchObject(expected);
    });

    it('converts a value without a unit from the unit in the settings', () => {
      const fever = observation({ code: mdc('150364'), value: 98.6, unit: unit('') });
      const settings = by({ missingUnits: [{ code: mdc('150364'), unit: '[degF]' }] });
      expect(readValue(fever, settings)).toEqual(value('temperature', 37));
    });

    it.each([
      ['other letters', 'pct', 'Pct', '%'],
      ['other words', 'pct', 'pct^Prozent^L', '%'],
      ['nothing', 'pct', '', '%'],
      ['a text whose unit is of another kind', 'pct', 'pct', 'mmHg'],
      ['a unit of another kind', 'mmHg', 'mmHg', '%'],
      ['one in the second triplet', 'pct^^L^mm[Hg]^^UCUM', 'pct^^L^mm[Hg]^^UCUM', '%'],
      ['a number of 11073-10101', '262720^pct^MDC', '262720^pct^MDC', '%'],
    ])('refuses %s, whatever unit they give it', (_name, sent, inMessage, given) => {
      const settings = by({ missingUnits: [{ code, sent, unit: given }] });
      const refused = { outcome: 'refused', kind: 'spo2', reason: 'unit' };
      expect(readValue(observation({ unit: codeFrom(inMessage) }), settings)).toEqual(refused);
    });

    it.each([
      ['150456', 97, 'pct', '%', 'spo2', 97],
      ['150456', 97, 'pct^Prozent^L^%^^UCUM', '%', 'spo2', 97],
      ['150456', 97, '%', '%', 'spo2', 97],
      ['150364', 98.6, 'Grad F', '[degF]', 'temperature', 37],
      ['150301', 16, '^Kilopascal', 'kPa', 'systolic', 120.0102],
    ])('takes %s %d "%s" as in %s', (id, number, sent, given, kind, expected) => {
      const settings = by({ missingUnits: [{ code: mdc(id), sent, unit: given }] });
      const measured = observation({ code: mdc(id), value: number, unit: codeFrom(sent) });
      expect(readValue(measured, settings)).toEqual(value(kind, expected));
    });
  });

  it('uses the mappings that it is given', () => {
    const local = { id: 'SPO2', text: '', system: 'L' };
    const lookUp = (code: Code) => (code.id === 'SPO2' ? { kind: 'spo2' as const, isUnitless: true } : codeRow(code));
    expect(readValue(observation({ code: local, unit: unit('') }), { lookUp })).toEqual(value('spo2', 97));
    expect(readValue(observation({}), { lookUp })).toEqual(value('spo2', 97));
  });
});

describe('the settings of a sender', () => {
  const code = { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' };
  const rate = { id: '147842', text: '', system: 'MDC' };
  const mrn = (type: string, authority: string | null = '') => ({ type, authority, is: 'mrn' as const });
  const none = (type: string, authority: string | null = '') => ({ type, authority, is: 'none' as const });
  const by = (change: Partial<SenderSettings>): SenderSettings => ({ ...versionOne, ...change });
  const isTaken = (change: object): boolean => senderSettings.safeParse({ ...versionOne, ...change }).success;
  const site = { timeZone: 'Europe/Berlin', receivedAt: Date.parse('2026-05-01T08:00:02Z') };
  const heads = { plain: 'MSH|^~\\&|||||20260501100009||ORU^R01|C|P|2.3', pid: 'PID|||A^^^^MR' };
  const spo2 = (status = 'F', more = ''): string => `OBX||NM|150456^^MDC|1|97|%|||||${status}${more}`;
  const parsed = (lines: readonly string[], charset = ''): Message => {
    const message = parseMessage(latin1([...lines, ''].join('\r')), charset);
    if (!message.ok) {
      throw new Error(message.reason);
    }
    return message.message;
  };
  const read = (settings: SenderSettings, ...lines: string[]): OruResult[] =>
    readOru(parsed([heads.plain, ...lines]), site, settings);

  it.each([
    ['an account as the MRN', { identifiers: [mrn('AN')] }],
    ['a visit as the MRN', { identifiers: [mrn('vn')] }],
    ['a social security number as the MRN', { identifiers: [mrn('SS', 'USA')] }],
    ['a national number as the MRN', { identifiers: [mrn('NI')] }],
    ['one number as the MRN and as none', { identifiers: [mrn('PI'), none('PI')] }],
    ['a zone that is none', { timeZone: 'Berlin' }],
    ['a character set that is not read', { charset: 'CNS 11643-1992' }],
    ['a saturation as no signal', { sentinels: [{ code, values: [127, 97] }] }],
    ['asystole as no signal', { sentinels: [{ code: rate, values: [0] }] }],
    ['a temperature that is one in other units', { sentinels: [{ code: { ...rate, id: '150364' }, values: [98.6] }] }],
    ['a unit of another kind', { missingUnits: [{ code, unit: 'mmHg' }] }],
    ['a unit of another kind for a text', { missingUnits: [{ code, sent: 'pct', unit: 'mmHg' }] }],
    ['a unit for a text that means another one', { missingUnits: [{ code, sent: 'mmHg', unit: '%' }] }],
    [
      'two units of one text',
      { missingUnits: ['Cel', '[degF]'].map((unit) => ({ code: { ...rate, id: '150364' }, sent: 'Grad', unit })) },
    ],
    ['two answers about one text', { texts: [true, false].map((isMeant) => ({ code, isMeant })) }],
    ['a text without an answer', { texts: [{ code }] }],
    [
      'a unit of two',
      {
        missingUnits: [
          { code, unit: '%' },
          { code, unit: '%' },
        ],
      },
    ],
    ['another status than F', { missingStatus: 'R' }],
    ['an answer that refuses what is stored', { quarantine: { partly: 'AR', wholly: 'AE' } }],
    ['what was not asked', { bedSide: true }],
  ])('refuse %s', (_name, change) => {
    expect(isTaken(change)).toBe(false);
  });

  it('take everything that is offered, 255 of a rate included, and what holds without any', () => {
    expect([isTaken(versionOne), isTaken(unanswered)]).toEqual([true, true]);
    expect(isTaken({ sentinels: [{ code: rate, values: [255, 511] }], missingUnits: [{ code, unit: '%' }] })).toBe(
      true,
    );
    const units = [{ code, unit: '%' }, ...['pct', 'Prozent'].map((sent) => ({ code, sent, unit: '%' }))];
    expect(isTaken({ missingUnits: units, texts: [{ code: rate, isMeant: false }] })).toBe(true);
    expect(offeredCharsets.filter((charset) => charsetOf([charset]) === null)).toEqual([]);
    const identifiers = [mrn('MR', null), mrn('PI', 'HOSP'), mrn(''), mrn('X-OWN'), none('AN')];
    expect(isTaken({ identifiers, charset: 'BIG-5', timeZone: 'Asia/Tokyo' })).toBe(true);
  });

  it('are whole as they were stored before texts were asked about', () => {
    const stored: unknown = JSON.parse(JSON.stringify({ ...versionOne, texts: undefined }));
    expect(senderSettings.parse(stored)).toEqual(versionOne);
  });

  describe('say what a text beside a known number means', () => {
    const meant = (sent: string, texts: SenderSettings['texts'], mappingId: number | null = null): string => {
      const sentCode = codeFrom(sent);
      const row = codeRow(sentCode);
      const known = row === null ? null : { ...row, mappingId };
      const meaning = meaningBy(by({ texts }), { code: sentCode, subId: '' }, known);
      return meaning === null ? 'nothing' : meaning.isHeld === true ? 'held' : meaning.kind;
    };
    const answers = [
      { code: { id: '150456', text: 'Sat', system: 'MDC' }, isMeant: true },
      { code: { id: '150456', text: 'SpO2 CO', system: 'MDC' }, isMeant: false },
    ];

    it.each([
      ['150456^Sauerstoff^MDC', 'spo2', 'held', 'held'],
      ['150456^HR^MDC', 'spo2', 'held', 'held'],
      ['150456^sat^MDC', 'spo2', 'held', 'held'],
      ['147842^Threshold^MDC', 'heartRate', 'held', 'held'],
      ['147842^Pulse^MDC', 'heartRate', 'held', 'held'],
      ['150302^NIBP sys^MDC', 'diastolic', 'held', 'held'],
      ['0002-4bb8^Sat^MDIL', 'spo2', 'held', 'held'],
      ['S^Satt^L^150456^Foo^MDC', 'spo2', 'held', 'held'],
      ['150456^Sat^MDC', 'spo2', 'held', 'spo2'],
      ['150456^Sat^MDC^59408-5^O2 sat^LN', 'spo2', 'held', 'spo2'],
      ['S^Satt^L^150456^Sat^MDC', 'spo2', 'held', 'spo2'],
      ['150456^SpO2 CO^MDC', 'spo2', 'held', 'nothing'],
      ['S^Satt^L^150456^SpO2 CO^MDC', 'spo2', 'held', 'nothing'],
      ['150456^Perf (SpO2)^MDC', 'spo2', 'held', 'held'],
      ['150364^Temp skin^MDC', 'temperature', 'held', 'held'],
      // The plain name of the kind.
      ['150456^%SpO2-left^MDC', 'spo2', 'spo2', 'spo2'],
      ['150456^Sp O₂^MDC', 'spo2', 'spo2', 'spo2'],
      ['147842^ECG_HR^MDC', 'heartRate', 'heartRate', 'heartRate'],
      ['147842^Heart Rate^MDC', 'heartRate', 'heartRate', 'heartRate'],
      ['149530^PulseRate^MDC', 'pulseRate', 'pulseRate', 'pulseRate'],
      ['151562^awResp.^MDC', 'respiratoryRate', 'respiratoryRate', 'respiratoryRate'],
      ['150302^NIBP dia^MDC', 'diastolic', 'diastolic', 'diastolic'],
      ['0002-4822^PR^MDIL', 'pulseRate', 'pulseRate', 'pulseRate'],
      // The name of the number, and none.
      ['150456^^MDC', 'spo2', 'spo2', 'spo2'],
      ['147842^mdc_ecg_card_beat_rate^MDC', 'heartRate', 'heartRate', 'heartRate'],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^150456^Foo^MDC', 'spo2', 'spo2', 'spo2'],
      ['150456^MDC_RESP_RATE^MDC', 'nothing', 'nothing', 'nothing'],
    ])('%s: %s before that was asked, %s since, %s by the answers', (sent, before, since, answered) => {
      expect([null, [], answers].map((texts) => meant(sent, texts))).toEqual([before, since, answered]);
    });

    it('but not where two people have mapped the code', () => {
      expect(meant('S^Satt^L^150456^Foo^MDC', [], 7)).toBe('spo2');
    });
  });

  describe('say which number is the MRN', () => {
    const number = (type: string, authorities: string[] = [], field = 3) => ({ type, authorities, field });

    it.each([
      ['another type', [mrn('PI')], number('MR'), 'other'],
      ['no type where one is asked for', [mrn('MR')], number(''), 'other'],
      ['a type where none is asked for', [mrn('')], number('PI'), 'other'],
      ['a type in other letters', [mrn('MR')], number('mr'), 'other'],
      ['an authority where none is asked for', [mrn('PI')], number('PI', ['HOSP']), 'other'],
      ['no authority where one is asked for', [mrn('PI', 'HOSP')], number('PI'), 'other'],
      ['another authority', [mrn('PI', 'HOSP')], number('PI', ['LAKE', '1.2']), 'other'],
      ['no type, of PID-2', [mrn('')], number('', [], 2), 'other'],
      ['no type, of PID-4', [mrn('')], number('', [], 4), 'other'],
      ['nothing that is answered', [], number('MR'), 'other'],
      ['a visit', [mrn('MR'), none('VN')], number('VN'), 'none'],
      [
        'what is an MRN by one rule and absent by another',
        [mrn('PI', 'A'), none('PI', 'B')],
        number('PI', ['A', 'B']),
        'mrn',
      ],
      ['the type', [mrn('PI')], number('PI'), 'mrn'],
      ['no type', [mrn('')], number(''), 'mrn'],
      ['the authority by its universal id', [mrn('PI', '1.2')], number('PI', ['HOSP', '1.2']), 'mrn'],
      ['the authority in Unicode’s other form', [mrn('PI', 'S\u00fcd')], number('PI', ['Su\u0308d']), 'mrn'],
      ['any authority, before that was asked', versionOne.identifiers, number('MR', ['LAKE']), 'mrn'],
    ])('of %s', (_name, identifiers, sent, expected) => {
      expect(numberIs(by({ identifiers }), sent)).toBe(expected);
    });

    it.each([
      ['PID|||A^^^^MR', [none('VN')], true],
      ['PID|||7^^^^VN', [], true],
      ['PID|||7^^^LAKE^VN', [none('VN')], true],
      [`PID${'|'.repeat(18)}7`, [none('VN')], true],
      [`PID${'|'.repeat(19)}7`, [none('AN')], true],
      ['PID|||7^^^^VN', [none('VN')], false],
      [`PID${'|'.repeat(18)}7|8`, [none('AN'), none('SS')], false],
    ])('and whether %j names a person by a number, with %j: %s', (pid, identifiers, expected) => {
      expect(read(by({ identifiers }), pid, 'OBR|1', spo2())[0]?.patient.hasIdentifier).toBe(expected);
    });
  });

  describe('say what is final where no status is sent', () => {
    const statuses = (settings: SenderSettings, ...lines: string[]) =>
      read(settings, heads.pid, 'OBR|1', ...lines).flatMap(({ observations }) =>
        observations.map(({ status }) => status),
      );
    const final = by({ missingStatus: 'F' });

    it.each([
      ['the settings do not say so', versionOne, [spo2(''), spo2('')], ['', '']],
      ['another value has one', final, [spo2(''), spo2('P')], ['', 'P']],
      ['another value says that it has none', final, [spo2(''), spo2('""')], ['', '']],
      ['a line cannot be read', final, [spo2(''), 'BX||NM'], ['']],
    ])('to no value if %s', (_name, settings, lines, expected) => {
      expect(statuses(settings, ...lines)).toEqual(expected);
    });

    it('to each value of the message', () => {
      expect(statuses(final, spo2(''), 'NTE|1||x', spo2(''))).toEqual(['F', 'F']);
    });
  });

  it('say the zone of times without one, but not where MSH-7 has one', () => {
    const at = (msh7: string, time: string): number | null | undefined => {
      const message = parsed([
        heads.plain.replace('20260501100009', msh7),
        heads.pid,
        'OBR|1',
        spo2('F', `|||${time}`),
      ]);
      const [first] = readOru(message, site, by({ timeZone: 'Asia/Tokyo' }));
      return first?.observations[0]?.takenAt.at;
    };
    const eight = Date.UTC(2026, 4, 1, 8);
    expect(at('20260501170009', '20260501170000')).toBe(eight);
    expect(at('20260501080009+0000', '20260501080000')).toBe(eight);
    expect(at('20260501170009', '20260501100000+0200')).toBe(eight);
  });

  it('say the character set where MSH-18 is empty, and not where it names one', () => {
    const nameOf = (set: string, unsaid: string): string | null | undefined => {
      const message = parsed([`${heads.plain}||||||${set}`, 'PID|||A||M\u00fcller', 'OBR|1', spo2()], unsaid);
      return readOru(message, site)[0]?.patient.familyName;
    };
    expect([nameOf('', ''), nameOf('8859/1', 'UNICODE UTF-8')]).toEqual(['M\ufffdller', 'M\u00fcller']);
    expect([nameOf('', '8859/1'), nameOf('8859/5', '8859/1')]).toEqual(['M\u00fcller', 'M\u045cller']);
    expect(parseMessage(latin1(`${heads.plain}||||||\rPID|||A||\x80`), 'BIG-5')).toMatchObject({
      reason: 'charset',
    });
  });

  describe('are proposed by what the messages look like', () => {
    const seenIn = (...messages: readonly string[][]): SeenStructure => {
      const seen = nothingSeen();
      for (const lines of messages) {
        const message = parsed(lines);
        noteStructure(seen, message, readOru(message, site, unanswered));
      }
      return seen;
    };
    const message = (pid: string, ...values: string[]): string[] => [
      heads.plain,
      pid,
      'PV1|||ICU 3^^Bed12',
      'OBR|1',
      ...values,
    ];

    it('without any of their contents', () => {
      const seen = seenIn(
        message(
          'PID|||12345^^^HOSP^PI~9^^^^NI||Moss^Ada||19500307',
          spo2(),
          'OBX||NM|150344^MDC_TEMP^MDC|T1|36.9||||||F',
        ),
      );
      expect(seen).toEqual({
        messages: 1,
        identifiers: [
          { type: 'PI', authority: 'HOSP', field: 3, count: 1 },
          { type: 'NI', authority: '', field: 3, count: 1 },
        ],
        codes: [
          { id: '150456', text: '', system: 'MDC', unit: '%', isKnown: true, count: 1 },
          { id: '150344', text: 'MDC_TEMP', system: 'MDC', unit: '', isKnown: false, count: 1 },
        ],
        texts: [],
        temperatures: [{ subId: 'T1', count: 1 }],
        zones: [{ zone: '', count: 1 }],
        charsets: [{ charset: '', count: 1 }],
        notUtf8: 0,
        beds: [{ shape: 'a 9^^a9', count: 1 }],
        people: { all: 1, familyNames: 1, givenNames: 1, birthDates: 1 },
        withoutStatus: 0,
      });
      expect(JSON.stringify(seen)).not.toMatch(/12345|Moss|Ada|1950|Bed12|97|36\.9/);
    });

    it('however long and however many they are', () => {
      const long = 'x'.repeat(300);
      const many = Array.from({ length: 300 }, (_, index) =>
        message(`PID|||A^^^H${index}^MR`, `OBX||NM|C${index}^^L||1|u${index}|||||F`, `OBX||NM|${long}^^L||1||||||F`),
      );
      const { messages, identifiers, codes } = seenIn(...many, message(`PID|||A^^^${long}^MR`));
      expect([messages, identifiers.length, codes.length]).toEqual([200, 30, 30]);
    });

    it.each([
      ['nothing', [], []],
      ['account and visit', ['PID|||1^^^^AN~2^^^^VN'], [none('AN'), none('VN')]],
      ['an MRN beside others', ['PID|||1^^^^PI~2^^^H^MR~3^^^^AN'], [mrn('MR', 'H'), none('AN')]],
      ['the commoner of two authorities', ['PID|||1^^^A^MR', 'PID|||1^^^B^MR', 'PID|||1^^^B^MR'], [mrn('MR', 'B')]],
      ['PI', ['PID|||1^^^Hospital^PI'], [mrn('PI', 'Hospital')]],
      ['a bare number', ['PID|||1'], [mrn('')]],
      ['a bare number of PID-2 alone', ['PID||1'], []],
      ['a text of its own alone', ['PID|||1^^^^XX'], []],
    ])('which have %s', (_name, pids, expected) => {
      const { identifiers } = proposedAnswers(seenIn(...pids.map((pid) => message(pid, spo2()))));
      expect(identifiers).toEqual(expected);
    });

    it('so that a value is rather refused, and as settings that can be stored', () => {
      const answers = proposedAnswers(
        seenIn(message('PID|||1^^^^MR', spo2('')), message('PID|||1||M\u00fcller', spo2(''))),
      );
      expect(answers).toMatchObject({ bedRoute: false, beside: 'second', sentinels: [], missingUnits: [] });
      expect(answers).toMatchObject({ missingStatus: 'F', charset: '8859/1', coreTemperatures: [], timeZone: null });
      expect(senderSettings.parse(answers)).toEqual(answers);
      expect(proposedAnswers(seenIn(message('PID|||1', spo2(''), spo2()))).missingStatus).toBe('noValue');
      expect(proposedAnswers(nothingSeen())).toMatchObject({ identifiers: [], missingStatus: 'noValue' });
    });

    const valueOf = (code: string, unit = '%'): string[] => message('PID|||1', `OBX||NM|${code}|1|97|${unit}|||||F`);

    it.each([
      ['1^SpO2^L', []],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC', []],
      ['150456^Sat^MDC', [false]],
      ['S^Satt^L^150456^Sat^MDC', [false]],
      ['150456^SpO2 left^MDC', [true]],
    ])('so that the text of %s means its kind where it has the plain name: %j', (sent, expected) => {
      const seen = seenIn(valueOf(sent));
      const proposed = (texts: SenderSettings['texts']): unknown =>
        proposedTexts(by({ texts }), seen)?.map(({ isMeant }) => isMeant);
      expect(proposedAnswers(seen).texts?.map(({ isMeant }) => isMeant)).toEqual(expected);
      // A sender that was never asked stays so as long as there is nothing to ask.
      expect(proposed(null)).toEqual(expected.length === 0 ? undefined : expected);
      const answered = choicesOf(unanswered, seen).texts ?? [];
      expect(proposed(answered)).toEqual(answered.map(() => true));
    });

    it.each([
      ['150456^^MDC', '%', []],
      ['150456^^MDC', 'mmHg', []],
      ['150456^^MDC', '262720^pct^MDC', []],
      ['1^SpO2^L', 'pct', []],
      ['150456^^MDC', '', [[undefined, '%']]],
      ['150456^^MDC', 'pct^Prozent^L', [['pct^Prozent^L', '%']]],
      ['150364^^MDC', 'Grad', ['Cel', '[degF]', 'K'].map((unit) => ['Grad', unit])],
    ])('and offer for %s in "%s" the units %j', (sent, unit, expected) => {
      const { missingUnits } = choicesOf(unanswered, seenIn(valueOf(sent, unit)));
      expect(missingUnits.map((one) => [one.sent, one.unit])).toEqual(expected);
      expect(isTaken({ missingUnits: missingUnits.slice(0, 1) })).toBe(true);
    });

    it('with what has to be asked about later than the first messages, whatever came before', () => {
      const many = Array.from({ length: 200 }, (_, index) => valueOf(`C${index}^^L`));
      const seen = seenIn(...many, valueOf('150456^Late^MDC', 'pct'));
      expect([seen.texts, choicesOf(unanswered, seen).missingUnits]).toEqual([[], []]);
      const late = parsed(valueOf('150456^Late^MDC', 'pct'));
      const results = readOru(late, site, unanswered);
      const asked = results.flatMap(({ observations }) => observations);
      noteStructure(seen, late, results, asked);
      const latest = { id: '150456', text: 'Late', system: 'MDC' };
      expect([seen.messages, seen.texts]).toEqual([200, [{ ...latest, count: 1 }]]);
      expect(choicesOf(unanswered, seen).missingUnits).toEqual([{ code: latest, sent: 'pct', unit: '%' }]);
    });
  });
});

describe('codes', () => {
  const kindOf = (id: string, text = '', system = 'MDC'): VitalKind | null =>
    codeRow({ id, text, system })?.kind ?? null;

  it.each([
    ['150344^MDC_TEMP^MDC', true],
    ['150344^^MDC', true],
    ['150344^Temp 1^MDC^8310-5^Body temperature^LN', true],
    ['150344^MDC_TEMP_SKIN^MDC', false],
    ['150344^MDC_TEMP^MDC^8867-4^Rate^LN', false],
    ['150344^MDC_TEMP^L', false],
    ['150345^MDC_TEMP^MDC', false],
  ])('call %s a temperature without its place: %s', (text, expected) => {
    const [id = '', name = '', system = '', ...more] = text.split('^');
    const [otherId = '', otherName = '', otherSystem = ''] = more;
    const alternate = { id: otherId, text: otherName, system: otherSystem };
    const sent: Code = { id, text: name, system, ...(more.length === 0 ? {} : { alternate }) };
    expect([isSomeTemperature(sent), codeRow(sent)]).toEqual([expected, null]);
  });

  describe('codeRow', () => {
    it.each([
      ['150456', 'MDC_PULS_OXIM_SAT_O2', 'MDC', 'spo2'],
      ['147842', 'MDC_ECG_HEART_RATE', 'MDC', 'heartRate'],
      ['149530', '', 'MDC', 'pulseRate'],
      ['151562', '', 'MDC', 'respiratoryRate'],
      ['151570', 'MDC_AWAY_RESP_RATE', 'MDC', 'respiratoryRate'],
      ['151578', 'MDC_TTHOR_RESP_RATE', 'MDC', 'respiratoryRate'],
      // What this table asked for before.
      ['151570', 'MDC_TTHOR_RESP_RATE', 'MDC', 'respiratoryRate'],
      ['147842', 'MDC_ECG_CARD_BEAT_RATE', 'MDC', 'heartRate'],
      ['150456', 'mdc_puls_oxim_sat_o2', 'MDC', 'spo2'],
      ['150364', '', 'MDC', 'temperature'],
      ['150301', 'MDC_PRESS_CUFF_SYS', 'MDC', 'systolic'],
      ['150302', 'MDC_PRESS_CUFF_DIA', 'MDC', 'diastolic'],
      ['188736', '', 'MDC', 'weight'],
      ['0002-4bb8', 'SpO2', 'MDIL', 'spo2'],
      ['0002-f09c', 'SpO2T', 'MDIL', 'spo2'],
      ['0002-4182', 'HR', 'MDIL', 'heartRate'],
      ['0002-4822', 'Pulse (SpO2)', 'MDIL', 'pulseRate'],
      ['0002-500a', 'RR', 'MDIL', 'respiratoryRate'],
      ['0002-4bb0', 'Perf', 'MDIL', 'perfusionIndex'],
      ['0002-4a05', 'NBPs', 'MDIL', 'systolic'],
      ['0002-4a06', 'NBPd', 'MDIL', 'diastolic'],
      ['327680', 'SPO2_SPO2', 'EHC', 'spo2'],
      // A site may rename a label.
      ['150456', 'Sättigung', 'MDC', 'spo2'],
    ])('takes %s^%s^%s for %s', (id, text, system, kind) => {
      expect(kindOf(id, text, system)).toBe(kind);
    });

    it.each([
      ['SPO2^Saturation^L^150456^MDC_PULS_OXIM_SAT_O2^MDC', 'spo2'],
      ['8889-8^Heart rate by oximetry^LN^149530^MDC_PULS_OXIM_PULS_RATE^MDC', 'pulseRate'],
      ['^^^147842^^MDC', 'heartRate'],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^0002-4bb8^SpO2^MDIL', 'spo2'],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^2708-6^Oxygen saturation^LN', 'spo2'],
      ['149530^MDC_PULS_OXIM_PULS_RATE^MDC^8867-4^Heart rate^LN', 'pulseRate'],
      // It says nothing to us.
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^HR^Heart rate^99LOCAL', 'spo2'],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^20564-1^Oxygen saturation in blood^LN', 'spo2'],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^147842^MDC_ECG_HEART_RATE^MDC', null],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^150452^MDC_PULS_OXIM_PLETH^MDC', null],
      ['0002-4bb8^SpO2^MDIL^150452^^MDC', null],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^SPO2^MDC_PULS_OXIM_PLETH^L', null],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^PLETH^Pleth wave^L', null],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^8867-4^Heart rate^LN', null],
      ['147842^MDC_ECG_HEART_RATE^MDC^8889-8^Heart rate by oximetry^LN', null],
      ['150456^MDC_PULS_OXIM_SAT_O2^MDC^2708-6^MDC_PULS_OXIM_PLETH^LN', null],
      ['150452^MDC_PULS_OXIM_PLETH^MDC^150456^MDC_PULS_OXIM_SAT_O2^MDC', null],
      ['150456^MDC_CONC_AWAY_CO2_ET^MDC^150456^MDC_PULS_OXIM_SAT_O2^MDC', null],
      ['2708-6^Oxygen saturation^LN^147842^MDC_ECG_HEART_RATE^MDC', null],
      ['SPO2^Saturation^L^0002-4bb8^HR^MDIL', null],
      ['SPO2^Saturation^L^X^Saturation^L', null],
    ])('takes %s for %s', (sent, kind) => {
      const [id = '', text = '', system = '', ...others] = sent.split('^');
      const [alternateId = '', alternateText = '', alternateSystem = ''] = others;
      const alternate = { id: alternateId, text: alternateText, system: alternateSystem };
      expect(codeRow({ id, text, system, alternate })?.kind ?? null).toBe(kind);
      expect(codeText({ id, text, system, alternate })).toBe(sent);
    });

    it.each([
      ['a name of another row', '150302', 'MDC_PRESS_CUFF_SYS', 'MDC'],
      ['a name of another row in small letters', '0002-4bb8', 'hr', 'MDIL'],
      ['a name of another row of the same kind', '150021', 'MDC_PRESS_CUFF_SYS', 'MDC'],
      ['an MDC name that is in no row', '150456', 'MDC_CONC_AWAY_CO2_ET', 'MDC'],
      ['a private MDC name', '150456', 'MDCX_SAT_O2', 'MDC'],
      ['an MDC name beside a number of Philips', '0002-4bb8', 'MDC_PULS_OXIM_PLETH', 'MDIL'],
      ['the name of a waveform', '150456', 'MDC_PULS_OXIM_SAT_O2_WAVEFORM', 'MDC'],
      ['a label that says that it is a curve', '0002-4bb8', 'SpO2_Wave', 'MDIL'],
      ['a damaged number with its true name', '0002-4bb0', 'SpO2', 'MDIL'],
      ['a name alone', '', 'MDC_PULS_OXIM_SAT_O2', 'MDC'],
      ['a name that looks right', 'SPO2', 'SPO2', 'L'],
      ['a number of another system', '150456', '', 'L'],
      ['a number without a system', '150456', '', ''],
      ['the mean pressure', '0002-4a07', 'NBPm', 'MDIL'],
      ['an invasive pressure', '150037', 'MDC_PRESS_BLD_ART_ABP_SYS', 'MDC'],
      ['the rate beside a QT', '0002-f154', 'QT-HR', 'MDIL'],
      ['a name that objects have', '__proto__', 'constructor', 'MDC'],
    ])('takes %s for nothing', (_name, id, text, system) => {
      expect(kindOf(id, text, system)).toBeNull();
    });
  });

  describe('unitOf', () => {
    const factorOf = (kind: VitalKind, id: string, text = '', system = '', isUnitless = false) =>
      unitOf({ kind, isUnitless }, { id, text, system });

    it.each([
      ['spo2', '', '', ''],
      ['spo2', '1', '', ''],
      ['spo2', '262656', 'MDC_DIM_DIMLESS', 'MDC'],
      ['heartRate', '%', '', ''],
      ['heartRate', '262688', 'MDC_DIM_PERCENT', 'MDC'],
      ['temperature', 'mmHg', '', ''],
      ['temperature', 'CEL', '', 'UCUM'],
      ['oxygenFlow', 'ML/min', '', 'UCUM'],
      ['temperature', '268192', '°F', 'MDC'],
      ['spo2', '262688', 'MDC_DIM_MMHG', 'MDC'],
      ['spo2', '262688', 'mmHg', 'MDC'],
      ['spo2', '%', 'mmHg', ''],
      ['spo2', '262688', 'MDC_DIM_PARTS_PER_10_TO_3', 'MDC'],
      ['spo2', '', 'MDC_DIM_BEAT_PER_MIN', 'MDC'],
      ['spo2', '99999', 'MDC_DIM_PERCENT', 'MDC'],
      ['spo2', '262688', '', ''],
      ['heartRate', '264864', 'rpm', 'MDC'],
      ['systolic', '0004-0f20', 'kPa', 'MDIL'],
      ['perfusionIndex', '0004-0200', '', 'MDIL'],
      ['consciousness', '', '', ''],
      ['spo2', '__proto__', '', ''],
    ] as const)('refuses for %s the unit %s^%s^%s', (kind, id, text, system) => {
      expect(factorOf(kind, id, text, system)).toBeNull();
    });

    it.each([
      ['spo2', '262688', 'MDC_DIM_PERCENT', 'MDC'],
      ['spo2', '0004-0220', '%', 'MDIL'],
      ['heartRate', '264864', 'MDC_DIM_BEAT_PER_MIN', 'MDC'],
      ['heartRate', '0004-0aa0', 'bpm', 'MDIL'],
      ['respiratoryRate', '0004-0ae0', 'rpm', 'MDIL'],
      ['systolic', '0004-0f20', 'mmHg', 'MDIL'],
      ['temperature', '0004-17a0', '°C', 'MDIL'],
      ['spo2', '%', '', ''],
      ['heartRate', '', 'bpm', ''],
      ['heartRate', 'Bpm', '', ''],
      ['pulseRate', 'beats/minute', '', ''],
      ['respiratoryRate', 'Breaths/Minute', '', 'L'],
      ['temperature', 'CEL', '', ''],
      ['systolic', 'MMHG', '', ''],
      ['spo2', '', 'MDC_DIM_PERCENT', 'MDC'],
      ['spo2', 'MDC_DIM_PERCENT', '', ''],
      ['heartRate', '', 'MDC_DIM_BEAT_PER_MIN', 'MDC'],
      ['respiratoryRate', '264928', 'MDC_DIM_RESP_PER_MIN', 'MDC'],
      // A label that says nothing to us.
      ['heartRate', '264864', 'Schläge', 'MDC'],
    ] as const)('takes for %s the unit %s^%s^%s as it is', (kind, id, text, system) => {
      expect(factorOf(kind, id, text, system)).toMatchObject({ factor: 1, offset: 0 });
    });

    it.each([
      ['', '', ''],
      ['0004-0200', '', 'MDIL'],
      ['262656', '', 'MDC'],
      ['262656', 'MDC_DIM_DIMLESS', 'MDC'],
    ])('takes no unit (%s^%s^%s) only if the row of the code says so', (id, text, system) => {
      expect(factorOf('perfusionIndex', id, text, system, true)).toMatchObject({ factor: 1, offset: 0 });
      expect(factorOf('perfusionIndex', id, text, system)).toBeNull();
    });

    it.each([
      ['262688^MDC_DIM_PERCENT^MDC^%^%^UCUM', 1],
      ['^^^262688^MDC_DIM_PERCENT^MDC', 1],
      ['262688^MDC_DIM_PERCENT^MDC^pct^Prozent^99LOCAL', 1],
      ['262688^MDC_DIM_PERCENT^MDC^mm[Hg]^^UCUM', null],
      ['262688^MDC_DIM_PERCENT^MDC^1^^UCUM', null],
      ['pct^Prozent^99LOCAL^262688^MDC_DIM_PERCENT^MDC', null],
    ])('takes %s for a factor of %s', (sent, factor) => {
      const [id = '', text = '', system = '', ...others] = sent.split('^');
      const [alternateId = '', alternateText = '', alternateSystem = ''] = others;
      const alternate = { id: alternateId, text: alternateText, system: alternateSystem };
      expect(unitOf({ kind: 'spo2', isUnitless: false }, { id, text, system, alternate })?.factor ?? null).toBe(factor);
    });

    describe('the factors are those of UCUM', () => {
      const ucum = UcumLhcUtils.getInstance();
      const own: Partial<Record<VitalKind, string>> = {
        spo2: '%',
        heartRate: '/min',
        pulseRate: '/min',
        respiratoryRate: '/min',
        temperature: 'Cel',
        systolic: 'mm[Hg]',
        diastolic: 'mm[Hg]',
        perfusionIndex: '%',
        oxygenFlow: 'L/min',
        weight: 'kg',
      };
      /** What monitors write that is no code of UCUM, or another unit there: C is a coulomb, F a farad. */
      const texts = ['mmHg', 'mm Hg', 'bpm', 'BPM', 'beats/min', 'rpm', 'breaths/min', 'br/min', 'degC', '°C', 'C'];
      const otherTexts = ['degF', '°F', 'F', 'lb', 'beats/minute', 'breaths/minute'];
      const codes = vitalKinds.flatMap((kind) =>
        unitsOf[kind].flatMap(({ names, ucumOnly = [], factor, offset }) =>
          [...names, ...ucumOnly]
            .filter((name) => ![...texts, ...otherTexts].includes(name))
            .map((name) => ({ kind, name, factor, offset })),
        ),
      );

      it.each(codes)('$name for $kind', ({ kind, name, factor, offset }) => {
        for (const value of [0.5, 36.6, 100]) {
          const result = ucum.convertUnitTo(name, value, own[kind] ?? '');
          expect(result.status).toBe('succeeded');
          expect(value * factor + offset).toBeCloseTo(result.toVal ?? Number.NaN, 6);
        }
      });

      it('of each kind with a unit at least one', () => {
        expect(vitalKinds.filter((kind) => !codes.some((code) => code.kind === kind))).toEqual(['consciousness']);
      });
    });
  });
});

describe('the conformance statement', () => {
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
      const codes = units.flatMap(({ mdc }) => Object.entries(mdc).map(([code, name]) => `${code} \`${name}\``));
      return units.length === 0 ? [] : [[kinds[kind].label, words.join('; '), codes.join('; ')]];
    });
    expect(tableOf('Units')).toEqual(taken);
  });

  it('has an example whose values are all taken', () => {
    const parsed = parseMessage(new TextEncoder().encode(blockOf('text')));
    const results = parsed.ok ? readOru(parsed.message, { timeZone: 'UTC', receivedAt: 0 }) : [];
    expect(results.map(({ patient, bed }) => ({ mrn: patient.identifiers[0], bed }))).toEqual([
      { mrn: { id: '123456', authorities: ['HOSPITAL'], type: 'MR', field: 3 }, bed: 'ICU^^7' },
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

describeCapture()('the capture of a Philips information centre', () => {
  let lines: string[][];
  let results: (OruResult & { alarms: HeardAlarm[] })[];
  beforeAll(() => {
    const bytes = readFileSync(capturePath);
    lines = plainLines(bytes);
    results = createDeframer({ maxBytes: 1_048_576 })
      .push(bytes)
      .flatMap((frame) => {
        const parsed = frame.kind === 'message' ? parseMessage(frame.bytes) : null;
        if (parsed?.ok !== true) {
          return [];
        }
        const { message } = parsed;
        const read = readOru(message, { timeZone: 'Europe/Berlin', receivedAt: Date.UTC(2026, 4, 1) });
        const alarms = readAlarms(message, read);
        return read.map((result, index) => ({ ...result, alarms: alarms[index] ?? [] }));
      });
  });
  const plainObx = (): string[][] => lines.filter(([name]) => name === 'OBX');

  it('is one patient a frame, all of them training, half of them without a number', () => {
    const pids = lines.filter(([name]) => name === 'PID');
    expect(results).toHaveLength(pids.length);
    expect(results.every(({ isTraining, patient }) => isTraining && patient.isReadable)).toBe(true);
    expect(results.map(({ patient }) => patient.identifiers[0]?.id ?? '""')).toEqual(
      pids.map((fields) => fields[3]?.split('^')[0]),
    );
    expect(results.map(({ bed }) => bed)).toEqual(lines.filter(([name]) => name === 'PV1').map((fields) => fields[3]));
  });

  it('has every OBX line once, in order, with its code, value, status and the time of OBR or its own', () => {
    const read = results.flatMap(({ observations }) => observations);
    const plain = plainObx();
    expect(read).toHaveLength(plain.length);
    expect(read.map(({ code, value, status }) => [code.id, String(value ?? ''), status])).toEqual(
      plain.map((fields) => {
        const text = fields[5]?.trim() ?? '';
        return [fields[3]?.split('^')[0], fields[2] === 'NM' ? String(Number(text)) : text, fields[11]];
      }),
    );
    expect(read.filter(({ takenAt }) => takenAt.at === null)).toEqual([]);
    expect(read.filter(({ takenAt }) => takenAt.field === 'OBX-14')).toHaveLength(
      plain.filter((fields) => (fields[14] ?? '') !== '').length,
    );
  });

  it('gives every text of an alarm and of an INOP once, and no other line', () => {
    const texts = plainObx().filter((fields) => fields[3]?.endsWith('^MDIL-ALERT'));
    const squeezed = (text = ''): string => text.replaceAll(/\s+/g, ' ').trim();
    const alarms = results.flatMap((result) => result.alarms);
    expect(alarms.map(({ code, text }) => [code, text])).toEqual(
      texts.map((fields) => [fields[3]?.split('^')[1], squeezed(fields[5])]),
    );
    expect(alarms.filter(({ isTechnical }) => isTechnical)).toHaveLength(
      texts.filter((fields) => /Inop\^/.test(fields[3] ?? '')).length,
    );
  });

  it('has 43 INOPs of a probe without a signal, and 48 that are messages of the device', () => {
    const said = results.flatMap(({ observations }) =>
      observations.flatMap((observation) => {
        const means = inopOf(observation)?.means ?? 'message';
        return /Inop$/.test(observation.code.text)
          ? [`${means} ${String(observation.value).replaceAll(/\s+/g, ' ')}`]
          : [];
      }),
    );
    expect(countBy(said)).toEqual({
      'noSignal SpO2T No Pulse': 32,
      'noSignal SpO2 No Pulse': 2,
      'noSignal SpO2 Searching': 9,
      'message PAP No Pulse': 31,
      'message Cannot Analyze QT': 10,
      'message No Data Monitor': 4,
      'message PAP Change Scale': 3,
    });
  });

  it('gives as many values of each kind as it has lines of that name, and the rest is counted by code', () => {
    const outcomes = results.flatMap(({ observations }) =>
      observations.map((observation) => ({ name: observation.code.text, read: readValue(observation) })),
    );
    const plainNames = plainObx().map((fields) => fields[3]?.split('^')[1] ?? '');
    const isKnown = (name: string): boolean => name in capturedKinds;
    const values = outcomes.flatMap(({ name, read }) => (read.outcome === 'value' ? [`${name} ${read.kind}`] : []));
    const expected = plainNames
      .filter(isKnown)
      .map((name) => `${name} ${new Map(Object.entries(capturedKinds)).get(name)}`);
    expect(countBy(values)).toEqual(countBy(expected));
    const unmapped = outcomes.flatMap(({ name, read }) => (read.outcome === 'unmapped' ? [name] : []));
    expect(countBy(unmapped)).toEqual(countBy(plainNames.filter((name) => !isKnown(name))));
    expect(values.length + unmapped.length).toBe(plainNames.length);
  });
});
