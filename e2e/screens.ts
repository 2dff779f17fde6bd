import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import { chromiumArguments, chromiumPath } from './chromium';
import { completeWalkthrough } from './completeWalkthrough';
import { settled } from './settled';
import { startServer } from './startServer';

const folder = join(__dirname, '..', 'docs', 'screens');
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const themes = ['light', 'dark'] as const;
const person = { email: 'robin@example.org', password: 'correct horse battery' };

/**
 * Takes a picture of every page, day and night, in both widths: empty, full, loading and failed. Patients are
 * simulated.
 */
async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  try {
    await takeEmpty(browser);
    await takeAccounts(browser);
    await takeDemo(browser);
  } finally {
    await browser.close();
  }
}

/**
 * Takes a picture under a name. If it looks the same in both widths, as a drawer does, only the narrow one is taken.
 */
type Shot = (name: string, widths?: 'narrow') => Promise<void>;

async function inEachLook(browser: Browser, take: (page: Page, shot: Shot) => Promise<void>): Promise<void> {
  for (const colorScheme of themes) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, colorScheme });
      await completeWalkthrough(context);
      const page = await context.newPage();
      await take(page, async (name, widths) => {
        if (widths === 'narrow' && viewport.width !== sizes[0].width) {
          return;
        }
        await settled(page);
        const file = join(folder, `${name}-${colorScheme === 'light' ? 'day' : 'night'}-${viewport.width}.webp`);
        // A few colours are enough for flat pages; all pictures together stay below 2 MB.
        const flat = await sharp(await page.screenshot())
          .png({ palette: true, colours: 16, quality: 10, dither: 0 })
          .toBuffer();
        await sharp(flat).webp({ lossless: true, effort: 6 }).toFile(file);
      });
      await context.close();
    }
  }
}

async function signIn(page: Page, url: string, who: { email: string; password: string }): Promise<void> {
  await page.goto(`${url}/sign_in`);
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/dashboard`);
}

async function takeEmpty(browser: Browser): Promise<void> {
  const unused = await startServer();
  await inEachLook(browser, async (page, shot) => {
    await page.goto(unused.url);
    await shot('first-page');
    await page.goto(`${unused.url}/setup`);
    await shot('setup');
  });
  await unused.remove();
  const server = await startServer({
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
    ADMIN_TYPE: 'physician',
  });
  await inEachLook(browser, async (page, shot) => {
    await signIn(page, server.url, person);
    await shot('dashboard-empty');
    await page.goto(`${server.url}/patients`);
    await shot('patients-empty');
  });
  await server.remove();
}

/** The pages of accounts and of their administration, with invented people in every state. */
async function takeAccounts(browser: Browser): Promise<void> {
  const server = await startServer({
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
    ADMIN_TYPE: 'physician',
    SITE_NAME: 'Harbour ward',
  });
  const page = await browser.newPage();
  await signIn(page, server.url, person);
  const cookies = await page.context().cookies();
  const headers = {
    'Content-Type': 'application/json',
    Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    'X-XSRF-TOKEN': cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '',
  };
  const call = async (method: string, path: string, body: object): Promise<unknown> => {
    const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
    return response.status === 202 ? null : await response.json();
  };
  await call('PATCH', '/api/v2/admin/site', { version: 1, signUpMode: 'approval' });
  await call('POST', '/api/v2/site/intended-use', { accepted: true });
  for (const name of ['East', 'North', 'High dependency']) {
    await call('POST', '/api/v2/units', { name });
  }
  for (const [fname, lname, type] of [
    ['Quinn', 'Quiet', 'nurse'],
    ['Ola', 'Ekberg', 'respiratory_therapist'],
  ]) {
    const email = `${fname?.toLowerCase()}@example.org`;
    await call('POST', '/api/v2/auth/register', { siteId: 1, fname, lname, email, password: person.password, type });
  }
  const invite = async (email: string, type: string): Promise<string> => {
    const { link } = (await call('POST', '/api/v2/admin/invitations', {
      email,
      type,
      isAdmin: false,
      unitIds: [1],
    })) as { link: string };
    return link;
  };
  const [, invitation] = (await invite('nia@example.org', 'nurse')).split('#invitation=');
  // Without the administrator's cookies: signing up ends the session of the browser.
  const signedUp = await fetch(`${server.url}/api/v2/auth/sign-up`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ invitation, fname: 'Nia', lname: 'Newcomer', password: person.password }),
  });
  const nia = (await signedUp.json()) as { id: number };
  for (const [bed, familyName] of ['Okafor', 'Ilves', 'Quist'].entries()) {
    const location = { unit: 'East', bed: String(bed + 1) };
    const { id } = (await call('POST', '/api/v2/patients', {
      mrn: `MRN-${bed}`,
      givenName: 'Sam',
      familyName,
      dateOfBirth: '1950-03-07',
      location,
    })) as { id: number };
    if (bed > 0) {
      const place = { unitId: 1, shift: bed === 1 ? 'current' : 'next', role: 'nurse', patientId: id, version: 0 };
      await call('PUT', '/api/v2/assignments', { ...place, userId: nia.id });
    }
  }
  const elsewhere = (await call('POST', '/api/v2/patients', {
    mrn: 'MRN-9',
    givenName: 'Sam',
    familyName: 'Zhang',
    dateOfBirth: '1950-03-07',
    location: { unit: 'North', bed: '9' },
  })) as { id: number };
  await call('POST', '/api/v2/devices', { name: 'monitor 7', expiresInDays: 30 });
  await page.close();
  await inEachLook(browser, async (page, shot) => {
    await signIn(page, server.url, { ...person, email: 'nia@example.org' });
    await page.goto(`${server.url}/assignments`);
    await page.getByRole('button', { name: /without a nurse$/ }).click();
    await shot('assignments');
    await page.getByRole('button', { name: 'Next shift' }).click();
    await page
      .getByText(/^Carried over from /)
      .first()
      .waitFor();
    await shot('assignments-next');
    await page.goto(`${server.url}/dashboard?mine=true`);
    await page.getByText(/^Showing your/).waitFor();
    await shot('dashboard-mine');
    await page.goto(`${server.url}/patient_details?ids=${elsewhere.id}`);
    await page.getByRole('main').getByRole('button', { name: 'Emergency access' }).click();
    const dialog = page.getByRole('dialog', { name: 'Emergency access' });
    await dialog.getByLabel('Reason').fill('Somebody collapsed in the corridor');
    await shot('emergency-access', 'narrow');
    await dialog.getByRole('button', { name: /^Open all units/ }).click();
    await page.getByRole('heading', { name: 'Zhang, Sam' }).waitFor();
    await shot('emergency-access-open', 'narrow');
    await page.getByRole('button', { name: 'End now' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Emergency access' }).waitFor();
    await page.getByRole('banner').getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Lock screen' }).click();
    await page.getByLabel('Password').waitFor();
    await shot('locked');
  });
  await inEachLook(browser, async (page, shot) => {
    await page.goto(`${server.url}/sign_up`);
    await page.getByRole('button', { name: 'Ask for an account' }).waitFor();
    await shot('sign-up');
    await page.goto(`${server.url}/reset_password`);
    await shot('reset-password');
    await page.goto(`${server.url}/reset_password#token=${'x'.repeat(43)}`);
    await page.getByLabel('New password').fill('too short');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('needs at least 15 characters').waitFor();
    await shot('new-password-refused', 'narrow');
    await signIn(page, server.url, person);
    await page.goto(`${server.url}/admin/users`);
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await shot('admin-users');
    await page.getByRole('button', { name: 'Change Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Create reset link' }).click();
    await page.getByLabel('Reset link for').waitFor();
    await shot('admin-user', 'narrow');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByRole('button', { name: 'Invite user' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('E-mail').fill('ines@example.org');
    await drawer.getByRole('button', { name: 'Create invitation' }).click();
    const link = await drawer.getByLabel('Invitation for').inputValue();
    await shot('admin-invite', 'narrow');
    for (const [address, name] of [
      ['/admin/units', 'admin-units'],
      ['/admin/devices', 'admin-devices'],
      ['/admin/emergency_access', 'admin-emergency-access'],
      ['/admin/errors', 'admin-errors'],
      ['/admin/audit', 'admin-audit'],
    ] as const) {
      await page.goto(`${server.url}${address}`);
      await page
        .getByRole('table')
        .or(page.getByText(/^(Emergency access has not been used\.|No errors recorded)$/))
        .first()
        .waitFor();
      await shot(name);
    }
    await page.goto(`${server.url}/admin/units`);
    await page.getByRole('button', { name: 'Open East' }).click();
    await page.getByRole('list', { name: 'People of East' }).waitFor();
    await shot('admin-unit', 'narrow');
    await page.goto(`${server.url}/admin/devices`);
    await page.getByRole('button', { name: 'Open monitor 7' }).click();
    await page.getByRole('heading', { name: 'Refused samples' }).waitFor();
    await shot('admin-device', 'narrow');
    await page.goto(`${server.url}/admin/site`);
    await page.getByLabel('Start of each shift').waitFor();
    await shot('admin-site');
    await page.goto(`${server.url}/chat`);
    await page.getByRole('heading', { name: 'What it takes' }).waitFor();
    await shot('chat');
    await page.goto(`${server.url}/profile`);
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await shot('profile');
    await page.context().clearCookies();
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign up' }).waitFor();
    await shot('sign-up-invited', 'narrow');
  });
  await server.remove();
}

