import type { Page } from '@playwright/test';
import { startServer, type TestServer } from '../e2e/startServer';
import { demoResponse } from '../lib/session/schema';

/** A server with the demo ward, and its nurse. */
export interface DemoWard {
  server: TestServer;
  nurse: { email: string; password: string };
}

/** Starts a server with the demo ward on an empty folder. */
export async function startDemoWard(): Promise<DemoWard> {
  const server = await startServer();
  const made = await fetch(`${server.url}/api/v2/demo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  });
  const nurse = demoResponse.parse(await made.json()).people.find(({ type }) => type === 'nurse');
  if (nurse === undefined) {
    throw new Error('The demo has no nurse');
  }
  return { server, nurse };
}

/** Signs the nurse in and waits until a value is live. */
export async function signInToDemo(page: Page, { server, nurse }: DemoWard): Promise<void> {
  await page.goto(`${server.url}/sign_in`);
  await page.getByLabel('E-mail').fill(nurse.email);
  await page.getByLabel('Password').fill(nurse.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-vital][data-state="live"]').first().waitFor();
}
