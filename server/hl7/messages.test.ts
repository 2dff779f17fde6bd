import { formatDtm } from '../../lib/hl7/formatDtm';
import type { MessagesResponse, OpenedMessage } from '../../lib/interfaces/schema';
import { toInstant } from '../../lib/time/schema';
import { addSender } from '../../test/addSender';
import { apiEngines } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import { frame, type MllpClient } from '../../test/mllpClient';
import { restartableTestServer } from '../../test/sharedServer';
import { startTestServer, type Caller, type TestServer } from '../../test/testServer';

const spo2 = 'OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||97|262688^MDC_DIM_PERCENT^MDC|||||F';
const furlong = 'OBX||NM|150364^MDC_TEMP_BODY^MDC||98.6|furlong|||||F';
const unknown = 'OBX||NM|X-1^Mystery^L||3|||||||F';

/** When the test began. */
let beganAt = 0;

/** A message of the patient P-100, Ada Harbour. */
function oru(id: string, values: readonly string[], { mrn = 'P-100', type = 'ORU^R01' } = {}): string {
  const at = formatDtm(beganAt);
  const header = `MSH|^~\\&|GATEWAY||||${at}||${type}|${id}|P|2.5`;
  return [header, `PID|||${mrn}^^^^MR||Harbour^Ada`, `OBR|||||||${at}`, ...values].join('\n');
}

describe.each(apiEngines)('the messages of HL7 senders on %s', (engine) => {
  let test: TestServer;
  let site: number;
  let senderId: number;
  let patientId: number;
  let gateway: MllpClient;
  let physician: Caller;

  const begin = async (server: TestServer): Promise<void> => {
    test = server;
    beganAt = test.now();
    site = await test.addSite();
    await test.server.alerts.siteChanged(site);
    patientId = await test.addPatient(site, { mrn: 'P-100', familyName: 'Harbour' });
    const from = gatewayAddress();
    ({ id: senderId } = await addSender(test, site, { address: from }));
    physician = await test.signIn(site, 'physician');
    gateway = await connectGateway(test, from);
  };
  beforeEach(async () => {
    await begin(await restartableTestServer(engine, { HL7_PORT: '0' }));
  });
  afterEach(() => {
    gateway.socket.destroy();
  });

  const address = '/api/v2/admin/messages';
  /** Sends messages one after another, and resolves when each has its answer and is written. */
  const send = async (...messages: string[]): Promise<void> => {
    for (const message of messages) {
      gateway.send(message);
      await gateway.next();
      test.advance(1_000);
    }
    await test.server.rawMessages.flush();
  };
  const list = async (by = physician, query = ''): Promise<MessagesResponse> =>
    (await by.call('GET', `${address}${query}`)).json<MessagesResponse>();
  const open = async (by: Caller, id: number | undefined) => await by.call('POST', `${address}/${id ?? 0}/open`);

  const openings = async () =>
    await test.store.db
      .selectFrom('audit')
      .where('site_id', '=', site)
      .select(['actor_id', 'object_type', 'object_id', 'details'])
      .where('action', '=', 'open_message')
      .orderBy('id')
      .execute();

  it('are opened by no one who does not see every patient of their site', async () => {
    await send(oru('M1', [spo2]));
    const [message] = (await list()).items;
    for (const who of [
      await test.signIn(site, 'administrator', true),
      await test.signIn(site, 'technician'),
      await test.signIn(site, 'nurse'),
      await test.signIn(site, 'viewer'),
    ]) {
      expect((await open(who, message?.id)).statusCode).toBe(403);
    }
    const stranger = await test.signIn(await test.addSite('Other ward'), 'physician');
    expect((await list(stranger)).items).toEqual([]);
    expect((await open(stranger, message?.id)).statusCode).toBe(404);
    expect((await open(physician, (message?.id ?? 0) + 1)).statusCode).toBe(404);
    await expect(openings()).resolves.toEqual([]);
  });

  it('are listed with what became of them, and nothing of what is in them', async () => {
    const logged = test.logLines.length;
    const { notKept } = (await list(await test.signIn(site, 'technician'))).kept;
    await send(
      oru('M1', [spo2]),
      oru('M1', [spo2]),
      oru('M2', [spo2, furlong]),
      oru('M3', [unknown]),
      oru('M4', [spo2], { mrn: 'P-999' }),
      oru('M5', [], { type: 'ADT^A01' }),
    );
    gateway.write(frame(oru('M6', [`NTE|||${'x'.repeat(140_000)}`])));
    await gateway.closed;
    await test.server.rawMessages.flush();
    for (const who of [await test.signIn(site, 'administrator', true), await test.signIn(site, 'technician')]) {
      const listed = await list(who);
      expect(listed.items.map(({ fate, reason, isWhole, isKept }) => [fate, reason, isWhole, isKept])).toEqual([
        ['AR', 'too_long', false, false],
        ['AR', 'message_type', false, true],
        ['AE', 'identity_conflict', false, true],
        ['AE', 'unknown_code', false, true],
        ['AA', 'unknown_unit', false, true],
        ['none', 'repeated', true, true],
        ['AA', null, true, true],
      ]);
      expect(listed.items[6]).toMatchObject({ sender: 'North gateway', receivedAt: toInstant(beganAt) });
      expect(listed.kept).toMatchObject({ mostBytes: 2_048 * 1_048_576, notKept, fault: null });
      expect(JSON.stringify(listed)).not.toMatch(/P-100|P-999|Harbour|Ada/);
    }
    expect((await list(physician, '?which=notWhole')).items).toHaveLength(5);
    const nurse = await test.signIn(site, 'nurse');
    expect((await nurse.call('GET', address)).statusCode).toBe(403);
    expect(JSON.stringify(test.logLines.slice(logged))).not.toMatch(/P-100|P-999|Harbour/);
  });

  it('are opened after it is on record whose they are, also after a restart', async () => {
    await send(oru('M1', [spo2]), oru('M2', [spo2], { mrn: 'P-999' }));
    await test.restart();
    const [second, first] = (await list()).items;
    const opened = (await open(physician, first?.id)).json<OpenedMessage>();
    expect(opened.segments).toEqual(oru('M1', [spo2]).split('\n'));
    expect((await open(physician, second?.id)).statusCode).toBe(200);
    const by = { actor_id: physician.userId };
    await expect(openings()).resolves.toEqual([
      {
        ...by,
        object_type: 'patient',
        object_id: patientId,
        details: JSON.stringify({ sender: senderId, message: first?.id }),
      },
      {
        ...by,
        object_type: 'sender',
        object_id: senderId,
        details: JSON.stringify({ sender: senderId, message: second?.id }),
      },
    ]);
  });

  it('are taken and answered all the same if none can be kept', async () => {
    // On a server of its own: they are counted for all sites.
    gateway.socket.destroy();
    await begin(await startTestServer(engine, { HL7_PORT: '0' }));
    jest.spyOn(test.server.storage, 'notStoredSince').mockReturnValue(test.now());
    await send(oru('M1', [spo2]));
    expect((await list()).kept).toMatchObject({ notKept: 1, fault: 'storage' });
    expect((await list()).items).toMatchObject([{ isKept: false, fate: 'AA' }]);
    expect((await open(physician, (await list()).items[0]?.id)).statusCode).toBe(400);
    await test.stop();
  });
});
