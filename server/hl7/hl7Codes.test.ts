import fc from 'fast-check';
import type { z } from 'zod';
import { formatDtm } from '../../lib/hl7/formatDtm';
import { parseMessage } from '../../lib/hl7/parseMessage';
import { readOru, type Identifier, type OruPatient } from '../../lib/hl7/readOru';
import { unanswered, versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import type { SendersResponse } from '../../lib/interfaces/schema';
import type { mappingsResponse, SenderCode } from '../../lib/mappings/schema';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { kindOfCode, kinds } from '../../lib/vitals/kinds';
import { addBedMapping } from '../../test/addBedMapping';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { fuzzRuns } from '../../test/fuzzRuns';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { patientRow } from '../../test/patientRow';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import { type Caller, startOfTest, type TestServer } from '../../test/testServer';
import type { PatientRow } from '../db/rows';
import { bedOf, BedStays } from '../patients/bedStays';
import { isWithdrawn, qualityOf } from '../vitals/qualityCode';
import { codeKey } from '../mappings/mappings';
import { isOfOtherAuthority, matchPatient, type Ward } from './matchPatient';

describe.each(apiEngines)('a code of an HL7 sender that no table has, on %s', (engine) => {
  type Mappings = z.infer<typeof mappingsResponse>;

  const address = '/api/v2/admin/mappings/codes';
  const saturation = { id: 'SAT', text: 'Saturation', system: 'L' };

  let test: TestServer;
  let site: number;
  let from: string;
  let gateway: MllpClient;
  let senderId: number;
  let patientId: number;
  let technician: Caller;
  let physician: Caller;
  let sent = 0;

  beforeEach(async () => {
    test = await restartableTestServer(engine, { HL7_PORT: '0' });
    site = await test.addSite();
    from = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address: from }));
    patientId = await test.addPatient(site, { mrn: 'M7', familyName: 'Harbour' });
    technician = await test.signIn(site, 'technician');
    physician = await test.signIn(site, 'physician');
    gateway = await connectGateway(test, from);
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  /** Sends a value under a code a second later, and resolves with the answer's code. */
  const send = async (
    value: number | string,
    {
      code = 'SAT^Saturation^L',
      unit = '%',
      ahead = 0,
      type = typeof value === 'number' ? 'NM' : 'ST',
      beside = '',
    } = {},
  ): Promise<string> => {
    test.advance(1_000);
    sent += 1;
    const at = formatDtm(test.now() + ahead);
    gateway.send(
      [
        `MSH|^~\\&|GATEWAY||||${at}||ORU^R01|M${sent}|P|2.5`,
        'PID|||M7^^^^MR||Harbour^Sam',
        `OBR|||||||${at}`,
        `OBX||${type}|${code}||${value}|${unit}|||||F`,
        beside,
      ].join('\n'),
    );
    return (await gateway.next()).code;
  };
  const listed = async (by = physician): Promise<Mappings> =>
    (await by.call('GET', '/api/v2/admin/mappings')).json<Mappings>();
  const codes = async (): Promise<SenderCode[]> => (await listed()).codes;
  const propose = (by: Caller, more: object = {}) =>
    by.call('POST', address, { senderId, code: saturation, kind: 'spo2', isUnitless: false, ...more });
  const confirm = (by: Caller, id: number) => by.call('POST', `/api/v2/admin/mappings/proposals/${id}/confirm`);
  const decide = (by: Caller, id: number, how: 'end' | 'undo') => by.call('POST', `${address}/${id}/${how}`);
  const idOfCode = async (): Promise<number> =>
    (await codes()).find(({ mapping }) => mapping !== null)?.mapping?.id ?? 0;
  const mapped = async (more: object = {}): Promise<number> => {
    await propose(technician, more);
    expect((await confirm(physician, await idOfCode())).statusCode).toBe(200);
    return await idOfCode();
  };
  const faultOf = (response: { statusCode: number; json: <T>() => T }): [number, string] => [
    response.statusCode,
    response.json<{ error: { code: string } }>().error.code,
  ];
  const values = async (): Promise<[number, number][]> => {
    const rows = await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .selectAll()
      .where('patient_id', '=', patientId)
      .orderBy('taken_at')
      .execute();
    return rows.filter(({ quality }) => !isWithdrawn(quality)).map(({ kind, value }) => [kind, value]);
  };
  /** What Admin, Interfaces lists. */
  const unmapped = async (): Promise<string[]> => {
    const administrator = await test.signIn(site, 'administrator', true);
    const { items } = (await administrator.call('GET', '/api/v2/admin/senders')).json<SendersResponse>();
    return items.flatMap((sender) => sender.unmapped.map(({ code, count }) => `${code} ${count}`));
  };
  const spo2 = kinds.spo2.code;

  it('is one of another name under a known number, which is listed, and no value and no "no signal"', async () => {
    const waveform = '150456^MDC_PULS_OXIM_SAT_O2_WAVEFORM^MDC';
    const co2 = '150456^MDC_CONC_AWAY_CO2_ET^MDC';
    await expect(send(97, { code: '150456^MDC_PULS_OXIM_SAT_O2^MDC' })).resolves.toBe('AA');
    await expect(send(51, { code: waveform })).resolves.toBe('AE');
    await expect(send('0.0^0.03', { code: waveform, type: 'NA' })).resolves.toBe('AE');
    await expect(send(35, { code: co2 })).resolves.toBe('AE');
    // An array under the very name says nothing either.
    await expect(send('0.0^0.03', { code: '150456^MDC_PULS_OXIM_SAT_O2^MDC', type: 'NA' })).resolves.toBe('AA');
    await expect(values()).resolves.toEqual([[spo2, 97]]);
    await expect(unmapped()).resolves.toEqual([`${waveform} 2`, `${co2} 1`]);
    await expect(codes()).resolves.toEqual([]);
  });

  describe('of a rate', () => {
    const pulse = { code: '149530^MDC_PULS_OXIM_PULS_RATE^MDC', unit: '/min' };
    const saturationOf = (value: number): string => `OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||${value}|%|||||F`;
    const rates = async (): Promise<string[]> =>
      (await test.store.db.selectFrom('samples').where('site_id', '=', site).selectAll().execute())
        .filter(({ kind }) => kind !== spo2)
        .map(({ value, quality }) => `${value} ${qualityOf(quality) === 'invalid' ? 'invalid' : 'a value'}`);

    it.each([
      ['255 without an SpO2', 255, pulse, '', '255 invalid'],
      ['255 beside an SpO2 of 127', 255, pulse, saturationOf(127), '255 invalid'],
      [
        '255 of the ECG beside an SpO2 of -999',
        255,
        { code: '147842^^MDC', unit: '/min' },
        saturationOf(-999),
        '255 invalid',
      ],
      ['255 beside an SpO2', 255, pulse, saturationOf(80), '255 a value'],
      ['127 beside an SpO2 of 127', 127, pulse, saturationOf(127), '127 a value'],
      ['255 mmHg beside an SpO2 of 127', 255, { code: '150301^^MDC', unit: 'mmHg' }, saturationOf(127), '255 a value'],
    ])('with %s', async (_name, value, sentAs, beside, expected) => {
      await expect(send(value, { ...sentAs, beside })).resolves.toBe('AA');
      await expect(rates()).resolves.toEqual([expected]);
    });
  });

  it('is "no signal" where a number is out of range, whatever its unit, and is never refused', async () => {
    const code = '150456^MDC_PULS_OXIM_SAT_O2^MDC';
    for (const [value, unit] of [
      [-999, '%'],
      [-99.9, ''],
      [127, '%'],
      [127, ''],
      [-1, 'pct'],
    ] as const) {
      await expect(send(value, { code, unit })).resolves.toBe('AA');
    }
    const rows = await test.store.db.selectFrom('samples').where('site_id', '=', site).selectAll().execute();
    expect(rows.map(({ quality }) => qualityOf(quality))).toEqual(Array.from({ length: 5 }, () => 'invalid'));
  });

  it('is taken in a unit that only its MDC name says, and not where number and name differ', async () => {
    const code = '150456^MDC_PULS_OXIM_SAT_O2^MDC';
    await expect(send(96, { code, unit: '^MDC_DIM_PERCENT^MDC' })).resolves.toBe('AA');
    await expect(send(95, { code, unit: '262688^MDC_DIM_MMHG^MDC' })).resolves.toBe('AE');
    await expect(send(94, { code, unit: '262688^MDC_DIM_PERCENT^MDC^mm[Hg]^^UCUM' })).resolves.toBe('AE');
    await expect(send(80, { code: '147842^MDC_ECG_HEART_RATE^MDC', unit: 'Beats/minute' })).resolves.toBe('AA');
    await expect(values()).resolves.toEqual([
      [spo2, 96],
      [kinds.heartRate.code, 80],
    ]);
  });

  it('counts by its second triplet where the first says nothing, and not where the two differ', async () => {
    const both = 'SAT^Saturation^L^150456^MDC_PULS_OXIM_SAT_O2^MDC';
    const differing = '150456^MDC_PULS_OXIM_SAT_O2^MDC^147842^MDC_ECG_HEART_RATE^MDC';
    await expect(send(97, { code: both })).resolves.toBe('AA');
    await expect(send(96, { code: differing })).resolves.toBe('AE');
    // A second triplet that no list can show does not hide the first.
    await expect(send(96, { code: 'NEW^New^L' })).resolves.toBe('AE');
    await expect(send(96, { code: `NEW^New^L^${'9'.repeat(80)}^New^L` })).resolves.toBe('AE');
    await expect(send(96, { code: 'NEW^New^L^N\\X07\\^New^L' })).resolves.toBe('AE');
    await expect(unmapped()).resolves.toEqual(['NEW^New^L 3', `${differing} 1`]);
    const id = await mapped({ kind: 'heartRate' });
    await expect(send(95, { code: both, unit: '/min' })).resolves.toBe('AE');
    await decide(physician, id, 'end');
    const right = await mapped();
    await expect(send(94, { code: both })).resolves.toBe('AA');
    for (const other of ['8867-4^Heart rate^LN', '150364^MDC_TEMP_SKIN^MDC', 'X^MDC_RESP_RATE^L']) {
      await expect(send(93, { code: `SAT^Saturation^L^${other}` })).resolves.toBe('AE');
    }
    await expect(values()).resolves.toEqual([
      [spo2, 97],
      [spo2, 94],
    ]);
    // What two people said of the first triplet is what it came by.
    await decide(physician, right, 'undo');
    await test.server.hl7Replay.withdraw(new AbortController().signal);
    await expect(values()).resolves.toEqual([[spo2, 97]]);
  });

  it('is counted with its last numbers, without whose they are, and is no value', async () => {
    await expect(send(97)).resolves.toBe('AE');
    await send('SMITH^JOHN');
    for (let value = 60; value < 85; value += 1) {
      await send(value);
    }
    const [code, ...others] = await codes();
    expect([code?.code, code?.unmapped, code?.mapping, others]).toEqual([saturation, 27, null, []]);
    expect(code?.last.map(({ value }) => value)).toEqual(Array.from({ length: 20 }, (_, index) => 84 - index));
    expect(code?.last[0]?.unit).toEqual({ id: '%', text: '', system: '' });
    await expect(values()).resolves.toEqual([]);
  });

  it('counts from the moment at which a second person has confirmed what it means', async () => {
    await send(97);
    await propose(technician);
    await send(96);
    await expect(values()).resolves.toEqual([]);
    const id = await idOfCode();
    expect(faultOf(await confirm(technician, id))).toEqual([403, 'forbidden']);
    await confirm(physician, id);
    await expect(send(95)).resolves.toBe('AA');
    await expect(values()).resolves.toEqual([[spo2, 95]]);
    const { shown } = await listed();
    expect(shown).toEqual({ spo2: { count: 1, min: 95, middle: 95, max: 95 } });
    await expect(unmapped()).resolves.toEqual([]);
    await test.restart();
    expect(test.server.codes.find(senderId, codeKey(saturation))?.kind).toBe('spo2');
  });

  it('is another code in another name, number or system, and a value in another unit is refused', async () => {
    await mapped();
    for (const code of ['SAT^Saturation 2^L', 'SAU^Saturation^L', 'SAT^Saturation^LN', 'SAT^^L', 'sat^Saturation^L']) {
      await expect(send(94, { code })).resolves.toBe('AE');
    }
    await expect(send(94, { unit: 'mmol/L' })).resolves.toBe('AE');
    await expect(send(94, { unit: '' })).resolves.toBe('AE');
    await expect(values()).resolves.toEqual([]);
    const refused = await test.store.db.selectFrom('quarantine').where('site_id', '=', site).select('code').execute();
    expect(refused).toEqual([{ code: 'unknown_unit' }, { code: 'unknown_unit' }]);
  });

  it('is taken without a unit where its mapping says so', async () => {
    await mapped({ isUnitless: true });
    await send(94, { unit: '' });
    await send(93);
    await expect(values()).resolves.toEqual([
      [spo2, 94],
      [spo2, 93],
    ]);
  });

  it('keeps its values when its mapping ends, and loses them and their alert when that was wrong', async () => {
    await test.startRules(site);
    const id = await mapped();
    for (let second = 0; second < 40; second += 1) {
      await send(71);
    }
    await expect(openAlerts()).resolves.toEqual(['spo2']);
    expect((await decide(technician, id, 'end')).statusCode).toBe(200);
    await send(70);
    await expect(values()).resolves.toHaveLength(40);
    await expect(openAlerts()).resolves.toEqual(['spo2']);
    expect(faultOf(await decide(technician, id, 'undo'))).toEqual([403, 'forbidden']);
    expect((await decide(physician, id, 'undo')).statusCode).toBe(200);
    expect((await decide(physician, id, 'undo')).statusCode).toBe(200);
    const { signal } = new AbortController();
    await test.server.hl7Replay.withdraw(signal);
    await expect(values()).resolves.toEqual([]);
    await expect(openAlerts()).resolves.toEqual([]);
    test.advance(30_000);
    await test.server.hl7Replay.withdraw(signal);
    await test.server.hl7Replay.withdraw(signal);
    const rows = await test.store.db
      .selectFrom('quarantine')
      .where('site_id', '=', site)
      .select(['code', 'sample'])
      .execute();
    expect(rows.map(({ code, sample }) => [code, (JSON.parse(sample) as { count: number }).count])).toEqual([
      ['wrong_code', 40],
    ]);
  });

  it('loses all of its values when its mapping is undone, whatever the clocks said of their times', async () => {
    const id = await mapped();
    // A monitor whose clock is set back: the latest value is not the one with the newest time.
    for (const ahead of [7_500_000, 0]) {
      for (let second = 0; second < 10; second += 1) {
        await send(90, { ahead });
      }
    }
    // A time in the future is refused until two values have shown the clock.
    await expect(values()).resolves.toHaveLength(15);
    await test.store.db
      .updateTable('code_mappings')
      .set({ proposed_at: test.now() + 3 * 86_400_000, confirmed_at: null, confirmed_by: null })
      .where('id', '=', id)
      .execute();
    await test.restart();
    gateway.socket.destroy();
    await decide(physician, id, 'undo');
    await test.server.hl7Replay.withdraw(new AbortController().signal);
    await expect(values()).resolves.toEqual([]);
  });

  it('loses a value that was on its way when its mapping was undone', async () => {
    const id = await mapped();
    await decide(physician, id, 'undo');
    const { signal } = new AbortController();
    await test.server.hl7Replay.withdraw(signal);
    // As it is after the first pass: in the store, and of no device in the live state.
    await test.store.db
      .updateTable('code_mappings')
      .set({ ended_at: null, ended_by: null })
      .where('id', '=', id)
      .execute();
    await test.restart();
    gateway.socket.destroy();
    gateway = await connectGateway(test, from);
    await send(90);
    await test.store.db.deleteFrom('latest_values').where('site_id', '=', site).execute();
    await test.restart();
    test.advance(30_000);
    await test.server.hl7Replay.withdraw(signal);
    await expect(values()).resolves.toEqual([]);
  });

  /** The parameters of the patient's alerts that are active. */
  const openAlerts = async (): Promise<string[]> =>
    (
      await test.store.db
        .selectFrom('alerts')
        .where('site_id', '=', site)
        .select('parameter')
        .where('patient_id', '=', patientId)
        .where('condition', '=', 'active')
        .execute()
    ).map(({ parameter }) => parameter);

  it('leaves a value of the same kind that came under a known code as it is, when its mapping is undone', async () => {
    const id = await mapped();
    await send(91);
    await send(97, { code: '150456^MDC_PULS_OXIM_SAT_O2^MDC' });
    await decide(physician, id, 'undo');
    await test.server.hl7Replay.withdraw(new AbortController().signal);
    await expect(values()).resolves.toEqual([[spo2, 97]]);
  });

  it('is proposed by those who know the equipment, for a sender of the site, once, unless it is known', async () => {
    const elsewhere = await test.addSite('Other ward');
    const { id: other } = await addSender(test, elsewhere, { name: 'Gateway B', address: gatewayAddress() });
    expect(faultOf(await propose(technician, { senderId: other }))).toEqual([404, 'not_found']);
    expect(faultOf(await propose(physician))).toEqual([403, 'forbidden']);
    for (const more of [
      { code: { id: '150456', text: 'MDC_PULS_OXIM_SAT_O2', system: 'MDC' } },
      // Damaged: the number of one row under the name of another, and the name of one under no row's number.
      { code: { id: '150301', text: 'MDC_PRESS_CUFF_DIA', system: 'MDC' } },
      { code: { id: '150392', text: 'MDC_PRESS_CUFF_DIA', system: 'MDC' } },
      // Core or skin: that is said of each probe.
      { code: { id: '150344', text: 'MDC_TEMP', system: 'MDC' }, kind: 'temperature' },
      { code: { ...saturation, text: 'K\uFFFDrper' } },
      { code: { id: '', text: '', system: 'L' } },
      { code: { ...saturation, text: 'a\u0007b' } },
      { kind: 'consciousness' },
    ]) {
      expect(faultOf(await propose(technician, more))).toEqual([422, 'invalid']);
    }
    expect((await propose(technician)).statusCode).toBe(200);
    expect((await propose(technician)).statusCode).toBe(200);
    expect(faultOf(await propose(technician, { kind: 'heartRate' }))).toEqual([409, 'proposal_open']);
    const [code, ...others] = await codes();
    expect(others).toEqual([]);
    const stranger = await test.signIn(elsewhere, 'physician');
    expect((await listed(stranger)).codes).toEqual([]);
    await confirm(physician, code?.mapping?.id ?? 0);
    expect(faultOf(await propose(technician, { kind: 'heartRate' }))).toEqual([409, 'code_mapped']);
  });
});

