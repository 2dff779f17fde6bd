import { randomUUID } from 'node:crypto';
import { note } from '../lib/notes/schema';
import { adminAddresses } from './adminAddresses';
import { test } from './test';
import { expectUsableControls } from './usableControls';
import { addDevice, addPatient, enter, firstSiteOf, ingest, openSession, openWard, send, type Site } from './ward';

let server: Site;
let ids: number[];

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  const token = await addDevice(server);
  ids = [];
  for (const mrn of ['1', '2', '3']) {
    const patientId = await addPatient(server, session, mrn, `Sample${mrn}`);
    ids.push(patientId);
    const takenAt = new Date().toISOString();
    await ingest(server, token, [{ patientId, kind: 'spo2', value: 97, takenAt, quality: 'good' }]);
  }
  for (const state of ['signed', 'draft'] as const) {
    const body = { clientId: randomUUID(), authorId: server.userId, type: 'nursing', text: 'Walked to the bathroom' };
    const { id, version } = note.parse(await send(server, session, 'POST', `/api/v2/patients/${ids[0]}/notes`, body));
    if (state === 'signed') {
      await send(server, session, 'POST', `/api/v2/notes/${id}/sign`, { version });
    }
  }
});

test('every control is 40 px high and reached by the keyboard, before and after sign-in', async ({ page }) => {
  for (const address of ['/sign_in', '/sign_up', '/reset_password']) {
    await expectUsableControls(page, server.url + address);
  }
  await enter(page, server);
  const [one, two] = ids;
  for (const address of [
    '/',
    '/dashboard',
    '/patients',
    '/patients?view=not_reporting',
    `/patient_details?ids=${one}`,
    `/patient_details?ids=${one},${two}`,
    `/patient_chart?id=${one}`,
    '/assignments',
    '/handovers',
    '/reports',
    '/alerts',
    '/alerts?view=budget&days=14',
    '/alert_settings',
    '/chat',
    '/profile',
    ...adminAddresses,
    '/nowhere',
  ]) {
    await expectUsableControls(page, server.url + address);
  }
  // The list of the sites is that of the first one's administrators.
  await enter(page, firstSiteOf(server));
  await expectUsableControls(page, `${server.url}/admin/sites`);
});
