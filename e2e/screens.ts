import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumArguments, chromiumPath } from './chromium';
import { startServer } from './startServer';

const folder = join(__dirname, '..', 'docs', 'screens');
const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
const themes = ['light', 'dark'] as const;
const person = { email: 'robin@example.org', password: 'correct horse battery' };

/** Takes a picture of every page, day and night, in both widths: empty, full, loading and failed. Patients are simulated. */
async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args: chromiumArguments });
  try {
    await takeEmpty(browser);
    await takeDemo(browser);
  } finally {
    await browser.close();
  }
}

async function inEachLook(browser: Browser, take: (page: Page, shot: (name: string) => Promise<void>) => Promise<void>): Promise<void> {
  for (const colorScheme of themes) {
    for (const viewport of sizes) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      await take(page, async (name) => {
        await page.screenshot({ path: join(folder, `${name}-${colorScheme === 'light' ? 'day' : 'night'}-${viewport.width}.png`) });
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
  const server = await startServer({ ADMIN_EMAIL: person.email, ADMIN_PASSWORD: person.password, ADMIN_TYPE: 'physician' });
  await inEachLook(browser, async (page, shot) => {
    await signIn(page, server.url, person);
    await shot('dashboard-empty');
    await page.goto(`${server.url}/patients`);
    await shot('patients-empty');
  });
  await server.remove();
}

async function takeDemo(browser: Browser): Promise<void> {
  const server = await startServer();
  const answer = await fetch(`${server.url}/api/v2/demo`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
  const { people } = (await answer.json()) as { people: { email: string; password: string; type: string }[] };
  const nurse = people.find(({ type }) => type === 'nurse');
  if (nurse === undefined) {
    throw new Error(`The demo has no nurse: ${answer.status}`);
  }
  // The history of the last hours is what the charts are about.
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
