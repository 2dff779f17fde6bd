import type { SendersResponse } from '../../lib/interfaces/schema';
import type { z } from 'zod';
import { formatDtm } from '../../lib/hl7/formatDtm';
import type { mappingsResponse, SenderCode } from '../../lib/mappings/schema';
import { kinds } from '../../lib/vitals/kinds';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { isWithdrawn } from '../vitals/qualityCode';
import { correctValues } from './correctValues';

type Mappings = z.infer<typeof mappingsResponse>;

const address = '/api/v2/admin/mappings/codes';
const saturation = { id: 'SAT', text: 'Saturation', system: 'L' };

describe.each(apiEngines)('a code of an HL7 sender that no table has, on %s', (engine) => {
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
    { code = 'SAT^Saturation^L', unit = '%', ahead = 0 } = {},
  ): Promise<string> => {
    test.advance(1_000);
    sent += 1;
    const at = formatDtm(test.now() + ahead);
    gateway.send(
      [
        `MSH|^~\\&|GATEWAY||||${at}||ORU^R01|M${sent}|P|2.5`,
        'PID|||M7^^^^MR||Harbour^Sam',
        `OBR|||||||${at}`,
        `OBX||${typeof value === 'number' ? 'NM' : 'ST'}|${code}||${value}|${unit}|||||F`,
      ].join('\n'),
    );
    return (await gateway.next()).code;
  };
  const listed = async (by = physician): Promise<Mappings> =>
    (await by.call('GET', '/api/v2/admin/mappings')).json<Mappings>();
  const codes = async (): Promise<SenderCode[]> => (await listed()).codes;
  const propose = (by: Caller, more: object = {}) =>
    by.call('POST', address, { senderId, code: saturation, kind: 'spo2', isUnitless: false, ...more });
  const decide = (by: Caller, id: number, how: 'confirm' | 'end' | 'undo') =>
    by.call('POST', `${address}/${id}/${how}`);
  const mapped = async (more: object = {}): Promise<number> => {
    await propose(technician, more);
    const id = (await codes()).find(({ mapping }) => mapping !== null)?.mapping?.id ?? 0;
    expect((await decide(physician, id, 'confirm')).statusCode).toBe(200);
    return id;
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
  const spo2 = kinds.spo2.code;

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
    const id = (await codes())[0]?.mapping?.id ?? 0;
    expect(faultOf(await decide(technician, id, 'confirm'))).toEqual([403, 'forbidden']);
    await decide(physician, id, 'confirm');
    await expect(send(95)).resolves.toBe('AA');
    await expect(values()).resolves.toEqual([[spo2, 95]]);
    const { shown } = await listed();
    expect(shown).toEqual({ spo2: { count: 1, min: 95, middle: 95, max: 95 } });
    const administrator = await test.signIn(site, 'administrator', true);
    const { items } = (await administrator.call('GET', '/api/v2/admin/senders')).json<SendersResponse>();
    expect(items.flatMap(({ unmapped }) => unmapped)).toEqual([]);
    await test.restart();
    expect(test.server.codes.find(senderId, saturation)?.kind).toBe('spo2');
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
    await correctValues(test.server, signal);
    await expect(values()).resolves.toEqual([]);
    await expect(openAlerts()).resolves.toEqual([]);
    test.advance(30_000);
    await correctValues(test.server, signal);
    await correctValues(test.server, signal);
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
    for (const ahead of [7_200_000, 0]) {
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
    await correctValues(test.server, new AbortController().signal);
    await expect(values()).resolves.toEqual([]);
  });

  it('loses a value that was on its way when its mapping was undone', async () => {
    const id = await mapped();
    await decide(physician, id, 'undo');
    const { signal } = new AbortController();
    await correctValues(test.server, signal);
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
    await correctValues(test.server, signal);
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
    await correctValues(test.server, new AbortController().signal);
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
      { code: { ...saturation, text: 'K\uFFFDrper' } },
      { code: { id: '', text: '', system: 'L' } },
      { code: { ...saturation, text: 'a\u0007b' } },
      { kind: 'consciousness' },
    ]) {
      expect(faultOf(await propose(technician, more))).toEqual([422, 'invalid']);
    }
    expect((await propose(technician)).statusCode).toBe(200);
    expect((await propose(technician)).statusCode).toBe(200);
    expect(faultOf(await propose(technician, { kind: 'heartRate' }))).toEqual([409, 'code_mapped']);
    const [code, ...others] = await codes();
    expect(others).toEqual([]);
    const id = code?.mapping?.id ?? 0;
    const stranger = await test.signIn(elsewhere, 'physician');
    expect(faultOf(await decide(stranger, id, 'confirm'))).toEqual([404, 'not_found']);
    expect((await listed(stranger)).codes).toEqual([]);
    const both = await test.signIn(site, 'physician', true);
    expect((await decide(both, id, 'end')).statusCode).toBe(200);
    expect(faultOf(await decide(physician, id, 'confirm'))).toEqual([409, 'mapping_ended']);
    await propose(both);
    const own = (await codes())[0]?.mapping?.id ?? 0;
    expect(own).not.toBe(id);
    expect(faultOf(await decide(both, own, 'confirm'))).toEqual([403, 'own_proposal']);
  });
});
