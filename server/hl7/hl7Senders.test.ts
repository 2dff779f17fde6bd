import { X509Certificate } from 'node:crypto';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';
import { type SenderSettings, unanswered, versionOne } from '../../lib/hl7/senderSettings';
import type { ListedSettings, SenderSettingsResponse } from '../../lib/interfaces/schema';
import type { Patient, PatientsPage } from '../../lib/patients/schema';
import { toInstant } from '../../lib/time/schema';
import type { Wall } from '../../lib/wall/schema';
import { addBedMapping } from '../../test/addBedMapping';
import { addDecider } from '../../test/addDecider';
import { addSender } from '../../test/addSender';
import { clientCertificate, subjectPart, subjectTypes } from '../../test/clientCertificate';
import { apiEngines, createTestDatabase, type TestDatabase } from '../../test/database';
import { connectGateway, gatewayAddress } from '../../test/hl7Door';
import type { MllpClient } from '../../test/mllpClient';
import { refuseCommits } from '../../test/refuseCommits';
import { restartableTestServer, sharedTestServer } from '../../test/sharedServer';
import { type Caller, startTestServer, type TestServer } from '../../test/testServer';
import { tlsCertificate } from '../../test/tlsCertificate';
import { system } from '../audit/actor';
import { openStore, type Store } from '../db/open';
import type { DeviceRow, SenderRow } from '../db/rows';
import { changeDevice } from '../devices/commands';
import { certificateName } from './certificateName';
import { acceptSender, revokeSender } from './commands';
import { newPace, notePace, readPace } from './pace';
import { type From, loadSenders } from './senders';
import { settingsOf } from './senderSettings';
import { earlierOf, type Source, sourceOf } from './sourceOf';
import { createSources, type Sources } from './sources';

describe('the name in a certificate', () => {
  const { cn, o, serialNumber } = subjectTypes;
  const nameOf = (...parts: Uint8Array[]): string | null => certificateName(clientCertificate(parts).raw);

  it.each([
    ['no part', []],
    ['a value of 1,000 characters', [subjectPart(cn, 'x'.repeat(1_000))]],
    ['a part without a pair', [Uint8Array.of(0x31, 0)]],
    ['a pair that is cut off', [Uint8Array.of(0x31, 2, 0x30, 9)]],
  ])('is none if its subject has %s', (_, parts) => {
    expect(nameOf(...parts)).toBeNull();
  });

  it('is none if the certificate ends too early, wherever that is', () => {
    const { raw } = clientCertificate([subjectPart(cn, 'gateway')]);
    const names = Array.from({ length: raw.length }, (_, end) => certificateName(raw.subarray(0, end)));
    expect(names.filter((name) => name !== null)).toEqual([]);
  });

  it('has every part of the subject, the last one first, and is that of a certificate that others made', () => {
    expect(nameOf(subjectPart(o, 'Hospital'), subjectPart(cn, 'gateway'))).toBe('CN=gateway, O=Hospital');
    expect(nameOf(subjectPart(o, 'Hospital'))).toBe('O=Hospital');
    expect(nameOf(subjectPart(cn, 'a'), subjectPart(cn, 'b'))).toBe('CN=b, CN=a');
    expect(nameOf(subjectPart('0603550414', 'x'))).toBe('#550414=x');
    expect(certificateName(new X509Certificate(tlsCertificate.cert).raw)).toBe('CN=wardlight-test');
  });

  it('stays the same when the certificate is renewed, also with texts of another type', () => {
    const first = nameOf(subjectPart(cn, 'gateway'));
    expect(nameOf(subjectPart(cn, 'gateway'))).toBe(first);
    expect(nameOf(subjectPart(cn, 'gateway', 0x13))).toBe(first);
  });

  it.each([
    ['a space more', 'a  b', 'a b'],
    ['a space at its end', 'a ', 'a'],
    ['an accent of its own', 'e\u0301', '\u00e9'],
    ['a letter of another alphabet', '\u0430', 'a'],
    ['a sign that is not seen', 'a\u200b', 'a'],
    ['a control character', 'a\n', 'a'],
    ['a NUL', 'a\u0000b', 'a'],
    ['its escapes as text', 'a\\0A', 'a\n'],
    ['capitals', 'A', 'a'],
    ['bytes that are no text', Uint8Array.of(0xff), Uint8Array.of(0xfe)],
    ['a name in it', 'a, O=b', 'a'],
  ])('tells subjects apart that differ by %s, in plain signs', (_, one, other) => {
    const names = [nameOf(subjectPart(cn, one)), nameOf(subjectPart(cn, other))];
    expect(names[0]).not.toBe(names[1]);
    expect(names.join('')).toMatch(/^[ -~]+$/);
  });

  it('tells a text from other parts and values that would print like it', () => {
    const lines = [
      nameOf(subjectPart(o, 'b'), subjectPart(cn, 'a')),
      nameOf(subjectPart(cn, 'a'), subjectPart(o, 'b')),
      nameOf(subjectPart(cn, 'a, O=b')),
      nameOf(subjectPart(cn, 'a + O=b')),
      nameOf(subjectPart(cn, 'a')),
      // Octets, Latin letters of a type that has none, and the digits of the former as a text.
      nameOf(subjectPart(cn, 'a', 0x04)),
      nameOf(subjectPart(cn, Uint8Array.of(0xe9), 0x13)),
      nameOf(subjectPart(cn, Uint8Array.of(0xe9))),
      nameOf(subjectPart(cn, '#040161')),
      nameOf(subjectPart(serialNumber, 'a')),
    ];
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).not.toContain(null);
  });
});

