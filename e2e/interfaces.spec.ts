import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type SenderSettings, unanswered } from '../lib/hl7/senderSettings';
import { openStoreForCommand } from '../server/db/open';
import { planMessages, readMessages } from '../server/hl7Send/planMessages';
import { capturePath } from '../test/capture';
import { connectMllp } from '../test/mllpClient';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { pressAndConfirm } from './pressAndConfirm';
import { anotherBrowser, expect, test } from './test';
import { addPatient, addPerson, enter, openSession, openWard, send, type Site } from './ward';

let server: Site;
let port: number;

/** Confirms what others propose. */
const cora = 'cora@ward.test';

test.beforeAll(async () => {
  server = await openWard('hl7');
  port = server.hl7Port;
  const person = { email: cora, fname: 'Cora', lname: 'Confirmer', type: 'ward_lead', unitIds: [] };
  await addPerson(server, await openSession(server), person);
});

const named = ['PID|||P-100^^^^MR||Harbour^Sam'];
const byBed = ['PID|||""', 'PV1|||ICU^^9'];

/** A message with an SpO2 of the patient P-100 that was measured just now. */
function oru(spo2: number, whose: readonly string[] = named, facility = 'NORTH'): string {
  const now = `${new Date().toISOString().replace(/[-:TZ]/g, '')}+0000`;
  return [
    `MSH|^~\\&|GATEWAY|${facility}|||${now}||ORU^R01|${now}|P|2.5`,
    ...whose,
    `OBR|||||||${now}`,
    `OBX||NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||${spo2}|262688^MDC_DIM_PERCENT^MDC|||||F`,
  ].join('\n');
}

/** Sends one message on a connection of its own and resolves with the code of the answer. */
async function codeOf(message: string): Promise<string> {
  const gateway = await connectMllp(port);
  gateway.send(message);
  const { code } = await gateway.next();
  gateway.socket.destroy();
  return code;
}

test('two people accept an HL7 gateway and answer about it, its values are on the screen, and it is revoked', async ({
  page,
  browser,
}) => {
  await addPatient(server, await openSession(server), 'P-100', 'Harbour');
  await enter(page, server, undefined, '/admin/interfaces');
  await expect(page.getByText('No sender is accepted yet.')).toBeVisible();
  expect(await codeOf(oru(91))).toBe('AR');

  await page.reload();
  const stranger = page.getByRole('table', { name: 'Unknown senders' }).getByRole('row', { name: /^127\.0\.0\.1/ });
  await expect(stranger).toContainText('GATEWAY · NORTH');
  await expectNoAxeViolationsDayAndNight(page);
  await stranger.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Name').fill('North gateway');
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Accept sender' }).click();
  const questions = page.getByRole('dialog', { name: 'Questions about North gateway' });
  await expect(questions).toContainText('Numbers: MR in PID-3 (1)');
  await expectNoAxeViolationsDayAndNight(page);
  expect(await codeOf(oru(92))).toBe('AE');
  await questions.getByRole('button', { name: 'Propose' }).click();
  await expect(questions).toBeHidden();
  const { page: other, close } = await anotherBrowser(browser);
  await enter(other, server, cora, '/admin/interfaces');
  await other.getByRole('button', { name: 'Review answers about North gateway' }).click();
  await expectNoAxeViolationsDayAndNight(other);
  await other.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect(other.getByRole('row', { name: /^North gateway Version 1 since/ })).toBeVisible();
  await close();
  const sender = page.getByRole('table', { name: 'Senders', exact: true }).getByRole('row', { name: /^North gateway/ });
  await expect(sender).toBeVisible();

  expect(await codeOf(oru(93))).toBe('AA');
  await page.reload();
  await expect(sender.getByRole('cell').nth(5)).toHaveText('1');

  const message = page.getByRole('table', { name: 'Messages' }).getByRole('row', { name: /Taken/ });
  await message.getByRole('button', { name: /^Open the message/ }).click();
  await expect(drawer.getByRole('listitem').nth(1)).toHaveText('PID|||P-100^^^^MR||Harbour^Sam');
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Close' }).click();
  await expect(drawer).toBeHidden();
  await expectNoAxeViolationsDayAndNight(page);

  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Harbour/ })).toContainText('93');

  await page.goto(`${server.url}/admin/interfaces`);
  await pressAndConfirm(sender.getByRole('button', { name: 'Revoke North gateway' }), 'Revoke');
  await expect(sender).toContainText('Revoked');
  expect(await codeOf(oru(94))).toBe('AR');
});

