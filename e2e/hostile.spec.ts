import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { note } from '../lib/notes/schema';
import { openStoreForCommand } from '../server/db/open';
import { adminAddresses } from './adminAddresses';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { expectUsableControls } from './usableControls';
import { addDevice, addPerson, enter, ingest, openSession, send, startWard } from './ward';

/** Texts that run code if they are put into a page as anything but text. */
const payloads = [
  '<script>ran()</script>',
  '<img src=x onerror=ran()>',
  '<svg onload=ran()>',
  '"><script>ran()</script>',
  "'><img src=x onerror=ran()>",
  '</script><script>ran()</script>',
  '</style><script>ran()</script>',
  '<a href=javascript:ran()>x</a>',
  'javascript:ran()',
  '<iframe srcdoc="<script>parent.ran()</script>">',
  '<body onload=ran()>',
  '<input autofocus onfocus=ran()>',
  '<details open ontoggle=ran()>',
  '<video><source onerror=ran()>',
  '<math><a xlink:href=javascript:ran()>x',
  '${ran()}',
  '{{constructor.constructor("ran()")()}}',
  '\\u003cscript\\u003eran()\\u003c/script\\u003e',
  '<!--<script>ran()//-->',
  '<template><script>ran()</script>',
] as const;

let server: TestServer;
let session: Record<string, string>;

test.beforeAll(async () => {
  server = await startWard();
  session = await openSession(server);
});

test.afterAll(async () => {
  await server.remove();
});

const call = (method: string, path: string, body?: object): Promise<unknown> =>
  send(server, session, method, path, body);

/** The payloads in as few texts of at most this length as hold them, each whole. */
function textsOf(most: number): string[] {
  const texts: string[] = [];
  for (const payload of payloads.filter(({ length }) => length <= most)) {
    const joined = `${texts.at(-1) ?? ''} ${payload}`.trim();
    if (texts.length > 0 && joined.length <= most) {
      texts[texts.length - 1] = joined;
    } else {
      texts.push(payload);
    }
  }
  return texts;
}

/** Every free text that a person or a device can store, with all payloads that are short enough; a bed has one. */
async function fillIn(): Promise<number[]> {
  const token = await addDevice(server);
  const ids: number[] = [];
  const names = textsOf(100);
  const [mrns, units, beds] = [textsOf(62), textsOf(60), textsOf(30)];
  for (let index = 0; index < Math.max(names.length, mrns.length, units.length); index += 1) {
    const name = names[index % names.length] ?? '';
    const mrn = mrns[index % mrns.length] ?? '';
    const { id } = (await call('POST', '/api/v2/patients', {
      ...{ mrn: `${index} ${mrn}`, givenName: name, familyName: name, dateOfBirth: `19${50 + index}-03-07` },
      location: { unit: units[index % units.length], bed: beds[index % beds.length] },
    })) as { id: number };
    ids.push(id);
    const sample = { takenAt: new Date().toISOString(), kind: 'spo2', value: 97, quality: 'good' };
    await ingest(server, token, [
      { ...sample, patientId: id },
      // No patient has this number: the list of refused samples quotes it.
      { ...sample, mrn },
    ]);
  }
  for (const name of units) {
    await call('POST', '/api/v2/devices', { name });
  }
  // Names of staff, who can be assigned, and the reasons of users who opened every unit.
  for (const [index, name] of names.entries()) {
    await call('POST', '/api/v2/admin/invitations', { email: `p${index}@example.org`, type: 'nurse' });
    const email = `staff${index}@example.org`;
    await addPerson(server, session, { email, fname: name, lname: name, type: 'nurse', unitIds: [] });
    await send(server, await openSession(server, email), 'POST', '/api/v2/auth/break-glass', { reason: name });
  }
  await call('PATCH', '/api/v2/profile', { fname: payloads[1], lname: payloads[0] });
  for (const state of ['signed', 'draft']) {
    const body = { clientId: randomUUID(), authorId: 1, type: 'nursing', text: payloads.join(' ') };
    const { id, version } = note.parse(await call('POST', `/api/v2/patients/${ids[0]}/notes`, body));
    if (state === 'signed') {
      await call('POST', `/api/v2/notes/${id}/sign`, { version });
    }
  }
  return ids;
}

async function expectNothingRan(page: Page): Promise<void> {
  await expect(page.locator('main')).toBeVisible();
  expect(await page.evaluate(() => 'ranAtLeastOnce' in window)).toBe(false);
}

test('who reads the database finds each password only as a hash of the full cost', async () => {
  const nurse = { email: 'nurse@ward.test', fname: 'Nora', lname: 'Nurse', type: 'nurse', unitIds: [] };
  await addPerson(server, session, nurse);
  const db = await openStoreForCommand({ dataDir: server.dataDir, databaseUrl: null });
  const rows = await db.selectFrom('users').select('password_hash').execute();
  await db.destroy();
  // The first user, of the environment, and the one who came by an invitation.
  expect(rows.map(({ password_hash }) => password_hash.split('$').slice(1, 4))).toEqual(
    rows.map(() => ['argon2id', 'v=19', 'm=65536,t=3,p=1']),
  );
  expect(rows).toHaveLength(2);
});

test('on every page no stored text runs, and each control is 40 px high and reached by the keyboard', async ({
  page,
}) => {
  const ids = await fillIn();
  await page.context().addInitScript(() => {
    Object.assign(window, { ran: () => Object.assign(window, { ranAtLeastOnce: true }) });
  });
  await enter(page, server);
  for (const address of [
    '/',
    '/dashboard',
    '/patients?pageSize=100',
    '/patients?view=not_reporting',
    `/patient_details?ids=${ids[0]}`,
    `/patient_details?ids=${ids.slice(0, 8).join(',')}`,
    `/patient_chart?id=${ids[0]}`,
    '/assignments',
    '/assignments?shift=next',
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
    await page.goto(server.url + address);
    await expectUsableControls(page);
    await expectNothingRan(page);
    if (['/', '/dashboard', '/patients?pageSize=100', '/patients?view=not_reporting', '/nowhere'].includes(address)) {
      await expectNoAxeViolationsDayAndNight(page);
    }
  }
  await test.step('the name of the site, which every page has', async () => {
    for (const [index, payload] of payloads.entries()) {
      const { version } = (await call('GET', '/api/v2/admin/site')) as { version: number };
      await call('PATCH', '/api/v2/admin/site', { version, name: payload });
      // A browser reads one of each kind: no markup leaves a text but what is in the document as it was typed.
      const html = await (await page.request.get(`${server.url}/dashboard`)).text();
      expect(/[<"]/.test(payload) && html.includes(payload), payload).toBe(false);
      if ([0, 1, 3, 5, 8, 15, 17, 18].includes(index)) {
        await page.goto(`${server.url}/dashboard`);
        await expectNothingRan(page);
      }
    }
  });
  await page.getByRole('banner').getByRole('button', { name: payloads[1] }).click();
  await page.getByRole('button', { name: 'Lock screen' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.goto(`${server.url}/locked`);
  await expectNothingRan(page);
  for (const address of ['/sign_in', '/sign_up', '/reset_password']) {
    // No page may be open while its cookies are removed: it would ask who is signed in and log the 401 to the console.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(
      `${server.url}${address}?next=${encodeURIComponent('javascript:ran()')}#token=<img src=x onerror=ran()>`,
    );
    await expectUsableControls(page);
    await expectNothingRan(page);
  }
});