describe('the list of senders', () => {
  const row: SenderRow = {
    id: 1,
    site_id: 1,
    name: 'gateway',
    certificate: null,
    address: '10.1.2.0/24',
    application: 'GATEWAY',
    facility: '',
    is_trial: 0,
    zero_is_no_signal: 0,
    quarantine_is_accepted: 0,
    accepted_at: 0,
    accepted_by: null,
    revoked_at: null,
    settings: null,
    settings_version: 1,
    settings_at: null,
    settings_replay: null,
  };
  const from = (change: Partial<From> = {}): From => ({
    address: '10.1.2.3',
    certificate: null,
    application: 'GATEWAY',
    facility: '',
    ...change,
  });

  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite', true);
    store = await openStore(database);
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  it.each([
    from({ address: '10.1.3.3' }),
    from({ address: '::1' }),
    from({ address: '' }),
    from({ application: '' }),
    from({ application: 'gateway' }),
    from({ facility: 'WARD' }),
  ])('does not take %j for a sender', async (stranger) => {
    const senders = await loadSenders(store);
    senders.put(row);
    expect(senders.find(stranger)).toBeNull();
  });

  it('takes the smallest range that holds an address, and none that is revoked', async () => {
    const senders = await loadSenders(store);
    senders.put(row);
    const exact = { ...row, id: 2, address: '10.1.2.3' };
    senders.put(exact);
    senders.put({ ...row, id: 3, address: '10.0.0.0/8' });
    expect(senders.find(from())?.id).toBe(2);
    expect(senders.find(from({ address: '10.1.2.4' }))?.id).toBe(1);
    expect(senders.isExpected(from({ address: '10.9.9.9' }))).toBe(true);
    senders.put({ ...exact, revoked_at: 1 });
    expect(senders.find(from())?.id).toBe(1);
  });

  it('expects a certificate of a sender in use from any address, and that of a revoked one from none', async () => {
    const senders = await loadSenders(store);
    const certificate = 'CN=north';
    const known = { ...row, id: 4, certificate, address: '', application: '', facility: '' };
    const elsewhere = from({ address: '10.9.9.9', application: 'OTHER', certificate });
    senders.put(row);
    expect([senders.find(elsewhere), senders.isExpected(elsewhere)]).toEqual([null, false]);
    expect(senders.find(from({ certificate }))?.id).toBe(1);
    senders.put(known);
    expect([senders.find(elsewhere)?.id, senders.isExpected(elsewhere)]).toEqual([4, true]);
    expect(senders.find(from({ certificate }))?.id).toBe(4);
    expect(senders.find({ ...from(), address: '10.9.9.9' })).toBeNull();
    senders.put({ ...known, revoked_at: 1 });
    expect([senders.find(from({ certificate })), senders.isExpected(from({ certificate }))]).toEqual([null, false]);
    senders.put({ ...known, id: 5 });
    expect(senders.find(from({ certificate }))?.id).toBe(5);
    expect(senders.isRevoked(certificate)).toBe(false);
  });

  it.each([
    ['10.1.2.128/25', 2, true],
    ['10.1.0.0/16', 2, true],
    ['10.1.2.7/24', 1, true],
    ['10.1.2.3', 1, false],
    ['10.1.3.0/24', 2, false],
    ['::/32', 2, false],
  ])('says that %s of site %i clashes with 10.1.2.0/24 of site 1: %s', async (address, siteId, isClash) => {
    const senders = await loadSenders(store);
    senders.put(row);
    expect(senders.clashes(siteId, from({ address }))).toBe(isClash);
    expect(senders.clashes(siteId, from({ address, facility: 'WARD' }))).toBe(false);
  });

  it('lists at most 100 unknown senders, and of one address 10, those that sent last', async () => {
    const senders = await loadSenders(store);
    senders.noteUnknown(from({ address: '10.9.9.9' }), 1);
    for (let index = 0; index < 20; index += 1) {
      senders.noteUnknown(from({ facility: `F${index}` }), 2);
    }
    expect(senders.unknown()).toHaveLength(11);
    expect(senders.unknown().at(-1)?.address).toBe('10.9.9.9');
    for (let index = 0; index < 120; index += 1) {
      senders.noteUnknown(from({ address: `10.2.0.${index}` }), 3);
    }
    expect(senders.unknown()).toHaveLength(100);
    senders.noteUnknown(from({ address: '10.2.0.60' }), 4);
    expect(senders.unknown()[0]).toMatchObject({ address: '10.2.0.60', messages: 2, firstAt: 3, lastAt: 4 });
  });

  it('lists no sender whose texts could not be stored', async () => {
    const senders = await loadSenders(store);
    for (const application of ['a\u0000b', 'a\nb', 'x'.repeat(300)]) {
      senders.noteUnknown(from({ application }), 1);
    }
    expect(senders.unknown()).toEqual([]);
  });
});