describe('matchPatient', () => {
  const patient = { ...patientRow(1, 1, 'P-100'), family_name: 'Müller-Ørsted', date_of_birth: '1950-03-07' };
  const at = startOfTest;
  const stays = new BedStays();
  const ward: Ward = {
    isTrial: false,
    settings: versionOne,
    mrnAuthorities: [],
    byMrn: (mrn) => (mrn === 'P-100' ? patient : null),
    byId: (id) => (id === 1 ? patient : null),
    bedOf: (bed) =>
      bed === 'ICU^^7' ? { key: '1 7', mappingId: 1 } : bed === 'ICU^^8' ? { key: '1 8', mappingId: 2 } : null,
    stays,
    aheadMs: () => 0,
    isElsewhere: (row, bed) => bedOf(row) !== null && bedOf(row) !== bed,
  };
  const times = { takenAt: at, receivedAt: at };
  const match = (more: Partial<OruPatient>, { bed = null as string | null, known = ward } = {}) =>
    matchPatient(sent(more), bed, times, known);
  const number = (type: string, id: string, ...authorities: string[]): Identifier => ({
    id,
    authorities,
    type,
    field: 3,
  });
  const mr = (id: string, ...authorities: string[]) => number('MR', id, ...authorities);
  const sent = (change: Partial<OruPatient>): OruPatient => ({
    identifiers: [mr('P-100')],
    hasIdentifier: true,
    isReadable: true,
    familyName: null,
    givenName: null,
    birthDate: null,
    ...change,
  });
  const noOne = { identifiers: [], hasIdentifier: false };
  const visit = number('VN', 'P-100');

  describe('matchPatient', () => {
    it.each([
      ['no such number', { identifiers: [mr('P-101')] }],
      ['another patient’s number as well', { identifiers: [mr('P-100'), mr('P-101')] }],
      ['a number of another type only', { identifiers: [visit] }],
      ['an account number only', { identifiers: [] }],
      ['a name that looks alike', { familyName: 'Miller-Ørsted' }],
      ['a year of birth that is not theirs', { birthDate: '1951' }],
      ['a month of birth that is not theirs', { birthDate: '195004' }],
      ['half a year of birth', { birthDate: '19' }],
      ['a damaged day of birth', { birthDate: '1950030' }],
      ['a name without letters', { familyName: '-' }],
      ['a name in another script', { familyName: 'Мюллер' }],
      ['another number but for its zeros, one of them unknown', { identifiers: [mr('P-100'), mr('0P-100')] }],
      ['a head that is damaged', { isReadable: false }],
    ])('finds no one by %s', (_, change) => {
      expect(match(change)).toEqual({ code: 'identity_conflict' });
    });

    describe('in a site that says whose numbers are its MRNs', () => {
      const known = { ...ward, mrnAuthorities: ['HARBOUR', '1.2.3', 'Süd'] };

      it.each([
        ['another authority only', [mr('P-100', 'LAKE')]],
        ['another authority with another universal id', [mr('P-100', 'LAKE', '1.2.4')]],
        ['an authority in other letters', [mr('P-100', 'Harbour')]],
        ['half an authority', [mr('P-100', 'HARBOU')]],
        ['ours and one without an authority that differ', [mr('P-100', 'HARBOUR'), mr('P-101')]],
        ['two of ours', [mr('P-100', 'HARBOUR'), mr('P-101', '1.2.3')]],
        ['ours of another type', [{ ...mr('P-100', 'HARBOUR'), type: 'VN' }]],
      ])('finds no one by a number of %s, not even by the bed', (_, identifiers) => {
        const conflict = { code: 'identity_conflict' };
        expect([match({ identifiers }, { known }), match({ identifiers }, { known, bed: 'ICU^^7' })]).toEqual([
          conflict,
          conflict,
        ]);
      });

      it.each([
        ['without an authority', [mr('P-100')]],
        ['by its namespace', [mr('P-100', 'HARBOUR', '9.9')]],
        ['by its universal id', [mr('P-100', '1.2.3')]],
        ['by its universal id beside another namespace', [mr('P-100', 'GATEWAY', '1.2.3')]],
        ['in Unicode’s other form', [mr('P-100', 'Su\u0308d')]],
        ['beside that of another hospital', [mr('P-101', 'LAKE'), mr('P-100', 'HARBOUR')]],
      ])('finds a patient by a number of theirs %s', (_, identifiers) => {
        expect(match({ identifiers }, { known })).toEqual({ patient });
      });

      it.each([
        ['no number', [], false],
        ['a number of another authority', [mr('P-100', 'LAKE')], true],
        ['several of them', [mr('P-100', 'LAKE'), mr('P-100', 'Harbour')], true],
        ['ours beside it', [mr('P-100', 'LAKE'), mr('P-999', 'HARBOUR')], false],
        ['one without an authority beside it', [mr('P-100', 'LAKE'), mr('P-999')], false],
        ['a number of another type', [{ ...mr('P-100', 'LAKE'), type: 'VN' }], false],
      ])('says of %s whether the authority is the cause', (_, identifiers, is) => {
        const isOther = (more: Partial<OruPatient>, mrnAuthorities = ['HARBOUR']) =>
          isOfOtherAuthority(sent({ identifiers, ...more }), { settings: versionOne, mrnAuthorities });
        expect([isOther({}), isOther({ isReadable: false }), isOther({}, [])]).toEqual([is, false, false]);
      });

      it('takes the numbers of any authority where it says nothing', () => {
        expect(match({ identifiers: [mr('P-100', 'LAKE')] })).toEqual({ patient });
        expect(match({ identifiers: [mr('P-100', 'HARBOUR'), mr('P-101', 'LAKE')] })).toEqual({
          code: 'identity_conflict',
        });
      });
    });

    it('finds no one who is discharged', () => {
      const known = { ...ward, byMrn: () => ({ ...patient, state: 'discharged' as const }) };
      expect(match({}, { known })).toEqual({ code: 'identity_conflict' });
    });

    it('says that a message names no one by a number', () => {
      expect(match({ ...noOne, familyName: 'Müller-Ørsted' })).toEqual({ code: 'no_identifier' });
    });

    it.each([
      ['of a trial reaches no patient who is not on trial', true, 0],
      ['that is not of a trial reaches no trial patient', false, 1],
    ] as const)('%s', (_, isTrial, is_trial) => {
      const known = { ...ward, isTrial, byMrn: () => ({ ...patient, is_trial }) };
      expect(match({}, { known })).toEqual({ code: 'identity_conflict' });
    });

    it('of a trial reaches a trial patient', () => {
      const onTrial = { ...patient, is_trial: 1 as const };
      expect(match({}, { known: { ...ward, isTrial: true, byMrn: () => onTrial } })).toEqual({ patient: onTrial });
    });

    it.each([
      { identifiers: [visit, mr('P-100'), mr('P-100')] },
      { familyName: 'MULLER ØRSTED', birthDate: '1950-03-07' },
      { familyName: 'Mu\u0308ller-Ørsted' },
      { familyName: 'MUELLER OERSTED' },
      { birthDate: '1950' },
      { birthDate: '195003' },
      // The given name is compared once two people have answered about the sender.
      { familyName: 'Muller Orsted', givenName: 'Zoe' },
    ])('finds the patient by %j', (change) => {
      expect(match(change)).toEqual({ patient });
    });

    describe('a number that is theirs but for leading zeros', () => {
      const zeros = { identifiers: [mr('00P-100')] };
      const known = { ...ward, byMrn: () => patient };

      it.each([
        ['beside nothing else', {}],
        ['beside a year of birth', { birthDate: '1950' }],
        ['beside another name', { familyName: 'Moss', birthDate: '1950-03-07' }],
      ])('names no one %s', (_, more) => {
        expect(match({ ...zeros, ...more }, { known })).toEqual({ code: 'identity_conflict' });
      });

      it.each([
        ['their birth date', zeros.identifiers, { birthDate: '1950-03-07' }],
        ['their name', zeros.identifiers, { familyName: 'MULLER ORSTED' }],
        ['the exact number', [...zeros.identifiers, mr('P-100')], {}],
      ])('names them beside %s', (_, identifiers, more) => {
        expect(match({ identifiers, ...more }, { known })).toEqual({ patient });
      });
    });

    describe('of a sender about which two people have answered', () => {
      const rules = [
        { type: 'PI', authority: 'HOSP', is: 'mrn' as const },
        { type: '', authority: '', is: 'mrn' as const },
      ];
      const settings: SenderSettings = { ...versionOne, beside: 'second', bedRoute: false, identifiers: rules };
      const asked = { ...ward, settings };
      const name = { familyName: 'Muller-Orsted', givenName: 'A.' };
      const ada = { ...patient, given_name: 'Ada' };
      const found = (change: Partial<OruPatient>, known: Ward = asked, bed: string | null = null) =>
        match({ identifiers: [number('', 'P-100')], ...change }, { bed, known: { ...known, byMrn: byNumber } });
      const byNumber = (mrn: string): PatientRow | null =>
        mrn === 'P-100' ? ada : mrn === 'P-200' ? { ...ada, id: 2, mrn } : null;

      it.each([
        ['nothing', {}],
        ['a year of birth', { birthDate: '1950' }],
        ['a month of birth', { birthDate: '195003' }],
        ['a family name', { familyName: 'Muller-Orsted' }],
        ['a given name', { givenName: 'Ada' }],
        ['a year of birth and a family name', { birthDate: '1950', familyName: 'Muller-Orsted' }],
        ['another initial', { ...name, givenName: 'Bo' }],
        ['another initial and the birth date', { ...name, givenName: 'Bo', birthDate: '1950-03-07' }],
        ['another family name and the birth date', { familyName: 'Moss', birthDate: '1950-03-07' }],
        ['another birth date', { ...name, birthDate: '1950-03-08' }],
        ['another year of birth', { ...name, birthDate: '1951' }],
        ['names in another script', { familyName: 'Мюллер', givenName: 'Ада' }],
        ['names in another script and a year of birth', { familyName: 'Мюллер', givenName: 'Ада', birthDate: '1950' }],
        ['a name in two scripts', { familyName: 'Mюллер', birthDate: '1950-03-07' }],
        ['a name with a letter that was lost', { familyName: 'M?ller', birthDate: '1950-03-07' }],
      ])('finds no one by a number beside %s', (_, change) => {
        expect(found(change)).toEqual({ code: 'identity_conflict' });
      });

      it.each([
        ['the birth date', { birthDate: '1950-03-07' }],
        ['family name and initial', name],
        ['family name, initial and year of birth', { ...name, birthDate: '1950' }],
        ['all of them', { ...name, birthDate: '1950-03-07' }],
        [
          'the birth date and names in another script',
          { familyName: 'Мюллер', givenName: 'Ада', birthDate: '1950-03-07' },
        ],
      ])('finds the patient by a number beside %s', (_, change) => {
        expect(found(change)).toEqual({ patient: ada });
      });

      const theirs = { birthDate: '1950-03-07' };
      it.each([
        ['of another type', [mr('P-100')]],
        ['of another authority', [number('PI', 'P-100', 'LAKE')]],
        ['without the authority', [number('PI', 'P-100')]],
        ['of PID-4', [{ ...number('', 'P-100'), field: 4 as const }]],
        ['beside that of somebody else', [number('', 'P-100'), number('PI', 'P-200', 'HOSP')]],
        ['beside one that no one has', [number('', 'P-100'), number('', 'P-300')]],
        ['that is theirs but for a zero before its letter', [number('', '0P-100')]],
      ])('finds no one by a number %s', (_, identifiers) => {
        expect(found({ ...theirs, identifiers })).toEqual({ code: 'identity_conflict' });
        // Nor does the bed decide beside it.
        const known = { ...asked, settings: { ...settings, bedRoute: true } };
        expect(found({ ...theirs, identifiers }, known, 'ICU^^7')).toEqual({ code: 'identity_conflict' });
      });

      it('finds the patient by each of the numbers that are asked for, whatever else is sent', () => {
        const identifiers = [number('PI', 'P-100', 'HOSP'), number('', 'P-100'), mr('P-200'), number('AN', '7')];
        expect(found({ ...theirs, identifiers })).toEqual({ patient: ada });
      });

      it('finds no one discharged, and no one by the number of an authority that the site does not list', () => {
        const known = { ...asked, byMrn: () => ({ ...ada, state: 'discharged' as const }) };
        expect(match({ ...theirs, identifiers: [number('', 'P-100')] }, { known })).toEqual({
          code: 'identity_conflict',
        });
        const identifiers = [number('PI', 'P-100', 'HOSP')];
        expect(found({ ...theirs, identifiers }, { ...asked, mrnAuthorities: ['LAKE'] })).toEqual({
          code: 'identity_conflict',
        });
      });

      it('finds no one before that: neither by number nor by bed', () => {
        const known = { ...asked, settings: unanswered };
        expect(found({ ...theirs, ...name }, known, 'ICU^^7')).toEqual({ code: 'no_identifier' });
        expect(found({ ...noOne, ...theirs }, known, 'ICU^^7')).toEqual({ code: 'no_identifier' });
      });

      describe('by the bed', () => {
        const inBed = { ...ada, unit_id: 1, bed: '7' };
        const taken = new BedStays();
        taken.take(1, null, '1 7', at - 3_600_000);
        const known: Ward = { ...asked, stays: taken, byId: () => inBed, settings: { ...settings, bedRoute: true } };

        it.each([
          ['another name', { familyName: 'Moss' }],
          ['another initial', { ...name, givenName: 'Bo' }],
          ['another birth date', { birthDate: '1950-03-08' }],
          ['a name in another script', { familyName: 'Мюллер' }],
        ])('finds no one with %s', (_, change) => {
          expect(found({ ...noOne, ...change }, known, 'ICU^^7')).toEqual({ code: 'identity_conflict' });
        });

        it('finds no one where it is not to decide', () => {
          expect(found(noOne, { ...known, settings }, 'ICU^^7')).toEqual({ code: 'no_identifier' });
        });

        it.each([{}, name, theirs, { familyName: 'Muller-Orsted' }])('finds the patient with %j', (change) => {
          expect(found({ ...noOne, ...change }, known, 'ICU^^7')).toEqual({ patient: inBed });
        });
      });
    });

    it.each(['STRAUSS', 'strauß', 'Strauß'])('takes %s for the family name Strauß', (familyName) => {
      const strauss = { ...patient, family_name: 'Strauß' };
      expect(match({ familyName }, { known: { ...ward, byMrn: () => strauss } })).toEqual({ patient: strauss });
    });
  });

  describe('the bed of a message', () => {
    const inBed = { ...patient, unit_id: 1, bed: '7' };
    const taken = new BedStays();
    taken.take(1, null, '1 7', at - 3_600_000);
    const known: Ward = { ...ward, stays: taken, byMrn: () => inBed, byId: () => inBed };

    it.each([
      ['is not mapped', 'ICU^^9', noOne, 'unknown_bed'],
      ['has no one', 'ICU^^8', noOne, 'empty_bed'],
      ['has somebody of another name', 'ICU^^7', { ...noOne, familyName: 'Miller' }, 'identity_conflict'],
      ['has somebody born on another day', 'ICU^^7', { ...noOne, birthDate: '1950-03-08' }, 'identity_conflict'],
      [
        'is mapped, but the message has a number that is no MRN',
        'ICU^^7',
        { identifiers: [visit] },
        'identity_conflict',
      ],
      ['is mapped, but the head is damaged', 'ICU^^7', { ...noOne, isReadable: false }, 'identity_conflict'],
      ['is another one than that of the patient whom it names', 'ICU^^8', {}, 'identity_conflict'],
    ])('names no one if it %s', (_, bed, change, code) => {
      expect(match(change, { bed, known })).toEqual({ code });
    });

    it('names a trial patient to a sender on trial alone, and no one else to it', () => {
      const onTrial = { ...known, byId: () => ({ ...inBed, is_trial: 1 as const }) };
      expect(match(noOne, { bed: 'ICU^^7', known: onTrial })).toEqual({ code: 'identity_conflict' });
      expect(match(noOne, { bed: 'ICU^^7', known: { ...known, isTrial: true } })).toEqual({
        code: 'identity_conflict',
      });
      expect(match(noOne, { bed: 'ICU^^7', known: { ...onTrial, isTrial: true } })).toHaveProperty('patient');
    });

    it('names no one who was discharged meanwhile', () => {
      const left = { ...known, byId: () => ({ ...inBed, state: 'discharged' as const }) };
      expect(match(noOne, { bed: 'ICU^^7', known: left })).toEqual({ code: 'empty_bed' });
    });

    it('decides where the message names no one by any number', () => {
      expect(match(noOne, { bed: 'ICU^^7', known })).toEqual({ patient: inBed });
    });

    it('changes nothing where it is that of the patient, is not mapped, or the patient has none', () => {
      expect(match({}, { bed: 'ICU^^7', known })).toEqual({ patient: inBed });
      expect(match({}, { bed: 'ICU^^9', known })).toEqual({ patient: inBed });
      expect(match({}, { bed: 'ICU^^8' })).toEqual({ patient });
    });

    it('and any number, name and birth date, name no one who contradicts them, whatever the settings are', () => {
      const people = [
        ['P-100', 'Müller', 'Ada', '1950-03-07'],
        ['100', 'Мюллер', 'Ада', '1950-03-08'],
        ['P-101', 'Moss', 'Bo', '1951-03-07'],
      ].map(([mrn = '', family_name = '', given_name = '', date_of_birth = ''], index) => ({
        ...{ ...inBed, id: index + 1, mrn, family_name, given_name, date_of_birth },
      }));
      const rule = fc.record({
        type: fc.constantFrom('MR', 'PI', '', 'VN'),
        authority: fc.constantFrom(null, '', 'HOSP'),
        is: fc.constantFrom('mrn' as const, 'none' as const),
      });
      const usual: SenderSettings['identifiers'] = [
        { type: 'MR', authority: null, is: 'mrn' },
        { type: 'PI', authority: 'HOSP', is: 'mrn' },
      ];
      const settings = fc.record({
        identifiers: fc.oneof(fc.array(rule, { maxLength: 4 }), fc.constant(usual)),
        bedRoute: fc.boolean(),
        beside: fc.constantFrom('asSent' as const, 'second' as const),
      });
      const ids = fc.constantFrom('P-100', '100', '0100', 'P-101', 'X');
      const sentNumber = fc
        .tuple(ids, fc.constantFrom('', '^^^^MR', '^^^HOSP^PI', '^^^^VN'))
        .map((parts) => parts.join(''));
      const pid = fc.record({
        numbers: fc.array(sentNumber, { maxLength: 2 }),
        family: fc.constantFrom('', 'Muller', 'MUELLER', 'Мюллер', 'Moss', '?'),
        given: fc.constantFrom('', 'A', 'Ада', 'Bo'),
        born: fc.constantFrom('', '1950', '195003', '19500307', '19500308', '00000000'),
      });
      const found = new Set<string>();
      fc.assert(
        fc.property(settings, pid, fc.constantFrom('ICU^^7', 'ICU^^9'), (answers, said, bed) => {
          const { numbers, family, given, born } = said;
          const own = { ...versionOne, ...answers };
          const lines = [`PID|||${numbers.join('~')}||${family}^${given}||${born}`, 'OBR|1', 'OBX|1'];
          const parsed = parseMessage(Buffer.from(['MSH|^~\\&|||||20260501||ORU^R01|1|P|2.5', ...lines].join('\r')));
          const [result] = parsed.ok ? readOru(parsed.message, { timeZone: 'UTC', receivedAt: at }, own) : [];
          const byMrn = (mrn: string) =>
            people.find((one) => one.mrn === mrn) ?? people.find((one) => one.mrn === mrn.replace(/^0+/, '')) ?? null;
          const all: Ward = { ...known, settings: own, byMrn, byId: (id) => people[id - 1] ?? null };
          const matched = result === undefined ? null : matchPatient(result.patient, bed, times, all);
          if (matched === null || !('patient' in matched)) {
            return;
          }
          const { family_name, given_name, date_of_birth } = matched.patient;
          const birth = date_of_birth.replaceAll('-', '');
          const isSecond = own.beside === 'second';
          const isLatin = (name: string) => /[a-z]/i.test(name);
          const isUnread = (name: string, theirs: string) =>
            isSecond && birth === born && name !== '?' && isLatin(name) !== isLatin(theirs);
          const isOf = (name: string, theirs: string, spellings: readonly string[]) =>
            name === '' || spellings.includes(name) || isUnread(name, theirs);
          const spellings = family_name === 'Müller' ? ['Muller', 'MUELLER'] : [family_name];
          const byNumber = result?.patient.hasIdentifier === true;
          expect({
            birth: born === '' || born === '00000000' || birth.startsWith(born),
            family: isOf(family, family_name, spellings),
            given: !isSecond || isOf(given, given_name, [given_name, given_name.slice(0, 1)]),
            second: !isSecond || !byNumber || birth === born || (family !== '' && given !== ''),
            way: byNumber ? numbers.length > 0 : own.bedRoute && bed === 'ICU^^7',
          }).toEqual({ birth: true, family: true, given: true, second: true, way: true });
          found.add(`${own.beside} by ${byNumber ? 'number' : 'bed'}`);
        }),
        { ...fuzzRuns, numRuns: Math.max(fuzzRuns.numRuns, 5_000) },
      );
      expect([...found].sort()).toEqual(['asSent by bed', 'asSent by number', 'second by bed', 'second by number']);
    });

    it('gives no one what a released bed may have sent late by a clock that is ahead', () => {
      const released = new BedStays();
      released.take(1, null, '1 7', at);
      released.release(1, at, true);
      const late = { takenAt: at + 90_000, receivedAt: at + 120_000 };
      const matched = (aheadMs: number) =>
        matchPatient(sent(noOne), 'ICU^^7', late, { ...known, stays: released, aheadMs: () => aheadMs });
      expect(matched(90_001)).toEqual({ code: 'bed_changing' });
      expect(matched(90_000)).toEqual({ patient: inBed });
    });
  });
});

