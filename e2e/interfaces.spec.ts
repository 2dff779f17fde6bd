import { freePort } from '../test/freePort';
import { connectMllp } from '../test/mllpClient';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { pressAndConfirm } from './pressAndConfirm';
import type { TestServer } from './startServer';
import { expect, test } from './test';
import { addPatient, openSession, signIn, startWard } from './ward';

let server: TestServer;
let port: number;

test.beforeAll(async () => {
  port = await freePort();
  server = await startWard({ HL7_PORT: String(port) });
});

test.afterAll(async () => {
  await server.remove();
});

/** A message with an SpO2 of the patient P-100 that was measured just now. */
function oru(spo2: number): string {
  const now = `${new Date().toISOString().replace(/[-:TZ]/g, '')}+0000`;
  return [
    `MSH|^~\\&|GATEWAY|NORTH|||${now}||ORU^R01|${now}|P|2.5`,
    'PID|||P-100^^^^MR||Harbour^Sam',
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

test('an administrator accepts an HL7 gateway, whose values are then on the screen, and revokes it', async ({
  page,
}) => {
  await addPatient(server, await openSession(server), 'P-100', 'Harbour');
  await signIn(page, server);
  await page.goto(`${server.url}/admin/interfaces`);
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
  const sender = page.getByRole('table', { name: 'Senders', exact: true }).getByRole('row', { name: /^North gateway/ });
  await expect(sender).toBeVisible();

  expect(await codeOf(oru(93))).toBe('AA');
  await page.reload();
  await expect(sender.getByRole('cell').nth(3)).toHaveText('1');
  await expectNoAxeViolationsDayAndNight(page);
  await page.screenshot({ path: 'test-results/admin-interfaces.png' });
  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Harbour/ })).toContainText('93');

  await page.goto(`${server.url}/admin/interfaces`);
  await pressAndConfirm(sender.getByRole('button', { name: 'Revoke North gateway' }), 'Revoke');
  await expect(sender).toContainText('Revoked');
  expect(await codeOf(oru(94))).toBe('AR');
});