describe('sources', () => {
  const startWithSender = async () => {
    const test = await sharedTestServer('sqlite');
    const site = await test.addSite();
    const sender = await addSender(test, site, { address: gatewayAddress() });
    return { test, sender, ...createSources(test.server) };
  };

  const named = (key: string): Source => ({ key, nameOf: () => `The ${key}` });

  it('makes at most 500 monitors, so that bed names without end leave room for probes', async () => {
    const { sender, make, find } = await startWithSender();
    const monitors = Array.from({ length: 600 }, (_, index) => named(`monitor ${index}`));
    await make(sender, monitors.slice(0, 400));
    await make(sender, [...monitors.slice(400), named('probe')]);
    expect(monitors.filter(({ key }) => find(sender.id, key) !== null)).toHaveLength(500);
    expect(find(sender.id, 'probe')?.name).toBe('The probe');
  });

  it('keeps no more messages waiting for their sources than there can be connections', async () => {
    const { test, sender, make } = await startWithSender();
    const sources = Array.from({ length: 300 }, (_, index) => named(`key ${index}`));
    const made = await Promise.allSettled(sources.map((source) => make(sender, [source])));
    const codes = made.map((one) =>
      one.status === 'fulfilled' ? 'made' : String((one.reason as { code: string }).code),
    );
    expect([codes.filter((code) => code === 'made').length, new Set(codes)]).toEqual([200, new Set(['made', 'busy'])]);
    await expect(make(sender, sources.slice(200))).resolves.toBeUndefined();
    const devices = [...test.server.liveState.devices.values()];
    expect(devices.filter(({ site_id }) => site_id === sender.site_id)).toHaveLength(301);
  });

  describe.each(apiEngines)('sources of a mapping on %s', (engine) => {
    let test: TestServer;
    let site: number;
    let sender: SenderRow;
    let sources: Sources;

    beforeEach(async () => {
      test = await sharedTestServer(engine);
      site = await test.addSite();
      sender = await addSender(test, site, { address: gatewayAddress() });
      sources = createSources(test.server);
    });

    const observation = { deviceId: null, code: { id: 'SAT', text: 'Saturation', system: 'L' }, subId: '1' };
    /** A source of a bed that another mapping than before may say. */
    const ofBed = (bed: string, bedMappingId: number): Source =>
      sourceOf(observation, { bed, patient: { hasIdentifier: false }, bedMappingId, codeMappingId: null });
    const map = async (bed: string): Promise<number> => {
      const unitId = await test.addUnit(site, 'ICU');
      await addBedMapping(test, site, { senderId: sender.id, senderBed: bed, unitId, bed: '7' });
      return test.server.beds.find(sender.id, bed)?.id ?? 0;
    };
    const end = async (id: number, wasWrong: boolean): Promise<void> => {
      await test.server.beds.end(await addDecider(test, site, 'physician'), id, wasWrong);
    };
    const expectEvery = async (device: DeviceRow | null, expectedEveryMs: number): Promise<void> => {
      const { store, server } = test;
      const by = await addDecider(test, site, 'technician');
      await changeDevice(store, server.liveState, by, device?.id ?? 0, { expectedEveryMs });
    };
    const made = async (source: Source) => {
      await sources.make(sender, [source]);
      return sources.find(sender.id, source.key);
    };

    it.each([false, true])('make room for others once it has ended, undone or not (%p)', async (wasWrong) => {
      const id = await map('ICU^^7');
      const many = Array.from({ length: 1_999 }, (_, index) => ({ ...ofBed('ICU^^7', id), key: `bed ${index}` }));
      await sources.make(sender, many);
      const next = await map('ICU^^8');
      await expect(made(ofBed('ICU^^8', next))).resolves.toBeNull();
      await end(id, wasWrong);
      await expect(made(ofBed('ICU^^8', next))).resolves.toMatchObject({ bed_mapping_id: next });
    });

    it('leave the room of others while what came before the mapping is read again', async () => {
      const code = { bed: 'ICU^^7', patient: { hasIdentifier: true }, bedMappingId: null, codeMappingId: 1 };
      const mapped = sourceOf(observation, code);
      const earlier = Array.from({ length: 2_001 }, (_, index) => earlierOf({ ...mapped, key: `probe ${index}` }));
      await sources.make(sender, earlier);
      expect(earlier.filter(({ key }) => sources.find(sender.id, key) !== null)).toHaveLength(2_000);
      await expect(made(sourceOf(observation, { ...code, codeMappingId: null }))).resolves.toMatchObject({
        code_mapping_id: null,
      });
    });

    it('that is mapped again are expected as often as before, and those of other places are not', async () => {
      const first = await map('ICU^^7');
      const before = await made(ofBed('ICU^^7', first));
      const everyMs = 300_000;
      await expectEvery(before, everyMs);
      await end(first, false);
      const second = await map('ICU^^7');
      const again = await made(ofBed('ICU^^7', second));
      expect([again?.id === before?.id, again?.expected_every_ms]).toEqual([false, everyMs]);
      await expect(made(ofBed('ICU^^9', second))).resolves.toMatchObject({ expected_every_ms: null });
      const other = { ...observation, subId: '2' };
      const probe = sourceOf(other, {
        ...{ bed: 'ICU^^7', patient: { hasIdentifier: false } },
        ...{ bedMappingId: second, codeMappingId: null },
      });
      await expect(made(probe)).resolves.toMatchObject({ expected_every_ms: null });
    });

    it('are expected as often as by any earlier mapping of their code, the newest first', async () => {
      const ofCode = (codeMappingId: number): Source =>
        sourceOf(observation, { bed: 'ICU^^7', patient: { hasIdentifier: true }, bedMappingId: null, codeMappingId });
      for (const [id, expectedEveryMs] of [
        [1, 60_000],
        [2, 300_000],
      ] as const) {
        const device = await made(ofCode(id));
        await expectEvery(device, expectedEveryMs);
      }
      await expect(made(ofCode(3))).resolves.toMatchObject({ expected_every_ms: 300_000 });
    });
  });
});

