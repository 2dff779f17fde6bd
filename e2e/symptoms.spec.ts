import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addPatient, enter, openSession, openWard, type Site } from './ward';

let server: Site;
let patientId: number;

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  patientId = await addPatient(server, session, 'A-1', 'Sample1');
});

test('a red flag says what to do at once, and is on the screens of others within seconds', async ({
  page,
  browser,
}) => {
  const colleague = await anotherBrowser(browser);
  await enter(colleague.page, server);
  const today = colleague.page.getByRole('region', { name: 'Symptoms today' });
  await expect(today.getByText(/^0 of 1 reported today/)).toBeVisible();
  await enter(page, server, undefined, `/patient_details?ids=${patientId}`);
  await page.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Enter symptoms' }).click();
  const drawer = page.getByRole('dialog', { name: /^Symptoms: Sample1, .* · MRN .* · born / });
  const breathless = drawer.getByRole('group', { name: 'Breathlessness', exact: true });
  await breathless.getByRole('radio', { name: 'Mild' }).check();
  await drawer.getByRole('group', { name: 'Cough', exact: true }).getByRole('radio', { name: 'Moderate' }).check();
  await drawer.getByRole('checkbox', { name: 'Blue lips or face' }).check();
  await expect(drawer.getByRole('alert').getByText('Stay with the patient and call for help now.')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await drawer.getByRole('button', { name: 'Save report' }).click();
  await expect(drawer).toHaveCount(0);
  const soon = { timeout: 6_000 };
  await expect(today.getByText('1 of 1 reported today')).toBeVisible(soon);
  await expect(today.getByText(/Blue lips or face/)).toBeVisible(soon);
  await expect(
    colleague.page
      .getByRole('region', { name: 'Open alerts' })
      .getByText(/red flag/i)
      .first(),
  ).toBeVisible(soon);
  const strip = page.getByRole('slider', { name: /^Symptoms of Sample1/ });
  await expect(strip).toHaveAttribute('aria-valuetext', /Red flag: Blue lips or face\. Cough moderate/, soon);
  const names = page.getByRole('region', { name: /^Symptoms of Sample1/ }).locator('span[title]');
  await expect(names).toHaveCount(2);
  const cutOff = (spans: Element[]) =>
    spans.filter((span) => span.scrollWidth > span.clientWidth).map((span) => span.textContent);
  expect(await names.evaluateAll(cutOff), 'names of symptoms that are cut off').toEqual([]);
  await expectNoAxeViolationsDayAndNight(page);
  await expectNoAxeViolationsDayAndNight(colleague.page);
  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Sample1/ })).toContainText('red flag: Blue lips or face');
  await colleague.close();
});
