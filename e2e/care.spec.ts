import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { chooseOption } from './chooseOption';
import { pressAndConfirm } from './pressAndConfirm';
import { anotherBrowser, expect, test } from './test';
import { addPatient, addPerson, enter, openDetails, openSession, openWard, send, type Site } from './ward';

let server: Site;
let ids: number[];

test.beforeAll(async () => {
  server = await openWard();
  const session = await openSession(server);
  ids = [];
  for (let index = 1; index <= 4; index += 1) {
    ids.push(await addPatient(server, session, `A-${index}`, `Sample${index}`));
  }
});

test('cares for a patient by the Actions menu: standby, swap of beds, limits, edit, discharge', async ({ page }) => {
  const session = await openSession(server);
  const [id, neighbour] = [
    await addPatient(server, session, 'E-1', 'Caredfor', 'South'),
    await addPatient(server, session, 'E-2', 'Neighbour', 'South'),
  ];
  await openDetails(page, server, [id]);
  const pane = page.getByRole('region', { name: 'Caredfor, Sam' });
  const drawer = page.getByRole('dialog');
  const open = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for Caredfor, Sam' }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await expect(drawer.getByRole('textbox').first()).toBeVisible();
  };
  const press = (name: string): Promise<void> => drawer.getByRole('button', { name }).click();

  await open('Standby');
  await drawer.getByLabel('Reason').fill('Wash');
  await press('Start standby');
  await expect(pane.getByText('Standby: new alerts held back, 15 min left')).toBeVisible();
  await expect(drawer).toHaveCount(0);
  await open('Standby');
  await pressAndConfirm(drawer.getByRole('button', { name: 'End standby' }), 'End standby');
  await expect(pane.getByText(/^Standby:/)).toHaveCount(0);
  await expect(drawer).toHaveCount(0);

  await open('Move bed');
  await expect(drawer.getByLabel('Moved at')).toBeVisible();
  await drawer.getByLabel('Bed').fill('e-2');
  await expect(drawer.getByText('Occupied by Neighbour, Sam')).toBeVisible();
  await drawer.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(drawer.getByText('is in South · Bed E-2')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await press('Swap the beds: Neighbour, Sam to South · Bed E-1');
  await expect(pane.getByText('South · Bed E-2')).toBeVisible();
  await expect(drawer).toHaveCount(0);

  await open('Limits');
  await chooseOption(drawer.getByRole('combobox'), 'SpO2 low');
  await drawer.getByLabel('Low limit, %').fill('85');
  await expect(drawer.getByText(/^With these limits: \d+ SpO2 alerts? in the last 24 h \(now \d+\)\.$/)).toBeVisible();
  await drawer.getByLabel('Reason').fill('Usual for this patient');
  await press('Set limits');
  await expect(drawer).toHaveCount(0);
  await open('Limits');
  await expect(drawer.getByRole('row', { name: /^SpO2 low/ })).toContainText('< 88–< 85< 85');
  await press('Close');
  await expect(drawer).toHaveCount(0);

  // Somebody else changes the name while the form is open.
  await open('Edit');
  await drawer.getByLabel('Given name').fill('Samuel');
  const { version } = (await send(server, session, 'GET', `/api/v2/patients/${id}`)) as { version: number };
  await send(server, session, 'PATCH', `/api/v2/patients/${id}`, { version, familyName: 'Newname' });
  await press('Save');
  await expect(drawer.getByText(/has changed family name in the meantime/)).toBeVisible();
  await press('Show the present state');
  await expect(drawer.getByLabel('Family name')).toHaveValue('Newname');
  await expect(drawer.getByLabel('Given name')).toHaveValue('Samuel');
  await press('Save');
  await expect(pane.getByRole('heading', { name: 'Newname, Samuel', exact: true })).toBeVisible();
  await expect(drawer).toHaveCount(0);

  await page.getByRole('button', { name: 'Actions for Newname, Samuel' }).click();
  await page.getByRole('menuitem', { name: 'Discharge' }).click();
  await drawer.getByLabel('MRN').fill('E-1');
  await expectNoAxeViolationsDayAndNight(page);
  await press('Discharge');
  await expect(pane.getByText('Discharged', { exact: true })).toBeVisible();
  await expect(drawer).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for Newname, Samuel' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([/^Export/]);
  await page.goto(`${server.url}/patients`);
  await expect(page.getByRole('row', { name: /Neighbour/ })).toContainText('E-1');
  await expect(page.getByRole('row', { name: /Newname/ })).toHaveCount(0);
  await send(server, session, 'PATCH', `/api/v2/patients/${neighbour}`, { version: 2, state: 'discharged' });
});