describe.each(apiEngines)('the settings of a sender on %s', (engine) => {
  const mrn: SenderSettings['identifiers'] = [{ type: 'PI', authority: 'HOSP', is: 'mrn' }];
  const wanted: SenderSettings = { ...unanswered, identifiers: mrn, missingStatus: 'F' };
  const saturation = { id: '150456', text: '', system: 'MDC' };

  let test: TestServer;
  let site: number;
  let senderId: number;
  let technician: Caller;
  let physician: Caller;

  beforeEach(async () => {
    test = await restartableTestServer(engine);
    site = await test.addSite();
    ({ id: senderId } = await addSender(test, site, { address: gatewayAddress() }));
    technician = await test.signIn(site, 'technician');
    physician = await test.signIn(site, 'physician');
  });

  const address = '/api/v2/admin/senders';
  const propose = (by: Caller, settings: object = wanted, basedOn = 1, id = senderId) =>
    by.call('POST', `${address}/${id}/settings`, { basedOn, settings });
  const decide = (by: Caller, id: number, how: 'confirm' | 'reject') =>
    by.call('POST', `${address}/settings/${id}/${how}`);
  const listed = async (by = physician): Promise<ListedSettings> => {
    const [first] = (await by.call('GET', `${address}/settings`)).json<SenderSettingsResponse>().items;
    if (first === undefined) {
      throw new Error('No sender is listed');
    }
    return first;
  };
  const proposed = async (settings: object = wanted, basedOn = 1): Promise<number> => {
    expect((await propose(technician, settings, basedOn)).statusCode).toBe(200);
    return (await listed()).proposal?.id ?? 0;
  };
  const faultOf = (response: { statusCode: number; json: <T>() => T }): [number, string] => [
    response.statusCode,
    response.json<{ error: { code: string } }>().error.code,
  ];
  const held = (): SenderSettings | undefined => test.server.hl7.senders.ofSite(site).map(settingsOf)[0];

  it.each([
    ['an account number for the MRN', { ...wanted, identifiers: [{ type: 'AN', authority: '', is: 'mrn' }] }],
    ['a saturation for no signal', { ...wanted, sentinels: [{ code: saturation, values: [97] }] }],
    ['a zone that is none', { ...wanted, timeZone: 'Berlin' }],
    ['half of the answers', { bedRoute: true }],
  ])('take not %s', async (_, settings) => {
    expect(faultOf(await propose(technician, settings))).toEqual([422, 'invalid']);
    expect((await listed()).proposal).toBeNull();
  });

  it('let a number alone count only where it did before that was asked', async () => {
    const alone: SenderSettings = { ...wanted, beside: 'asSent' };
    await decide(physician, await proposed(alone), 'confirm');
    expect(held()).toEqual(alone);
    await decide(physician, await proposed(wanted, 2), 'confirm');
    expect(faultOf(await propose(technician, alone, 3))).toEqual([422, 'invalid']);
  });

  it('let any text count only while none was ever asked about', async () => {
    const never: SenderSettings = { ...wanted, texts: null };
    await decide(physician, await proposed(never), 'confirm');
    expect(held()).toEqual(never);
    await decide(physician, await proposed(wanted, 2), 'confirm');
    expect(faultOf(await propose(technician, never, 3))).toEqual([422, 'invalid']);
  });

  it('from before texts were asked about hold as they are, and a change asks about those that were seen', async () => {
    const settings = JSON.stringify({ ...wanted, texts: undefined });
    await test.store.db.updateTable('hl7_senders').set({ settings }).where('id', '=', senderId).execute();
    await test.restart();
    expect(held()).toEqual({ ...wanted, texts: null });
    const text = { ...saturation, text: 'Sat' };
    test.server.hl7.senders.stateOf(senderId).seen.texts.push({ ...text, count: 1 });
    const { suggested } = await listed(await test.signIn(site, 'physician'));
    expect(suggested).toEqual({ ...wanted, texts: [{ code: text, isMeant: false }] });
  });

  it('are proposed for a sender of the site that is in use, by those who may, on what holds', async () => {
    const elsewhere = await test.addSite('Other ward');
    const { id: other } = await addSender(test, elsewhere, { address: gatewayAddress() });
    expect(faultOf(await propose(technician, wanted, 1, other))).toEqual([404, 'not_found']);
    expect(faultOf(await propose(physician))).toEqual([403, 'forbidden']);
    expect(faultOf(await propose(technician, wanted, 0))).toEqual([409, 'changed_meanwhile']);
    await proposed();
    expect(faultOf(await propose(technician, { ...wanted, bedRoute: true }))).toEqual([409, 'proposal_open']);
    await revokeSender(test.server, test.now(), system, site, senderId);
    expect(faultOf(await propose(technician))).toEqual([404, 'not_found']);
  });

  it('hold once a second person has confirmed them, as the next version, also after a restart', async () => {
    const both = await test.signIn(site, 'physician', true);
    expect((await propose(both)).statusCode).toBe(200);
    const { proposal, version } = await listed(both);
    expect([version, proposal?.wanted, proposal?.canConfirm, held()]).toEqual([1, wanted, false, versionOne]);
    const id = proposal?.id ?? 0;
    expect(faultOf(await decide(both, id, 'confirm'))).toEqual([403, 'own_proposal']);
    expect(faultOf(await decide(technician, id, 'confirm'))).toEqual([403, 'forbidden']);
    test.advance(1_000);
    expect((await decide(physician, id, 'confirm')).statusCode).toBe(200);
    await expect(listed()).resolves.toMatchObject({
      ...{ version: 2, since: toInstant(test.now()), settings: wanted, suggested: wanted, proposal: null },
    });
    expect(held()).toEqual(wanted);
    await test.restart();
    expect(held()).toEqual(wanted);
    const rows = await test.store.db.selectFrom('proposals').where('object_id', '=', senderId).selectAll().execute();
    expect(rows).toMatchObject([
      { kind: 'sender', based_on: 1, held: JSON.stringify(versionOne), wanted: JSON.stringify(wanted) },
    ]);
  });

  it('stay as they are if they are rejected, or the sender is revoked before', async () => {
    await decide(technician, await proposed(), 'reject');
    expect([held(), (await listed()).proposal]).toEqual([versionOne, null]);
    const id = await proposed();
    await revokeSender(test.server, test.now(), system, site, senderId);
    expect(faultOf(await decide(physician, id, 'confirm'))).toEqual([409, 'changed_meanwhile']);
  });

  it('that cannot be read let nothing be taken', async () => {
    const damaged = { settings: '{"bedRoute":true}' };
    await test.store.db.updateTable('hl7_senders').set(damaged).where('id', '=', senderId).execute();
    await test.restart();
    expect(held()).toEqual(unanswered);
  });

  it('are suggested by what a sender sent before it was accepted, and afterwards by what holds', async () => {
    const { senders } = test.server.hl7;
    const from: From = { address: gatewayAddress(), certificate: null, application: 'NEW', facility: '' };
    const unknown = senders.noteUnknown(from, test.now());
    unknown?.seen.identifiers.push({ type: 'PI', authority: 'HOSP', field: 3, count: 1 });
    const body = { unknownId: unknown?.id ?? 0, name: 'A new gateway', address: from.address, isTrial: false };
    const { id } = await acceptSender(test.server, test.now(), system, site, body);
    const fresh = await listed();
    expect(fresh).toMatchObject({ id, version: 0, since: null, settings: unanswered });
    expect(fresh.suggested).toMatchObject({ identifiers: mrn, beside: 'second', bedRoute: false });
    expect((await propose(technician, fresh.suggested, 0, id)).statusCode).toBe(200);
    await decide(physician, (await listed()).proposal?.id ?? 0, 'confirm');
    const { suggested: settings } = fresh;
    await expect(listed()).resolves.toMatchObject({ id, version: 1, settings, suggested: settings });
  });
});