const unknownSenders = z.object({ unknown: z.array(z.object({ id: z.int() })) });
const madeSender = z.object({ id: z.int() });
const proposedSettings = z.object({
  items: z.array(z.object({ id: z.int(), proposal: z.object({ id: z.int() }).nullable() })),
});

/** Accepts the unknown sender that was heard last, and has two people answer about it. */
async function acceptSender(name: string, { isTrial = false } = {}): Promise<void> {
  const session = await openSession(server);
  const { unknown } = unknownSenders.parse(await send(server, session, 'GET', '/api/v2/admin/senders'));
  const sender = { unknownId: unknown[0]?.id, name, address: '127.0.0.1', isTrial };
  const { id } = madeSender.parse(await send(server, session, 'POST', '/api/v2/admin/senders', sender));
  const identifiers: SenderSettings['identifiers'] = [{ type: 'MR', authority: '', is: 'mrn' }];
  const settings: SenderSettings = { ...unanswered, identifiers, bedRoute: true };
  const address = '/api/v2/admin/senders';
  const answer = await send(server, session, 'POST', `${address}/${id}/settings`, { basedOn: 0, settings });
  const proposal = proposedSettings.parse(answer).items.find((one) => one.id === id)?.proposal;
  const confirming = await openSession(server, cora);
  await send(server, confirming, 'POST', `${address}/settings/${proposal?.id}/confirm`, {});
}