async function takeDemo(browser: Browser): Promise<void> {
  const server = await startServer();
  const response = await fetch(`${server.url}/api/v2/demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { people } = (await response.json()) as { people: { email: string; password: string; type: string }[] };
  const nurse = people.find(({ type }) => type === 'nurse');
  if (nurse === undefined) {
    throw new Error(`The demo has no nurse: ${response.status}`);
  }
  // The charts need the history of the last hours.
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  await inEachLook(browser, async (page, shot) => {
    await page.goto(`${server.url}/sign_in`);
    await shot('sign-in');
    await signIn(page, server.url, nurse);
    await page.locator('[data-state="live"]').first().waitFor();
    await shot('dashboard');
    await page.goto(`${server.url}/`);
    await shot('start');
    await page.goto(`${server.url}/patients`);
    await page.locator('[data-state="live"]').first().waitFor();
    await shot('patients');
    await page.route('**/api/v2/patients/**/vitals**', () => undefined);
    await page.goto(`${server.url}/patient_details?ids=2`);
    await shot('details-loading');
    await page.unroute('**/api/v2/patients/**/vitals**');
    await page.goto(`${server.url}/patient_details?ids=2`);
    await page.locator('canvas').first().waitFor();
    await page.getByRole('radio', { name: '12 hours', exact: true }).check({ force: true });
    await page.getByRole('img', { name: /Heart rate/ }).waitFor();
    await shot('details');
    await page.goto(`${server.url}/patient_details?ids=3,7`);
    await page.locator('canvas').nth(3).waitFor();
    await shot('details-two');
    await page.goto(`${server.url}/nowhere`);
    await shot('not-found');
  });
  await inEachLook(browser, async (page, shot) => {
    await signIn(page, server.url, nurse);
    await page.goto(`${server.url}/patients`);
    server.pause();
    await page.getByText(/NOT LIVE since/).waitFor();
    await shot('patients-not-live');
    server.resume();
  });
  await server.remove();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
