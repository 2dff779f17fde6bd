import type { Page } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addPerson, emailAt, enter, openSession, openWard, type Site } from './ward';

let server: Site;

test.beforeAll(async () => {
  server = await openWard();
});

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  if (new URL(page.url()).pathname !== '/sign_in') {
    await page.goto(`${server.url}/sign_in`);
  }
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('an invitation creates an account, and an administrator’s link restores the access', async ({ page, browser }) => {
  const nurse = {
    email: emailAt(server, 'nia@example.org'),
    password: 'harbour lamp seven violins',
    newPassword: 'slow tractor paints the moon',
  };

  const invitation = await test.step('the administrator invites', async () => {
    await enter(page, server);
    await page.getByRole('link', { name: 'Admin' }).click();
    await expect(page).toHaveURL(`${server.url}/admin/users`);
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await page.getByRole('button', { name: 'Invite user' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('E-mail').fill(nurse.email);
    await drawer.getByRole('button', { name: 'Create invitation' }).click();
    const link = drawer.getByLabel(`Invitation for ${nurse.email}`);
    await expect(link).toHaveValue(/\/sign_up#invitation=/);
    await expectNoAxeViolationsDayAndNight(page);
    const value = await link.inputValue();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Close anyway' }).click();
    await expect(
      page.getByRole('table', { name: 'Invitations' }).getByRole('row', { name: nurse.email }),
    ).toBeVisible();
    return value;
  });

  const old = await anotherBrowser(browser, /^Failed to (fetch the current user|update last active)/);
  await test.step('the invited person signs up', async () => {
    await old.page.goto(invitation);
    await expect(old.page).toHaveURL(`${server.url}/sign_up`);
    await expect(old.page.getByLabel('E-mail')).toHaveValue(nurse.email);
    await expectNoAxeViolationsDayAndNight(old.page);
    await old.page.getByLabel('First name').fill('Nia');
    await old.page.getByLabel('Last name').fill('Newcomer');
    await old.page.getByLabel('Password').fill(nurse.password);
    await old.page.getByRole('button', { name: 'Sign up' }).click();
    await expect(old.page).toHaveURL(`${server.url}/dashboard`);
    await expect(old.page.getByRole('button', { name: 'Nia Newcomer' })).toBeVisible();
    await expect(old.page.getByRole('link', { name: 'Admin' })).toHaveCount(0);
    await old.page.goto(`${server.url}/admin/users`);
    await expect(old.page.getByText('This page is for administrators of the site.')).toBeVisible();
  });

  const fresh = await anotherBrowser(browser);
  await test.step('the invitation works once', async () => {
    await fresh.page.goto(invitation);
    await expect(fresh.page.getByText('This invitation is not valid.')).toBeVisible();
  });

  await test.step('the response to a request for a link is the same with and without an account', async () => {
    await fresh.page.goto(`${server.url}/sign_in`);
    await fresh.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(fresh.page).toHaveURL(`${server.url}/reset_password`);
    await expectNoAxeViolationsDayAndNight(fresh.page);
    await fresh.page.getByLabel('E-mail').fill('noone@example.org');
    await fresh.page.getByRole('button', { name: 'Send the link' }).click();
    await expect(fresh.page.getByText('If this address has an account')).toBeVisible();
  });

  const reset = await test.step('the administrator creates a link', async () => {
    await expect(page.getByRole('row', { name: /Newcomer, Nia/ })).toContainText(/\d+ (s|min) ago/, {
      timeout: 20_000,
    });
    await page.getByRole('button', { name: 'Change Nia Newcomer' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Create reset link' }).click();
    const link = drawer.getByLabel(`Reset link for ${nurse.email}`);
    await expect(link).toHaveValue(/\/reset_password#token=/);
    await expectNoAxeViolationsDayAndNight(page);
    return await link.inputValue();
  });

  await test.step('the new password works, and the old session has ended', async () => {
    await fresh.page.goto(reset);
    await expect(fresh.page).toHaveURL(`${server.url}/reset_password`);
    await expect(fresh.page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
    await expectNoAxeViolationsDayAndNight(fresh.page);
    await fresh.page.getByLabel('New password').fill(nurse.newPassword);
    await fresh.page.getByRole('button', { name: 'Change the password' }).click();
    await expect(fresh.page).toHaveURL(`${server.url}/sign_in?reset=done`);
    await expect(fresh.page.getByText('Your password was changed')).toBeVisible();
    await expect(old.page).toHaveURL(/\/sign_in/);
    await signInAs(fresh.page, nurse.email, nurse.password);
    await expect(fresh.page.getByText('E-mail or password is wrong.')).toBeVisible();
    await signInAs(fresh.page, nurse.email, nurse.newPassword);
    await expect(fresh.page).toHaveURL(`${server.url}/dashboard`);
  });

  await test.step('its owner reads who made the link, once', async () => {
    const notice = fresh.page.getByText('Your password was set through a link made by First Administrator.');
    await expect(notice).toBeVisible();
    await expectNoAxeViolationsDayAndNight(fresh.page);
    await fresh.page.getByRole('button', { name: 'OK', exact: true }).click();
    await expect(notice).toHaveCount(0);
    await fresh.page.reload();
    await expect(fresh.page.getByRole('button', { name: 'Nia Newcomer' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
  await old.close();
  await fresh.close();
});

test('a requested account works once approved, and one that an office opened once a physician confirms it', async ({
  page,
  browser,
}) => {
  const nurse = { email: emailAt(server, 'quinn@example.org'), password: 'seven lamps near the harbour' };
  const { page: theirs, close } = await anotherBrowser(browser);

  await test.step('no one can ask if the site does not allow it', async () => {
    await theirs.goto(`${server.url}/sign_in`);
    await theirs.getByRole('link', { name: 'Sign up' }).click();
    await expect(theirs.getByText('Accounts are by invitation.')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(theirs);
  });

  await test.step('a person asks', async () => {
    const session = await openSession(server);
    const site = (await (await fetch(`${server.url}/api/v2/admin/site`, { headers: session })).json()) as {
      version: number;
    };
    const response = await fetch(`${server.url}/api/v2/admin/site`, {
      method: 'PATCH',
      headers: session,
      body: JSON.stringify({ version: site.version, signUpMode: 'approval' }),
    });
    expect(response.status).toBe(200);
    await theirs.goto(`${server.url}/sign_up`);
    await theirs.getByLabel('First name').fill('Quinn');
    await theirs.getByLabel('Last name').fill('Quiet');
    await theirs.getByLabel('E-mail').fill(nurse.email);
    await theirs.getByLabel('Password').fill(nurse.password);
    await expectNoAxeViolationsDayAndNight(theirs);
    await theirs.getByRole('button', { name: 'Ask for an account' }).click();
    await expect(theirs.getByText('Your request waits for approval.')).toBeVisible();
    await signInAs(theirs, nurse.email, nurse.password);
    await expect(theirs.getByText('An administrator has still to approve your account.')).toBeVisible();
  });

  await test.step('the administrator approves, and the person signs in', async () => {
    await enter(page, server, undefined, '/admin/users');
    await page.getByRole('button', { name: 'Approve Quinn Quiet' }).click();
    const drawer = page.getByRole('dialog');
    await expect(drawer.getByText(nurse.email)).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await drawer.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText('Quinn Quiet can sign in now.')).toBeVisible();
    await signInAs(theirs, nurse.email, nurse.password);
    await expect(theirs).toHaveURL(`${server.url}/dashboard`);
  });
  await close();

  await test.step('one that an administrator alone opened shows nothing until a physician confirms it', async () => {
    const [admin, nurse] = ['ida@example.org', 'nils@example.org'];
    const physician = await openSession(server);
    await addPerson(server, physician, {
      email: admin,
      fname: 'Ida',
      lname: 'Office',
      type: 'administrator',
      isAdmin: true,
      unitIds: [],
    });
    await addPerson(server, await openSession(server, admin), {
      email: nurse,
      fname: 'Nils',
      lname: 'New',
      type: 'nurse',
      unitIds: [],
    });
    const other = await anotherBrowser(browser);
    const { page: theirs } = other;
    await enter(theirs, server, nurse);
    await expect(theirs.getByText('Your account waits for confirmation.')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(theirs);

    await enter(page, server, undefined, '/admin/users');
    await expect(page.getByRole('row', { name: /New, Nils/ })).toContainText(
      'Waits for confirmation, opened by Ida Office',
    );
    await page.goto(server.url);
    const card = page.getByRole('region', { name: 'Accounts to confirm' });
    await card.getByRole('button', { name: 'Confirm Nils New' }).click();
    await expectNoAxeViolationsDayAndNight(page);
    await card.getByRole('button', { name: 'Yes, confirm' }).click();
    await expect(card).toHaveCount(0);

    await theirs.reload();
    await expect(theirs.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
    await expect(theirs.getByText('Your account waits for confirmation.')).toHaveCount(0);
    await other.close();
  });
});
