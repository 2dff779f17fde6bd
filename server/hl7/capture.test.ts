import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { PatientsPage } from '../../lib/patients/schema';
import { createSiteInstant } from '../../lib/time/siteInstant';
import { kindOfCode } from '../../lib/vitals/kinds';
import { codeText } from '../../lib/hl7/codes';
import { addBedMapping } from '../../test/addBedMapping';
import { addSender } from '../../test/addSender';
import { capturedKinds, capturePath, countBy, describeCapture, plainLines } from '../../test/capture';
import { apiEngines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { sharedTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { planMessages, readMessages, type PlannedMessage } from '../hl7Send/planMessages';

const timeZone = 'Europe/Berlin';
const hour = 3_600_000;

/** The beds of the capture and who is in them here. Two have a number; the others are found by their bed. */
const beds = [
  { bed: 'iDemo1', isByBed: false, who: { mrn: '34567', familyName: 'Collins', dateOfBirth: '1933-03-03' } },
  { bed: 'pDemo5', isByBed: false, who: { mrn: '123456', familyName: 'Atkins', dateOfBirth: '1921-01-02' } },
  { bed: 'iDemo2', isByBed: true, who: { mrn: 'T-2', familyName: 'Boehnke' } },
  { bed: 'pDemo6', isByBed: true, who: { mrn: 'T-6', familyName: 'Anyone' } },
] as const;

/** What should become of messages, from their lines alone. All of it is text, so that it can be sorted. */
function expectedOf(messages: readonly Uint8Array[]) {
  const kindOf = new Map<string, string>(Object.entries(capturedKinds));
  const values: string[] = [];
  const names: string[] = [];
  const rest: string[] = [];
  const answers: string[] = [];
  const alarms: { text: string; lines: number; isOver: boolean; key: string }[] = [];
  for (const message of messages) {
    const lines = plainLines(message);
    const fieldOf = (segment: string, index: number) => lines.find(([name]) => name === segment)?.[index] ?? '';
    const { bed, isByBed } = beds.find((one) => fieldOf('PV1', 3).includes(one.bed)) ?? { bed: '?', isByBed: false };
    const heard = new Set<string>();
    const namesBefore = names.length;
    let isFull = false;
    for (const line of lines.filter(([segment]) => segment === 'OBX')) {
      const [code = '', value = '', ownTime = ''] = [line[3], line[5], line[14]];
      const [id = '', name = '', system = ''] = code.split('^');
      const kind = kindOf.get(name);
      isFull ||= system !== 'MDIL-ALERT';
      if (kind !== undefined) {
        names.push(name);
        const source = `ICU/PCU ${bed} ${name}${isByBed ? ' by bed' : ''}`;
        values.push([bed, source, kind, ownTime === '' ? fieldOf('OBR', 7) : ownTime, Number(value)].join(' | '));
      } else if (system !== 'MDIL-ALERT') {
        rest.push(code);
      } else {
        const text = withoutNumbers(value);
        const key = [bed, id, text].join(' | ');
        const open = alarms.find((alarm) => alarm.key === key && !alarm.isOver);
        const made = open ?? { text: `${bed} | ${name} | ${text}`, lines: 0, isOver: false, key };
        made.lines += 1;
        alarms.push(...(open === undefined ? [made] : []));
        heard.add(key);
      }
    }
    // Nothing in it but codes that are not known here.
    const isUnknown = lines.some(([name]) => name === 'OBX') && heard.size + names.length === namesBefore;
    answers.push(isUnknown ? 'AE' : 'AA');
    for (const alarm of alarms) {
      alarm.isOver ||= isFull && alarm.key.startsWith(`${bed} |`) && !heard.has(alarm.key);
    }
  }
  const linesOf = (isInop: boolean) =>
    alarms.filter(({ text }) => /Inop/.test(text) === isInop).reduce((sum, { lines }) => sum + lines, 0);
  return {
    ...{ values: values.sort(), counts: countBy(names), rest: countBy(rest), answers: countBy(answers) },
    alarmLines: [linesOf(false), linesOf(true)],
    alarms: alarms.map(({ text, isOver }) => `${text} | ${isOver ? 'ended' : 'lasts'}`).sort(),
  };
}

const withoutNumbers = (text: string): string =>
  text
    .replaceAll(/\b\d+\b/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The same order in each run, and none that the messages have anything to do with. */
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item, index) => ({ item, by: hash('sha256', String(index)) }))
    .sort((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ item }) => item);

const framed = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0x0b]), bytes, Buffer.from(bytes.at(-1) === 0x0d ? [0x1c, 0x0d] : [0x0d, 0x1c, 0x0d])]);