describe.each(apiEngines)('the INOPs of a probe on %s', (engine) => {
  const value = (code: string, number: number, unit: string): string =>
    `OBX||NM|${code}^MDIL|0|${number}|${unit}^MDIL|||||F`;
  const spo2 = (number: number): string => value('0002-4bb8^SpO2', number, '0004-0220^%');
  const spo2t = (number: number): string => value('0002-f09c^SpO2T', number, '0004-0220^%');
  const pulse = (number: number): string => value('0002-4822^Pulse (SpO2)', number, '0004-0aa0^bpm');
  const heartRate = (number: number): string => value('0002-4182^HR', number, '0004-0aa0^bpm');
  const inop = (text: string): string => `OBX||TX|5^HardInop^MDIL-ALERT||${text}||||||F`;
  const noPulse = inop('SpO2   No Pulse');

  interface More {
    mrn?: string;
    bed?: string;
    application?: string;
    /** How long before now its order was, in milliseconds. */
    ageMs?: number;
  }

  let test: TestServer;
  let site: number;
  let patientId: number;
  let nurse: Caller;
  let address: string;
  let gateway: MllpClient;
  let senderId: number;
  let sent = 0;

  beforeEach(async () => {
    test = await restartableTestServer(engine, { HL7_PORT: '0' });
    site = await test.addSite();
    await test.startRules(site);
    patientId = await test.addPatient(site, { mrn: 'P-100', familyName: 'Harbour' });
    await test.addPatient(site, { mrn: 'P-200', familyName: 'Mole' });
    address = gatewayAddress();
    senderId = (await addSender(test, site, { address })).id;
    nurse = await test.signIn(site, 'physician');
    gateway = await connectGateway(test, address);
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  /** Sends a message of now and resolves with the code of its answer. */
  async function send(lines: readonly string[], more: More = {}): Promise<string> {
    const { mrn = 'P-100', bed = '7', application = 'GATEWAY', ageMs = 0 } = more;
    const time = `${toInstant(test.now() - ageMs).replaceAll(/[-:TZ]|\.\d+/g, '')}+0000`;
    sent += 1;
    const number = mrn === '' ? '""' : `${mrn}^^^^MR`;
    const head = [
      `MSH|^~\\&|${application}||||${time}||ORU^R01|M${sent}|P|2.3`,
      `PID|||${number}`,
      `PV1|||2 NORTH^^${bed}`,
    ];
    gateway.send([...head, `OBR|1||||||${time}`, ...lines].join('\n'));
    return (await gateway.next()).code;
  }
  /** Sends messages five seconds apart. */
  async function sendEach(messages: readonly (readonly string[])[], more: More = {}): Promise<void> {
    for (const lines of messages) {
      await expect(send(lines, more)).resolves.toBe('AA');
      test.advance(5_000);
      await test.server.alerts.evaluateClock();
    }
  }
  /** Until the clocks of its sources are known, values are questionable anyway. */
  const measure = (...lines: string[]) => sendEach([lines, lines, lines]);
  const samples = async () =>
    (
      await test.store.db
        .selectFrom('samples')
        .where('site_id', '=', site)
        .selectAll()
        .orderBy('taken_at')
        .orderBy('kind')
        .execute()
    ).map((row) =>
      [
        row.patient_id === patientId ? '' : 'other ',
        kindOfCode(row.kind),
        ` ${row.value} `,
        qualityOf(row.quality),
      ].join(''),
    );
  const after = async (count: number): Promise<string[]> => (await samples()).slice(count);
  const latest = async () => (await nurse.call('GET', `/api/v2/patients/${patientId}`)).json<Patient>().latest;
  const rules = async (): Promise<string[]> =>
    (await test.store.db.selectFrom('alerts').where('site_id', '=', site).selectAll().orderBy('id').execute()).map(
      ({ rule, priority, condition }) => `${rule} ${priority} ${condition}`,
    );

  it('give no sample, and make no source, where the monitor has not measured with it', async () => {
    await sendEach([[noPulse], [noPulse, heartRate(80)]]);
    await expect(samples()).resolves.toEqual([expect.stringMatching(/^heartRate 80/)]);
    const sources = [...test.server.liveState.devices.values()].filter(({ site_id }) => site_id === site);
    expect(sources.filter(({ name }) => name.includes('SpO2'))).toEqual([]);
  });

  it.each([60, 120, 180, 280, 600])('hide no asystole of a monitor whose clock is %i s behind', async (seconds) => {
    const rate = (number: number): string => {
      const at = toInstant(test.now() - seconds * 1_000).replaceAll(/[-:TZ]|\.\d+/g, '');
      return `${heartRate(number)}|||${at}+0000`;
    };
    for (let count = 0; count < 12; count += 1) {
      await sendEach([[rate(80)]]);
    }
    // The line of the INOP has no time of its own: it has that of its order, which is right.
    for (let count = 0; count < 6; count += 1) {
      await sendEach([[rate(0), inop('ECG Leads Off')]]);
    }
    expect((await rules()).filter((rule) => rule.startsWith('hr.'))).toEqual(['hr.extreme high active']);
  });

  it('are of no other patient, of no other bed, and of no other sender', async () => {
    await measure(spo2(97));
    await expect(send([noPulse], { mrn: 'P-200' })).resolves.toBe('AA');
    await expect(send([noPulse], { bed: '8' })).resolves.toBe('AA');
    await expect(send([noPulse], { mrn: 'P-999' })).resolves.toBe('AE');
    await addSender(test, site, { name: 'South gateway', address, application: 'SOUTH' });
    await expect(send([noPulse], { application: 'SOUTH' })).resolves.toBe('AA');
    await expect(after(3)).resolves.toEqual([]);
  });

  it('never replace or hide a low number of the same time, whichever message comes first', async () => {
    await measure(spo2(97), pulse(80));
    await sendEach([[spo2(71), noPulse]]);
    await expect(send([spo2(72)])).resolves.toBe('AA');
    await expect(send([noPulse])).resolves.toBe('AA');
    expect((await latest()).spo2).toMatchObject({ value: 72, quality: 'good' });
    test.advance(5_000);
    await expect(send([noPulse])).resolves.toBe('AA');
    expect((await latest()).spo2).toMatchObject({ quality: 'invalid', lastValid: { value: 72 } });
    await expect(send([spo2(73)])).resolves.toBe('AA');
    expect((await latest()).spo2).toMatchObject({ value: 73, quality: 'good' });
    // An old one that a queue brings later.
    await expect(send([noPulse], { ageMs: 4_000 })).resolves.toBe('AA');
    expect((await latest()).spo2).toMatchObject({ value: 73, quality: 'good' });
    const values = (await samples()).filter((sample) => /^spo2 7/.test(sample));
    expect(values).toEqual(['spo2 71 questionable', 'spo2 72 good', 'spo2 73 good']);
    await expect(
      test.store.db.selectFrom('sample_corrections').where('site_id', '=', site).select('id').execute(),
    ).resolves.toEqual([]);
  });

  it('make no number certain that comes beside them, and leave those of other probes alone', async () => {
    await measure(spo2(97), spo2t(96), pulse(80), heartRate(81));
    await sendEach([[inop('SpO2   Low Perf'), spo2(95), spo2t(94), pulse(82), heartRate(83)]]);
    expect((await after(12)).sort()).toEqual([
      ...['heartRate 83 good', 'pulseRate 82 questionable', 'spo2 94 good', 'spo2 95 questionable'],
    ]);
    // It measures, if badly: without a number it is silent, and not off.
    await sendEach([[inop('SpO2 Erratic')]]);
    await expect(after(16)).resolves.toEqual([]);
  });

  it('withdraw the numbers of their probe as the monitor’s own "no signal" does, until its next one', async () => {
    await measure(spo2(97), pulse(80), heartRate(81));
    await sendEach([[noPulse, heartRate(82)]]);
    const shown = await latest();
    expect(shown.spo2).toMatchObject({ quality: 'invalid', lastValid: { value: 97 } });
    expect(shown.pulseRate).toMatchObject({ quality: 'invalid', lastValid: { value: 80 } });
    expect(shown.heartRate).toMatchObject({ quality: 'good', value: 82 });
    await sendEach([[spo2(96), pulse(79), heartRate(82)]]);
    expect((await latest()).spo2).toMatchObject({ quality: 'good', value: 96 });
  });

  it('end nothing of the other oximeter', async () => {
    await measure(spo2(97), spo2t(96));
    await sendEach([[inop('SpO2T  No Pulse'), spo2(97)]]);
    await expect(after(6)).resolves.toEqual([expect.stringMatching(/^spo2 \d+ invalid$/), 'spo2 97 good']);
    expect((await latest()).spo2).toMatchObject({ quality: 'good', value: 97 });
  });

  it('raise "sensor off" after its delays, and end it with the next number', async () => {
    await measure(spo2(97));
    // The last number was measured five seconds before the first of them.
    const off = (count: number) => sendEach(Array.from({ length: count }, () => [noPulse]));
    await off(4);
    await expect(rules()).resolves.toEqual([]);
    await off(1);
    await expect(rules()).resolves.toEqual(['sensor.short low active']);
    await off(17);
    await expect(rules()).resolves.toEqual(['sensor.short low active']);
    await off(1);
    await expect(rules()).resolves.toEqual(['sensor.off medium active']);
    await sendEach([[spo2(96)]]);
    await expect(rules()).resolves.toEqual(['sensor.off medium ended']);
  });

  it('cost one row for each number and message, and none if they come again', async () => {
    await measure(spo2(97), pulse(80));
    const earlier = toInstant(test.now() - 75_000).replaceAll(/[-:TZ]|\.\d+/g, '');
    const twice = [noPulse, noPulse, inop('SpO2 Searching'), `${noPulse}|||${earlier}+0000`];
    await sendEach([twice]);
    await expect(after(6)).resolves.toHaveLength(2);
    await expect(send(twice, { ageMs: 5_000 })).resolves.toBe('AA');
    await expect(after(6)).resolves.toHaveLength(2);
  });

  it('are not acknowledged before they are stored', async () => {
    await measure(spo2(97));
    const allow = await refuseCommits(test.store, 'samples');
    await expect(send([noPulse])).resolves.toBe('AR');
    await allow();
    await expect(send([noPulse])).resolves.toBe('AA');
    await expect(after(3)).resolves.toHaveLength(1);
  });

  it('do not show that the patient of a monitor is right', async () => {
    await measure(spo2(97));
    await expect(send([spo2(71)], { mrn: 'P-999' })).resolves.toBe('AE');
    test.advance(120_000);
    await expect(send([noPulse])).resolves.toBe('AA');
    await test.server.alerts.evaluateClock();
    await expect(rules()).resolves.toContain('monitor.identity low active');
  });

  it('are known again after a restart', async () => {
    await measure(spo2(97));
    await test.restart();
    gateway = await connectGateway(test, address);
    await expect(send([noPulse])).resolves.toBe('AA');
    expect((await latest()).spo2).toMatchObject({ quality: 'invalid', lastValid: { value: 97 } });
  });

  it('count for the patient of a bed by the source of its mapping, and not by number', async () => {
    const unitId = await test.addUnit(site, 'North');
    const second = await test.addPatient(site, { mrn: 'P-300', location: { unit: 'North', bed: '9' } });
    await addBedMapping(test, site, { senderId, senderBed: '2 NORTH^^9', unitId, bed: '9' });
    test.advance(3_600_000);
    await sendEach([[spo2(97)]], { mrn: 'P-300', bed: '9' });
    await expect(send([noPulse], { mrn: '', bed: '9' })).resolves.toBe('AA');
    await expect(after(1)).resolves.toEqual([]);
    await sendEach([[spo2(95)], [noPulse]], { mrn: '', bed: '9' });
    const rows = await test.store.db
      .selectFrom('samples')
      .where('site_id', '=', site)
      .selectAll()
      .orderBy('taken_at')
      .execute();
    const sources = rows.map(({ device_id }) => test.server.liveState.devices.get(device_id)?.name);
    expect(rows.map(({ patient_id }) => patient_id)).toEqual([second, second, second]);
    expect(sources).toEqual(['2 NORTH 9 SpO2', '2 NORTH 9 SpO2 by bed', '2 NORTH 9 SpO2 by bed']);
  });

  it('that say that nothing comes from the monitor are silence, which counts from the last number', async () => {
    await measure(spo2(97));
    const silent = Array.from({ length: 10 }, () => [inop('No Data Monitor ')]);
    await sendEach(silent);
    await expect(rules()).resolves.toEqual([]);
    await sendEach([silent[0] ?? []]);
    await expect(rules()).resolves.toEqual(['reporting.short low active']);
    await expect(after(3)).resolves.toEqual([]);
  });
});
