import type { Page } from '@playwright/test';
import { openStoreForCommand } from '../server/db/open';
import { adminAddresses } from './adminAddresses';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addDevice, addPerson, ingest, openSession, send, signIn, startWard } from './ward';

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

/** Every free text that a person or a device can store, with each payload that is short enough for it. */
async function fillIn(): Promise<number[]> {
  const token = await addDevice(server);
  const ids: number[] = [];
  for (const [index, payload] of payloads.entries()) {
    const short = payload.slice(0, 30);
    const { id } = (await call('POST', '/api/v2/patients', {
      mrn: `${index} ${payload}`.slice(0, 64),
      givenName: payload,
      familyName: payload,
      dateOfBirth: '1950-03-07',
      location: { unit: payload, bed: short },
    })) as { id: number };
    ids.push(id);
    await call('POST', '/api/v2/devices', { name: payload });
    await call('POST', '/api/v2/admin/invitations', { email: `p${index}@example.org`, type: 'nurse' });
    const sample = { takenAt: new Date().toISOString(), kind: 'spo2', value: 97, quality: 'good' };
    await ingest(server, token, [
      { ...sample, patientId: id },
      { ...sample, mrn: payload },
    ]);
  }
  // Names of staff, who can be assigned, and the reasons of users who opened every unit.
  for (const [index, payload] of payloads.entries()) {
    const email = `staff${index}@example.org`;
    await addPerson(server, session, { email, fname: payload, lname: payload, type: 'nurse', unitIds: [] });
    const reason = payload.padEnd(10, ' .');
    await send(server, await openSession(server, email), 'POST', '/api/v2/auth/break-glass', { reason });
  }
  await call('PATCH', '/api/v2/profile', { fname: payloads[1], lname: payloads[0] });
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

test('no stored text runs on any page, by day or by night', async ({ page }) => {
  const ids = await fillIn();
  await page.context().addInitScript(() => {
    Object.assign(window, { ran: () => Object.assign(window, { ranAtLeastOnce: true }) });
  });
  await signIn(page, server);
  const addresses = [
    '/',
    '/dashboard',
    '/patients?pageSize=100',
    `/patient_details?ids=${ids.slice(0, 8).join(',')}`,
    `/patient_details?ids=${ids.slice(8, 16).join(',')}`,
    '/profile',
    '/assignments',
    '/assignments?shift=next',
    '/alerts',
    '/alerts?view=budget',
    '/alert_settings',
    ...adminAddresses,
    '/nowhere',
  ];
  // Beside each other, because a page mostly waits until nothing is asked for any more.
  await Promise.all(
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [0, 1].map(async (half) => {
        const tab = await page.context().newPage();
        await tab.emulateMedia({ colorScheme });
        for (const address of addresses.filter((_, index) => index % 2 === half)) {
          await tab.goto(`${server.url}${address}`);
          await tab.waitForLoadState('networkidle');
          await expectNothingRan(tab);
        }
        await tab.close();
      }),
    ),
  );
  for (const payload of payloads) {
    const { version } = (await call('GET', '/api/v2/admin/site')) as { version: number };
    await call('PATCH', '/api/v2/admin/site', { version, name: payload });
    await page.goto(`${server.url}/dashboard`);
    await expectNothingRan(page);
  }
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
    await page.waitForLoadState('networkidle');
    await expectNothingRan(page);
  }
});