describe('the pace of a sender', () => {
  const minute = 60_000;

  /** The pace of messages that came at these milliseconds, each answered in 10 ms. */
  const paceOf = (times: readonly number[], tookMs = 10) => {
    const pace = newPace();
    for (const at of times) {
      notePace(pace, at, tookMs);
    }
    return pace;
  };
  /** Every 5 s from `from` on. */
  const steady = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index * 5_000);

  it('is not known before its first minute is over', () => {
    expect(readPace(newPace(), 7)).toEqual({ rate: null, answerMs: null });
    const pace = paceOf(steady(1_000, 12));
    expect(readPace(pace, 60_999).rate).toBeNull();
    expect(readPace(pace, 61_000).rate).toEqual({ perMinute: 12, minutes: 1 });
  });

  it('is that of its last five full minutes, those without a message included', () => {
    expect(readPace(paceOf(steady(0, 42)), 3.5 * minute).rate).toEqual({ perMinute: 12, minutes: 3 });
    const pace = paceOf(steady(0, 90));
    expect(readPace(pace, 7.5 * minute).rate).toEqual({ perMinute: 12, minutes: 5 });
    expect(readPace(pace, 9 * minute).rate).toEqual({ perMinute: 42 / 5, minutes: 5 });
    expect(readPace(pace, 60 * minute)).toEqual({ rate: { perMinute: 0, minutes: 5 }, answerMs: null });
  });

  it('has the middle and the longest of the answers, the minute under way included', () => {
    const pace = paceOf([0, 1, 2], 11.2);
    notePace(pace, 3, 3);
    notePace(pace, 4, 1_234);
    expect(readPace(pace, 5).answerMs).toEqual({ middle: 12, longest: 1_300 });
    expect(readPace(pace, 5 * minute).answerMs).toEqual({ middle: 12, longest: 1_300 });
    notePace(pace, 6 * minute, 40);
    expect(readPace(pace, 6 * minute).answerMs).toEqual({ middle: 40, longest: 40 });
  });

  it('keeps as much of a million messages as of a few hundred', () => {
    const pace = newPace();
    for (let index = 0; index < 1_000_000; index += 1) {
      notePace(pace, index * 20, (index * 7_919) % 9_000);
    }
    expect(pace.minutes.length).toBeLessThanOrEqual(6);
    expect(Math.max(...pace.minutes.map(({ took }) => took.size))).toBeLessThan(300);
    expect(readPace(pace, 1_000_000 * 20).rate).toEqual({ perMinute: 3_000, minutes: 5 });
  });
});

describe.each(apiEngines)('the silence of an HL7 sender on %s', (engine) => {
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
