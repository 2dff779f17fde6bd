import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import type { Wall } from '../../lib/wall/schema';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const second = 1_000;
const minute = 60 * second;
const spo2 = 'OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||97|262688^MDC_DIM_PERCENT^MDC|||||F';
const heartRate = 'OBX||NM|147842^MDC_ECG_HEART_RATE^MDC||71|264864^MDC_DIM_BEAT_PER_MIN^MDC|||||F';
const unknown = 'OBX||NM|999^OTHER^L||97||||||F';
const event = [
  'OBR|1||E1|196616^MDC_EVT_ALARM^MDC',
  'OBX|1|CWE|196616^MDC_EVT_ALARM^MDC|1.0.0.0.1|196680^MDC_EVT_LEAD_OFF^MDC|||A~PL~ST|||R',
  'OBX|2|ST|68481^MDC_ATTR_EVENT_PHASE^MDC|1.0.0.0.3|start||||||R',
];
const silent = { rule: 'gateway.silent', priority: 'medium', condition: 'active' };

describe.each(apiEngines)('the silence of an HL7 sender on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let firstId: number;
  let address: string;
  let physician: Caller;
  let admin: Caller;
  let senderId: number;
  let gateway: MllpClient;
  let sent = 0;

  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    site = await test.addSite();
    await test.startRules(site);
    firstId = await test.addPatient(site, { mrn: 'P-1' });
    await test.addPatient(site, { mrn: 'P-2' });
    address = gatewayAddress();
    senderId = (await addSender(test, site, { address })).id;
    physician = await test.signIn(site, 'physician');
    admin = await test.signIn(site, 'administrator', true);
    await connect();
  };
  beforeEach(async () => {
    await begin(await restartableTestServer(engine, { HL7_PORT: '0' }));
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  async function connect(): Promise<void> {
    gateway = await connectGateway(test, address);
  }
  /** Sends a message about a patient and resolves with the code of its answer. */
  async function send(patient: number, lines: readonly string[] = [spo2, heartRate], trigger = 'R01'): Promise<string> {
    const time = `${toInstant(test.now()).replaceAll(/[-:TZ]|\.\d+/g, '')}+0000`;
    sent += 1;
    const head = `MSH|^~\\&|GATEWAY||||${time}||ORU^${trigger}|M${sent}|P|2.6`;
    const order = trigger === 'R01' ? [`OBR|1||||||${time}`] : [];
    gateway.send([head, `PID|||P-${patient}^^^^MR`, `PV1|||2 NORTH^^${patient}`, ...order, ...lines].join('\n'));
    return (await gateway.next()).code;
  }
  /** Lets time pass in the server; `each` happens every five seconds of it. */
  async function pass(ms: number, each: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    for (let passed = 0; passed < ms; passed += 5 * second) {
      test.advance(5 * second);
      await each();
      await test.server.clockWatch.check();
      await test.server.alerts.evaluateClock();
    }
  }
  const devices = () => [...test.server.liveState.devices.values()].filter(({ site_id }) => site_id === site);
  const sendBoth = async (): Promise<void> => {
    await send(1);
    await send(2);
  };
  const list = async (): Promise<AlertItem[]> =>
    (await physician.call('GET', '/api/v2/alerts?pageSize=100')).json<AlertsPage>().items;
  /** Of senders and patients; the server itself is another subject. */
  const open = async (): Promise<AlertItem[]> => (await list()).filter(({ deviceName }) => deviceName !== 'Server');
  const rules = async (): Promise<string[]> => (await open()).map(({ rule }) => rule).sort();

  /** Of each patient: the silent gateway that is named there. */
  const silentOfPatients = async (): Promise<Record<string, Patient['silentGateway']>> => {
    const { items } = (await physician.call('GET', '/api/v2/patients')).json<PatientsPage>();
    return Object.fromEntries(items.flatMap((one) => (one.silentGateway ? [[one.mrn, one.silentGateway]] : [])));
  };
  const wall = async (): Promise<Wall> => (await physician.call('GET', '/api/v2/wall')).json<Wall>();

  it('is that of its patient alone where it serves one', async () => {
    await send(1);
    await pass(minute);
    await expect(rules()).resolves.toEqual(['reporting.short']);
  });

  it('is none while it sends events alone, or while something else than values comes', async () => {
    await send(1, event, 'R40');
    await send(2, event, 'R40');
    await pass(10 * minute);
    await expect(rules()).resolves.toEqual([]);
    await sendBoth();
    await pass(minute, () => send(1, [unknown]));
    await expect(rules()).resolves.toEqual(['reporting.short', 'reporting.short']);
  });

  it('is none while it sends what the store does not take', async () => {
    await sendBoth();
    const allow = await refuseCommits(test.store, 'samples');
    await pass(2 * minute, async () => {
      await expect(send(1)).resolves.toBe('AR');
    });
    expect((await open()).filter(({ parameter }) => parameter === 'gateway')).toEqual([]);
    await allow();
  });

  it('is none of one that is set to send every five minutes, before it has missed four of them', async () => {
    await sendBoth();
    for (const device of devices()) {
      test.server.liveState.devices.set(device.id, { ...device, expected_every_ms: 5 * minute });
    }
    await pass(20 * minute - 5 * second);
    physician = await test.signIn(site, 'physician');
    await expect(rules()).resolves.toEqual([]);
    await pass(5 * second);
    await expect(open()).resolves.toMatchObject([silent]);
  });

  it('goes by the intervals of those whom it still serves', async () => {
    await test.addPatient(site, { mrn: 'P-3' });
    await send(3);
    await sendBoth();
    for (const device of devices()) {
      const everyMs = device.name.includes('NORTH 3') ? null : 5 * minute;
      test.server.liveState.devices.set(device.id, { ...device, expected_every_ms: everyMs });
    }
    await pass(10 * minute);
    await sendBoth();
    await pass(2 * minute);
    expect((await open()).filter(({ parameter }) => parameter === 'gateway')).toEqual([]);
  });

  it('counts neither the time in which the server was down nor a step of its clock', async () => {
    // On a server of its own: the clock is every site's.
    gateway.socket.destroy();
    await begin(await startTestServer(engine, { HL7_PORT: '0' }));
    await sendBoth();
    await pass(30 * second, sendBoth);
    test.advance(60 * minute);
    await test.restart();
    await test.app.ready();
    await connect();
    physician = await test.signIn(site, 'physician');
    await pass(55 * second);
    await expect(rules()).resolves.toEqual([]);
    await sendBoth();
    await pass(20 * second);
    test.setWallClock(2 * 60 * minute);
    await pass(35 * second);
    // The clocks of its monitors are wrong by our new one.
    expect(new Set(await rules())).toEqual(new Set(['clock.off']));
    await pass(10 * second);
    expect(new Set(await rules())).toEqual(new Set(['clock.off', 'gateway.silent']));
    expect((await open()).filter(({ deviceName }) => deviceName === 'North gateway')).toMatchObject([silent]);
    await test.stop();
  });

  it('is one alert of the sender instead of those of its patients, and one that can be accepted', async () => {
    await pass(30 * second, sendBoth);
    await pass(55 * second);
    await expect(open()).resolves.toEqual([]);
    await pass(5 * second);
    const [alert, ...others] = await open();
    expect(alert).toMatchObject({ ...silent, patientId: null, deviceName: 'North gateway' });
    expect(alert?.sentence).toContain('Gateway silent since');
    expect(others).toEqual([]);
    const accepted = await physician.call('POST', `/api/v2/alerts/${alert?.id}/accept`, { version: alert?.version });
    expect(accepted.statusCode).toBe(200);
    await pass(4 * minute);
    await expect(open()).resolves.toMatchObject([{ id: alert?.id, rule: 'gateway.long', priority: 'high' }]);
  });

  it('hides nothing that another device of its patients has, and ends nothing of it', async () => {
    const { token } = await test.addDevice(site, { name: 'Oximeter', expectedEveryMs: second });
    const own = async (quality: 'good' | 'invalid'): Promise<void> => {
      const sample = { patientId: firstId, kind: 'spo2', value: 96, takenAt: toInstant(test.now()), quality };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    };
    await pass(30 * second, async () => {
      await send(1, [heartRate]);
      await send(2);
      await own('good');
    });
    await pass(2 * minute, () => own('good'));
    await expect(rules()).resolves.toEqual(['gateway.silent']);
    await pass(2 * minute, () => own('invalid'));
    await expect(rules()).resolves.toEqual(['gateway.silent', expect.stringMatching(/^sensor\./)]);
    await pass(2 * minute);
    await expect(rules()).resolves.toContainEqual(expect.stringMatching(/^reporting\./));
  });

  it('is named at each patient whose values it carries, with the time of its last message', async () => {
    const { token } = await test.addDevice(site, { name: 'Oximeter', expectedEveryMs: second });
    const other = await test.addPatient(site, { mrn: 'P-3' });
    const own = async (): Promise<void> => {
      const sample = { patientId: other, kind: 'spo2', value: 96, takenAt: toInstant(test.now()) };
      expect((await test.ingest(token, [sample])).statusCode).toBe(200);
    };
    await pass(30 * second, sendBoth);
    const since = toInstant(test.now());
    await pass(55 * second, own);
    await expect(silentOfPatients()).resolves.toEqual({});
    await pass(5 * second, own);
    const named = { name: 'North gateway', since };
    await expect(silentOfPatients()).resolves.toEqual({ 'P-1': named, 'P-2': named });
    expect((await wall()).silentGateways).toEqual({ priority: 'medium', since, patients: 2 });
    await send(1);
    await pass(5 * second, own);
    await expect(silentOfPatients()).resolves.toEqual({});
    expect((await wall()).silentGateways).toBeNull();
  });

  it('lasts over a restart, and is said since the last message before it', async () => {
    await pass(30 * second, sendBoth);
    const since = toInstant(test.now());
    await pass(2 * minute);
    const [before] = await open();
    test.advance(minute);
    await test.restart();
    await test.app.ready();
    await connect();
    physician = await test.signIn(site, 'physician');
    await pass(5 * second);
    const [after, ...others] = await open();
    expect(after).toMatchObject({ id: before?.id, ...silent, episodes: 1, sentence: before?.sentence });
    expect(others).toEqual([]);
    const named = { name: 'North gateway', since };
    await expect(silentOfPatients()).resolves.toEqual({ 'P-1': named, 'P-2': named });
    await pass(5 * second, () => send(1));
    expect((await open()).filter(({ parameter }) => parameter === 'gateway')).toEqual([]);
  });

  it('ends with its next message, and leaves to its patients what is still missing', async () => {
    await pass(30 * second, sendBoth);
    await pass(2 * minute);
    await expect(rules()).resolves.toEqual(['gateway.silent']);
    await pass(5 * second, () => send(1));
    await expect(open()).resolves.toMatchObject([{ rule: 'reporting.short', condition: 'active' }]);
    await expect(rules()).resolves.toHaveLength(1);
  });

  it('is that of a patient again when one bed alone falls silent', async () => {
    await pass(30 * second, sendBoth);
    await pass(minute, () => send(1));
    await expect(rules()).resolves.toEqual(['reporting.short']);
  });

  it('ends when the sender is revoked', async () => {
    await pass(30 * second, sendBoth);
    await pass(minute);
    await expect(rules()).resolves.toEqual(['gateway.silent']);
    expect((await admin.call('POST', `/api/v2/admin/senders/${senderId}/revoke`)).statusCode).toBe(200);
    await pass(5 * second);
    expect((await open()).filter(({ parameter }) => parameter === 'gateway')).toEqual([]);
  });
});
