import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTime } from '../lib/time/formatTime';
import { makeTestFolder } from '../test/testFolder';
import { movedClock } from './movedClock';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addPatient, openSession, send, signIn, startWard } from './ward';

const hour = 3_600_000;

let server: TestServer;
let folder: string;

test.beforeEach(() => {
  folder = makeTestFolder('clock');
});
test.afterEach(async ({ page }) => {
  await page.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a check-in that is missed, also while the server is down, is on the ward’s screen as a technical alert', async ({
  page,
}) => {
  // Until the server stops it is nine hours ago: what is known of a patient answers a check-in due within four hours.
  const clock = join(folder, 'ms');
  writeFileSync(clock, String(-9 * hour));
  server = await startWard(movedClock(clock));
  const session = await openSession(server);
  const site = (await send(server, session, 'GET', '/api/v2/admin/site')) as { version: number };
  const due = formatTime(Date.now() - 4.5 * hour, 'Europe/London').slice(0, 5);
  await send(server, session, 'PATCH', '/api/v2/admin/site', {
    version: site.version,
    emergencyNumber: '112',
    checkInTimes: [due],
  });
  const patientId = await addPatient(server, session, 'A-1', 'Sample');
  const { version } = (await send(server, session, 'GET', `/api/v2/patients/${patientId}`)) as { version: number };
  await send(server, session, 'PATCH', `/api/v2/patients/${patientId}`, { version, profile: 'home' });
  await send(server, session, 'POST', `/api/v2/patients/${patientId}/check-in-links`, { for: 'patient' });
  const missed = page.getByRole('main').getByText(/A reading is missing/);
  expect(await send(server, session, 'GET', '/api/v2/alerts')).toMatchObject({ items: [] });

  await server.stop();
  rmSync(clock);
  await server.start();
  // The session from nine hours ago is over.
  await signIn(page, server);
  await expect(missed.first()).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sample, Sam' }).first()).toBeVisible();
});
