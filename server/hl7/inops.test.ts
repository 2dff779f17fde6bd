import { kindOfCode } from '../../lib/vitals/kinds';
import type { Patient } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import { addBedMapping } from '../../test/addBedMapping';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import type { Caller, TestServer } from '../../test/testServer';
import { qualityOf } from '../vitals/qualityCode';

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

describe.each(apiEngines)('the INOPs of a probe on %s', (engine) => {
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