test('two people say which bed a monitor without numbers means, and its values show until that is undone', async ({
  page,
  browser,
}) => {
  const session = await openSession(server);
  const email = 'phil@ward.test';
  // For an hour: near a change of its patient a bed does not say whose a value is.
  const reedId = await addPatient(server, session, 'P-201', 'Reed');
  await admitEarlier(reedId);
  const { version } = (await send(server, session, 'GET', `/api/v2/patients/${reedId}`)) as { version: number };
  await send(server, session, 'PATCH', `/api/v2/patients/${reedId}`, {
    ...{ version, location: { unit: 'North', bed: 'P-200' } },
    since: new Date(Date.now() - 3_600_000).toISOString(),
  });
  await addPerson(server, session, { email, fname: 'Phil', lname: 'Physician', type: 'physician', unitIds: [] });
  expect(await codeOf(oru(91, byBed, 'SOUTH'))).toBe('AR');
  await acceptSender('South gateway');
  expect(await codeOf(oru(91, byBed, 'SOUTH'))).toBe('AE');

  await enter(page, server, undefined, '/admin/mappings');
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByRole('button', { name: 'Propose a bed for ICU^^9' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Unit').click();
  await page.getByTitle('North', { exact: true }).click();
  await drawer.getByRole('textbox', { name: 'Bed' }).fill('P-200');
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Propose' }).click();
  await expect(page.getByRole('row', { name: /^ICU\^\^9/ })).toContainText('waits for a physician or a ward lead');
  await expect(page.getByRole('button', { name: /^Confirm/ })).toHaveCount(0);
  expect(await codeOf(oru(91, byBed, 'SOUTH'))).toBe('AE');

  const { page: other, close } = await anotherBrowser(browser);
  await enter(other, server, email, '/admin/mappings');
  await pressAndConfirm(other.getByRole('button', { name: 'Confirm that ICU^^9 is North P-200' }), 'Confirm');
  await expect(other.getByRole('row', { name: /^ICU\^\^9/ })).toContainText('Confirmed by Phil Physician');
  await expectNoAxeViolationsDayAndNight(other);
  expect(await codeOf(oru(88, byBed, 'SOUTH'))).toBe('AA');
  await other.goto(`${server.url}/patients`);
  const reed = other.getByRole('row', { name: /Reed/ });
  await expect(reed).toContainText('88');

  // It was another bed: what came by it leaves the patient, on every screen that is open.
  const mappings = await other.context().newPage();
  await mappings.goto(`${server.url}/admin/mappings`);
  await pressAndConfirm(mappings.getByRole('button', { name: 'Undo that ICU^^9 is North P-200' }), 'Undo');
  await expect(mappings.getByRole('row', { name: /^ICU\^\^9/ })).toContainText('Not known');
  // The line of the last hour follows within a minute.
  await expect(reed).toContainText('P-201--');
  await close();
});

/** Says that a patient came two hours ago: a move is not entered before the one that was last. */
async function admitEarlier(patientId: number): Promise<void> {
  const db = await openStoreForCommand({ dataDir: server.dataDir, databaseUrl: null });
  const earlier = { moved_at: Date.now() - 7_200_000 };
  await db.updateTable('patient_moves').set(earlier).where('patient_id', '=', patientId).execute();
  await db.destroy();
}

const proposedMappings = z.object({
  items: z.array(z.object({ mapping: z.object({ id: z.int(), confirmed: z.unknown() }).nullable() })),
});
const units = z.object({ items: z.array(z.object({ id: z.int(), name: z.string() })) });

test('values that are held after an admission are released by two identifiers on the page of the patient', async ({
  page,
}) => {
  const session = await openSession(server);
  const email = 'rosa@ward.test';
  const finch = await addPatient(server, session, 'P-260', 'Finch');
  await addPerson(server, session, { email, fname: 'Rosa', lname: 'Reader', type: 'physician', unitIds: [] });
  const bed = ['PID|||""', 'PV1|||ICU^^60'];
  expect(await codeOf(oru(91, bed, 'HARBOUR'))).toBe('AR');
  await acceptSender('Harbour gateway');
  expect(await codeOf(oru(91, bed, 'HARBOUR'))).toBe('AE');
  const listed = z
    .object({ items: z.array(z.object({ senderId: z.int(), bed: z.string() })) })
    .parse(await send(server, session, 'GET', '/api/v2/admin/mappings'));
  const { senderId } = listed.items.find((item) => item.bed === 'ICU^^60') ?? { senderId: 0 };
  const north = units
    .parse(await send(server, session, 'GET', '/api/v2/units'))
    .items.find(({ name }) => name === 'North');
  const wanted = { senderId, senderBed: 'ICU^^60', unitId: north?.id, bed: 'P-260' };
  const proposed = proposedMappings.parse(await send(server, session, 'POST', '/api/v2/admin/mappings', wanted));
  const ids = proposed.items.flatMap(({ mapping }) => (mapping?.confirmed === null ? mapping.id : []));
  const confirming = await openSession(server, email);
  await send(server, confirming, 'POST', `/api/v2/admin/mappings/proposals/${Math.max(...ids)}/confirm`, {});
  expect(await codeOf(oru(92, bed, 'HARBOUR'))).toBe('AE');

  await enter(page, server, email, `/patient_details?ids=${finch}`);
  await expect(page.getByText(/^Values from the monitor of bed P-260 have been held since \d\d:\d\d/)).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await page.getByRole('button', { name: 'Release values' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('MRN').fill('P-261');
  await drawer.getByLabel('Date of birth').fill('7 Mar 1950');
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Release values' }).click();
  await expect(drawer.getByText(/Compare both with the wristband/)).toBeVisible();
  expect(await codeOf(oru(93, bed, 'HARBOUR'))).toBe('AE');
  await drawer.getByLabel('MRN').fill('P-260');
  await drawer.getByRole('button', { name: 'Release values' }).click();
  await expect(page.getByText(/ on, released by Rosa Reader\.$/)).toBeVisible();
  expect(await codeOf(oru(94, bed, 'HARBOUR'))).toBe('AA');
  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Finch/ })).toContainText('94');
});

test('two people say what an unknown code means, and its next value is on the screen', async ({ page, browser }) => {
  const session = await openSession(server);
  const email = 'lena@ward.test';
  await addPatient(server, session, 'P-250', 'Heron');
  await addPerson(server, session, { email, fname: 'Lena', lname: 'Lead', type: 'ward_lead', unitIds: [] });
  const heron = (value: number): string =>
    oru(value, ['PID|||P-250^^^^MR||Heron^Sam'], 'EAST').replace('150456^MDC_PULS_OXIM_SAT_O2^MDC', 'SAT^Saturation^L');
  expect(await codeOf(heron(91))).toBe('AR');
  await acceptSender('East gateway');
  for (const value of [90, 91, 92]) {
    expect(await codeOf(heron(value))).toBe('AE');
  }

  await enter(page, server, undefined, '/admin/mappings');
  await page.getByRole('button', { name: 'Propose a vital sign for SAT^Saturation^L' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('combobox', { name: 'Vital sign' }).click();
  await page.getByTitle('SpO2', { exact: true }).click();
  await expect(drawer.getByRole('row', { name: '92 MDC_DIM_PERCENT 92 %' })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Propose' }).click();
  const code = page.getByRole('row', { name: /^SAT\^Saturation\^L/ });
  await expect(code).toContainText('waits for a physician or a ward lead');
  expect(await codeOf(heron(93))).toBe('AE');

  const { page: other, close } = await anotherBrowser(browser);
  await enter(other, server, email, '/admin/mappings');
  await other.getByRole('button', { name: 'Confirm that SAT^Saturation^L means SpO2' }).click();
  const question = other.getByRole('dialog');
  await expect(question.getByRole('row', { name: '93 MDC_DIM_PERCENT 93 %' })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(other);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(question).toBeHidden();
  await expect(other.getByRole('row', { name: /^SAT\^/ })).toContainText('Confirmed by Lena Lead');
  expect(await codeOf(heron(94))).toBe('AA');
  await other.goto(`${server.url}/patients`);
  const row = other.getByRole('row', { name: /Heron/ });
  await expect(row).toContainText('94');

  const mappings = await other.context().newPage();
  await mappings.goto(`${server.url}/admin/mappings`);
  await pressAndConfirm(mappings.getByRole('button', { name: 'Undo that SAT^Saturation^L means SpO2' }), 'Undo');
  await expect(row).toContainText('P-250--');
  await close();
});

test('an alarm of a monitor is named beside our alert, and in the list and the details without one', async ({
  page,
}) => {
  const session = await openSession(server);
  const vole = await addPatient(server, session, 'P-301', 'Vole');
  await addPatient(server, session, 'P-300', 'Mole');
  const texts = { mole: '***xTachy 160>140', vole: '**RR 40 >30' };
  const messages = (): string[] =>
    (
      [
        ['P-300', 'Mole', 71, texts.mole],
        ['P-301', 'Vole', 97, texts.vole],
      ] as const
    ).map(([mrn, name, spo2, text]) => {
      const whose = [`PID|||${mrn}^^^^MR||${name}^Sam`, `PV1|||ICU^^${mrn}`];
      return [oru(spo2, whose, 'WEST'), ...(text === '' ? [] : [`OBX||TX|1^RedAlarm^MDIL-ALERT||${text}||||||F`])].join(
        '\n',
      );
    });
  expect(await codeOf(messages()[0] ?? '')).toBe('AR');
  await acceptSender('West gateway');
  const gateway = await connectMllp(port);
  const timer = setInterval(() => {
    gateway.send(...messages());
  }, 1_000);

  await enter(page, server);
  const alert = page
    .getByRole('region', { name: 'Open alerts' })
    .getByRole('listitem')
    .filter({ hasText: 'Mole, Sam' });
  await expect(alert).toContainText('Device: ***xTachy 160>140');
  await expectNoAxeViolationsDayAndNight(page);

  await page.goto(`${server.url}/patients`);
  const row = page.getByRole('row', { name: /Vole/ });
  await expect(row).toContainText('Device alarm');
  await expect(row).not.toHaveAttribute('data-priority');
  await expectNoAxeViolationsDayAndNight(page);

  await page.goto(`${server.url}/patient_details?ids=${vole}`);
  const list = page.getByRole('region', { name: 'Alarms of devices' });
  await expect(list.getByRole('row', { name: /RR 40 >30/ })).toContainText('Monitor ICU P-301');
  await page.locator('[data-patient] header').getByRole('link', { name: 'Device alarm' }).click();
  await expect(list).toBeInViewport();
  await expectNoAxeViolationsDayAndNight(page);

  texts.vole = '';
  await expect(list).toHaveCount(0);
  clearInterval(timer);
  gateway.socket.destroy();
});

const addedPatient = z.object({ id: z.int() });

test('a capture of a central station is values, its alarms and our alert of a trial patient on each screen', async ({
  page,
}) => {
  test.skip(!existsSync(capturePath), `${capturePath} is not there (RECORDINGS_DIR names another folder)`);
  const session = await openSession(server);
  const collins = {
    ...{ mrn: '34567', givenName: 'Christopher', familyName: 'Collins', dateOfBirth: '1933-03-03' },
    ...{ location: { unit: 'North', bed: '1' }, isTrial: true },
  };
  const { id } = addedPatient.parse(await send(server, session, 'POST', '/api/v2/patients', collins));
  const ofBed = readMessages(readFileSync(capturePath)).filter((bytes) => Buffer.from(bytes).includes('iDemo1&0&0'));
  /** The later ones have other alarms. */
  const until = ofBed.findLastIndex((bytes) => Buffer.from(bytes).includes('**SpO2   86  <90'));
  const messagesOf = (from: number): string[] =>
    planMessages(
      ofBed.slice(from, until + 1),
      { speed: 100, isShifted: true, timeZone: 'Europe/London' },
      Date.now(),
    ).map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
  expect(await codeOf(messagesOf(until)[0] ?? '')).toBe('AR');
  await acceptSender('Central station', { isTrial: true });
  const gateway = await connectMllp(port);
  gateway.send(...messagesOf(0));
  const timer = setInterval(() => {
    gateway.send(...messagesOf(until));
  }, 1_000);

  await enter(page, server, undefined, '/patients');
  const row = page.getByRole('row', { name: /Collins/ });
  await expect(row).toContainText('Trial · Collins, Christopher');
  await expect(row).toContainText('86');
  await expect(row).toContainText('120');
  await expect(row).toContainText('Device alarm');

  await page.goto(`${server.url}/patient_details?ids=${id}`);
  const list = page.getByRole('region', { name: 'Alarms of devices' });
  await expect(list.getByRole('row', { name: /SpO2 86 <90/ })).toContainText('Monitor ICU/PCU iDemo1');
  await expect(page.locator('[data-patient] header')).toContainText('Trial · Collins, Christopher');

  await page.goto(`${server.url}/dashboard`);
  const alert = page.getByRole('region', { name: 'Open alerts' }).getByRole('listitem').filter({ hasText: 'Collins' });
  await expect(alert.filter({ hasText: 'SpO2 86 %' })).toContainText('Trial · Collins, Christopher');
  await expect(alert.filter({ hasText: 'SpO2 86 %' })).toContainText('Device: *** PAP Disconnect +2');

  await page.goto(`${server.url}/wall`);
  const tile = page.locator('[data-tile]').filter({ hasText: 'CC' });
  await expect(tile).toContainText('Trial · CC');
  await expect(tile).toContainText('86');
  clearInterval(timer);
  gateway.socket.destroy();
});