// It takes 16 s on SQLite and 40 s on PostgreSQL, and what depends on the engine is in hl7.test.ts.
describeCapture().each(apiEngines)('the capture of a Philips information centre on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let lead: Caller;
  let senderId: number;
  let gateway: MllpClient;
  const bedOfPatient = new Map<number, string>();
  const captured = (): Uint8Array[] => readMessages(readFileSync(capturePath));

  beforeEach(async () => {
    test = await sharedTestServer(engine, { HL7_PORT: '0' });
    // Its times are whole seconds.
    test.advance(1_000 - (test.now() % 1_000));
    const address = gatewayAddress();
    site = await test.addSite('Trial ward', timeZone);
    await test.startRules(site);
    senderId = (await addSender(test, site, { name: 'Trial gateway', address, application: '', isTrial: true })).id;
    const unitId = await test.addUnit(site, 'ICU');
    bedOfPatient.clear();
    for (const { bed, isByBed, who } of beds) {
      const id = await test.addPatient(site, { ...who, location: { unit: 'ICU', bed }, isTrial: true });
      bedOfPatient.set(id, bed);
      if (isByBed) {
        await addBedMapping(test, site, { senderId, senderBed: `ICU/PCU^^${bed}&0&0`, unitId, bed });
      }
    }
    // They are no trial patients, and nothing may reach them.
    await test.addPatient(site, { familyName: 'Collins', location: { unit: 'ICU', bed: '9' } });
    // Its blood pressures are of the day before: by the bed they are theirs only if they were in it.
    test.advance(48 * hour);
    lead = await test.signIn(site, 'ward_lead');
    gateway = await connectGateway(test, address);
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  /** Sends each message at its time and resolves with how many answers of each code came. */
  async function sendAtPace(planned: readonly PlannedMessage[]): Promise<Record<string, number>> {
    const codes: string[] = [];
    let passedMs = 0;
    for (const { bytes, dueMs } of planned) {
      if (dueMs > passedMs) {
        test.advance(dueMs - passedMs);
        passedMs = dueMs;
        // What runs each second.
        await test.server.storage.check();
        await test.server.alerts.evaluateClock();
      }
      gateway.write(framed(bytes));
      codes.push((await gateway.next()).code);
    }
    return countBy(codes);
  }

  /** Sends messages in packets that end anywhere, and waits for all their answers. */
  async function sendInPackets(messages: readonly Uint8Array[]): Promise<Record<string, number>> {
    const bytes = Buffer.concat(messages.map(framed));
    gateway.socket.setNoDelay(true);
    for (let from = 0, index = 0; from < bytes.length; index += 1) {
      // From a part of a segment up to several messages.
      const length = 1 + ((index * 397) % 4_001);
      gateway.write(bytes.subarray(from, from + length));
      from += length;
      await turn();
    }
    const codes: string[] = [];
    while (codes.length < messages.length) {
      codes.push((await gateway.next()).code);
    }
    return countBy(codes);
  }

  async function stateNow() {
    const { db } = test.store;
    const nameOf = (deviceId: number) => test.server.liveState.devices.get(deviceId)?.name;
    const bedOf = (patientId: number) => bedOfPatient.get(patientId) ?? 'no trial patient';
    const write = createSiteInstant(timeZone);
    const samples = await db.selectFrom('samples').where('site_id', '=', site).selectAll().execute();
    const alarms = await db.selectFrom('device_alarms').where('site_id', '=', site).selectAll().execute();
    return {
      values: samples
        .map(({ patient_id, device_id, kind, taken_at, value }) => {
          const at = write(taken_at).slice(0, 19).replaceAll(/[-T:]/g, '');
          return [bedOf(patient_id), nameOf(device_id), kindOfCode(kind), at, value].join(' | ');
        })
        .sort(),
      alarms: alarms
        .map(({ patient_id, code, text, ended_at }) =>
          [bedOf(patient_id), code, withoutNumbers(text), ended_at === null ? 'lasts' : 'ended'].join(' | '),
        )
        .sort(),
    };
  }
  const rowsOf = async (table: 'quarantine' | 'sample_corrections'): Promise<number> =>
    (await test.store.db.selectFrom(table).where('site_id', '=', site).select('id').execute()).length;
  const unmapped = (): Record<string, number> =>
    Object.fromEntries(
      [...test.server.hl7.senders.stateOf(senderId).unmapped.values()].map(({ code, count }) => [
        codeText(code),
        count,
      ]),
    );
  /** Of patients by their bed, of devices by their name. */
  const alerts = async (): Promise<string[]> =>
    (await test.store.db.selectFrom('alerts').where('site_id', '=', site).selectAll().execute())
      .map(({ patient_id, device_id, rule, priority }) => {
        const device = test.server.liveState.devices.get(device_id ?? 0)?.name ?? '';
        return [patient_id === null ? device : bedOfPatient.get(patient_id), rule, priority].join(' | ');
      })
      .sort();
  const plan = (isShifted: boolean): PlannedMessage[] =>
    planMessages(captured(), { speed: 1, isShifted, timeZone }, test.now());

  it('is charted as 2016 nowhere, shown nowhere, and raises no alert of a patient', async () => {
    const answers = await sendAtPace(plan(false));
    await test.server.alerts.evaluateClock();
    expect(answers).toEqual({ AE: 203 });
    await expect(stateNow()).resolves.toEqual({ values: [], alarms: [] });
    const reasons = await test.store.db
      .selectFrom('quarantine')
      .where('site_id', '=', site)
      .select('code')
      .distinct()
      .execute();
    expect(reasons.map(({ code }) => code).sort()).toEqual(['bed_changing', 'clock_wrong']);
    await expect(alerts()).resolves.toEqual([
      'Monitor ICU/PCU iDemo1 | monitor.clock | low',
      'Monitor ICU/PCU pDemo5 | monitor.clock | low',
    ]);
    const { items } = (await lead.call('GET', '/api/v2/patients')).json<PatientsPage>();
    expect(items.map(({ latest, deviceAlarms }) => ({ latest, deviceAlarms }))).toEqual(
      Array(5).fill({ latest: {}, deviceAlarms: [] }),
    );
  });

  it('with its times of now is all of its values and alarms under their patients; again, it is no change', async () => {
    const planned = plan(true);
    const expected = expectedOf(planned.map(({ bytes }) => bytes));
    // The 22 lines of soft INOPs are no alarms: with them there would be 188.
    expect([expected.values.length, expected.alarmLines]).toEqual([612, [166, 91]]);
    const answers = await sendAtPace(planned);
    const state = await stateNow();
    expect(state).toEqual({ values: expected.values, alarms: expected.alarms });
    expect(countBy(state.values.map((value) => nameOfValue(value)))).toEqual(expected.counts);
    expect(unmapped()).toEqual(expected.rest);
    await expect(rowsOf('quarantine')).resolves.toBe(0);
    expect(answers).toEqual(expected.answers);
    await expect(alerts()).resolves.toEqual(
      expect.arrayContaining([
        'iDemo1 | spo2.low | high',
        'iDemo2 | hr.extreme | high',
        'iDemo2 | spo2.low | high',
        'pDemo6 | news2.respiratoryRate | medium',
      ]),
    );

    const { items } = (await lead.call('GET', '/api/v2/patients')).json<PatientsPage>();
    expect(items.filter(({ isTrial }) => isTrial)).toHaveLength(4);
    for (const { location, isTrial, latest, deviceAlarms } of items) {
      const ofBed = (lines: readonly string[]) => lines.filter((line) => line.startsWith(`${location?.bed} | `));
      const newest = ofBed(expected.values).findLast((value) => value.includes('| heartRate |'));
      expect([isTrial, latest.heartRate?.value]).toEqual([newest !== undefined, lastNumber(newest)]);
      expect(deviceAlarms.map(({ text }) => withoutNumbers(text)).sort()).toEqual(
        ofBed(expected.alarms)
          .flatMap((alarm) => (alarm.endsWith('| lasts') ? [alarm.split(' | ')[2]] : []))
          .sort(),
      );
    }

    // It comes again, shuffled and in packets that end anywhere.
    const messages = planned.map(({ bytes }) => bytes);
    await sendInPackets(shuffled(messages));
    expect(test.server.hl7.senders.stateOf(senderId).repeated).toBe(messages.length);
    // A central station that was started again counts its messages from the beginning.
    const renumbered = messages.map((bytes) =>
      Buffer.from(Buffer.from(bytes).toString('latin1').replace('ORU^R01|', 'ORU^R01|X'), 'latin1'),
    );
    await sendInPackets(shuffled(renumbered));
    expect(test.server.hl7.senders.stateOf(senderId).repeated).toBe(messages.length);
    await expect(stateNow()).resolves.toEqual(state);
    expect([await rowsOf('quarantine'), await rowsOf('sample_corrections')]).toEqual([0, 0]);
  });

  it('is the same values if it comes all at once, in any order', async () => {
    const planned = plan(true);
    const expected = expectedOf(planned.map(({ bytes }) => bytes));
    test.advance(planned.at(-1)?.dueMs ?? 0);
    await sendInPackets(shuffled(planned.map(({ bytes }) => bytes)));
    const { values, alarms } = await stateNow();
    expect(values).toEqual(expected.values);
    const lasting = (all: readonly string[]) => all.filter((alarm) => alarm.endsWith('| lasts'));
    expect(lasting(alarms)).toEqual(lasting(expected.alarms));
    await expect(rowsOf('quarantine')).resolves.toBe(0);
  });
});

/** Returns "SpO2T" of the text of a value. */
const nameOfValue = (value: string): string =>
  (value.split(' | ')[1] ?? '').replace(/^ICU\/PCU \w+ /, '').replace(/ by bed$/, '');

const lastNumber = (value: string | undefined): number | undefined =>
  value === undefined ? undefined : Number(value.split(' | ').at(-1));