test('a handoff is written, given and received, and is news to a follower', async ({ page, browser }) => {
  const session = await openSession(server);
  const email = 'noor.receiver@example.org';
  await addPerson(server, session, { email, fname: 'Noor', lname: 'Receiver', type: 'nurse', unitIds: [] });
  const patientId = ids[0] ?? 0;
  const redFlag = { redFlags: ['collapse'] };
  await send(server, session, 'POST', `/api/v2/patients/${patientId}/symptoms`, redFlag);
  const alertOf = async () => {
    const { items } = (await send(server, session, 'GET', `/api/v2/alerts?patientId=${patientId}`)) as {
      items: { id: number; version: number; accepted: { by: { name: string } } | null }[];
    };
    return items[0];
  };
  const alert = await alertOf();
  await send(server, session, 'POST', `/api/v2/alerts/${alert?.id ?? 0}/accept`, { version: alert?.version });
  await openDetails(page, server, [patientId]);
  await page.getByRole('button', { name: 'Follow Sample1, Sam', pressed: false }).click();
  await expect(page.getByRole('button', { name: 'Follow Sample1, Sam', pressed: true })).toBeVisible();
  const area = page.getByRole('region', { name: 'Notes' });
  await area.getByText('Handoffs', { exact: true }).click();
  await area.getByRole('button', { name: /^Write handoff/ }).click();
  await area.getByLabel('Severity').selectOption('watcher');
  await area.getByLabel(/^Summary/).fill('Day 2 after surgery');
  await area.getByRole('button', { name: /^Give/ }).click();
  await expect(area.getByText(/needs at least one if-then/)).toBeVisible();
  await area.getByLabel('If, row 1').fill('SpO2 under 88');
  await area.getByLabel('Then, row 1').fill('call the physician');
  await area.getByLabel('Action, row 1').fill('Weigh');
  await area.getByLabel('Receiver').selectOption('Noor Receiver, Nurse');
  await area.getByRole('button', { name: /^Give/ }).click();
  await expect(area.getByRole('article', { name: 'Handoff, given, not received' })).toContainText('SpO2 under 88');
  await expect(area.getByRole('article', { name: 'Handoff, given, not received' })).toContainText('to Noor Receiver');

  const colleague = await anotherBrowser(browser);
  await enter(colleague.page, server, email, `/patient_details?ids=${patientId}`);
  const theirs = colleague.page.getByRole('region', { name: 'Notes' });
  await theirs.getByText('Handoffs', { exact: true }).click();
  await theirs.getByLabel(/^Read back/).fill('Watcher, call under 88');
  await theirs.getByRole('button', { name: /^Receive/ }).click();
  await expect(theirs.getByRole('article', { name: 'Handoff, received' })).toContainText('Watcher, call under 88');
  expect((await alertOf())?.accepted?.by.name).toBe('Noor Receiver');
  await theirs.getByRole('button', { name: 'Done: Weigh' }).click();
  await expect(theirs.getByRole('button', { name: 'Undo: Weigh' })).toBeVisible();
  await expectNoAxeViolationsDayAndNight(colleague.page);
  await colleague.close();

  // The giver follows the patient: what became of the handoff is on their start page, once.
  await page.goto(server.url);
  const news = page.getByRole('region', { name: 'Patients you follow' });
  await news.getByRole('link', { name: /^Handoff received, / }).click();
  await expect(area.getByRole('article', { name: 'Handoff, received' })).toBeVisible();
  await page.goto(server.url);
  await expect(news.getByText('Nothing new')).toBeVisible();
});

test('a note takes at most six keys beside its text, a stable handoff twelve; a ward’s are printed', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.setAttribute('data-printed', '');
    };
  });
  await openDetails(page, server, [ids[1] ?? 0]);
  const area = page.getByRole('region', { name: 'Notes' });
  const text = area.getByLabel('New note');
  await expect(text).toBeVisible();
  await page.keyboard.press('n');
  await expect(text).toBeFocused();
  await page.keyboard.type('Slept well');
  const sign = area.getByRole('button', { name: /^Sign the note/ });
  await expect(sign).toBeEnabled();
  let keys = 1;
  const press = async (key: string): Promise<void> => {
    await page.keyboard.press(key);
    keys += 1;
  };
  while (!(await sign.evaluate((button) => button === document.activeElement))) {
    await press('Tab');
  }
  await press('Enter');
  await expect(page.getByRole('tooltip').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press('Tab');
  await press('Enter');
  await expect(page.getByRole('article', { name: /Nursing note/ })).toBeVisible();
  expect(keys).toBeLessThanOrEqual(6);

  await page.keyboard.press('h');
  await expect(area.getByRole('button', { name: /^Write handoff/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(area.getByLabel('Severity')).toBeFocused();
  await page.keyboard.press('s');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Slept well');
  await page.keyboard.press('Control+Enter');
  await expect(area.getByRole('article', { name: 'Handoff, given, not received' })).toContainText('Slept well');

  await test.step('a ward’s handoffs are started and given at once, and printed', async () => {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Handoffs' }).click();
    await expect(page.getByText('Select patients.')).toBeVisible();
    const row = page.getByRole('row', { name: /Sample3, Sam/ });
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start 1' }).click();
    await expect(row).toContainText('Draft');
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Give 1' }).click();
    await expect(page.getByRole('alert').getByText('Sample3, Sam: Choose the severity.')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await page.getByRole('button', { name: 'Print' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-printed', '');
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(/Sample3, Sam · MRN A-3 · born .* printed at/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  });
});

test.describe('with a server that is away', () => {
  test.use({ expectedConsole: /^Failed to (update last active|fetch the current user)/ });

  test('a note is stored as it is typed, also after an outage, signed, added to, and read by a colleague', async ({
    page,
    browser,
  }) => {
    const session = await openSession(server);
    const email = 'kim.reader@example.org';
    await addPerson(server, session, { email, fname: 'Kim', lname: 'Reader', type: 'nurse', unitIds: [] });
    const patientId = ids[3] ?? 0;
    await openDetails(page, server, [patientId]);
    const text = page.getByLabel('New note');
    await expect(text).toBeVisible();
    await page.keyboard.press('n');
    await expect(text).toBeFocused();
    await page.route('**/api/v2/**', (route) => route.abort());
    await page.keyboard.type('Slept well, SpO2 stable');
    await expect(page.getByRole('alert').getByText(/^Not saved\./)).toBeVisible();
    await page.unroute('**/api/v2/**');
    await expect(page.getByText('Draft saved. Only you see it.')).toBeVisible();
    await page.reload();
    await expect(text).toHaveValue('Slept well, SpO2 stable');
    await page.getByText('Mention a colleague').click();
    await page.getByLabel('Mention', { exact: true }).selectOption('Kim Reader, Nurse');
    await text.focus();
    await expect(page.getByText('Draft saved. Only you see it.')).toBeVisible();
    await page.reload();
    await expect(text).toHaveValue('Slept well, SpO2 stable');
    await expect(page.getByText('Mentions Kim Reader')).toBeVisible();
    await pressAndConfirm(page.getByRole('button', { name: 'Sign the note for Sample4, Sam' }), 'Sign');
    const note = page.getByRole('article', { name: /Nursing note/ });
    await expect(note.getByText('Slept well, SpO2 stable')).toBeVisible();
    await expect(text).toHaveValue('');
    await note.getByRole('button', { name: 'Add addendum' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Addendum').fill('Woke at four');
    await drawer.getByRole('button', { name: 'Sign addendum' }).click();
    await expect(note.getByText('Woke at four')).toBeVisible();

    const colleague = await anotherBrowser(browser);
    await enter(colleague.page, server, email, '/patients');
    await expect(colleague.page.getByRole('row', { name: /Sample4, Sam/ }).getByText('1 unread note')).toBeVisible();
    await colleague.page.goto(server.url);
    const mentions = colleague.page.getByRole('region', { name: 'You were mentioned' });
    await mentions.getByRole('link', { name: /Sample4, Sam, MRN A-4/ }).click();
    const seen = colleague.page.getByRole('article', { name: /Nursing note/ });
    await expect(seen.getByText('Unread')).toBeVisible();
    await expect(seen.getByText('Unread')).toHaveCount(0);
    await colleague.page.goto(server.url);
    await expect(mentions.getByText('You have read all notes that mention you.')).toBeVisible();
    await colleague.close();
  });
});
