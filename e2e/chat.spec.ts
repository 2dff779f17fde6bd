import type { Browser, BrowserContext } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { startServer, type TestServer } from './startServer';
import { anotherBrowser, expect, test } from './test';
import { signIn } from './ward';

const site = {
  ADMIN_EMAIL: 'robin@example.org',
  ADMIN_PASSWORD: 'correct horse battery',
  SITE_NAME: 'Harbour ward',
  SITE_TIME_ZONE: 'Europe/London',
};
/**
 * The script and the style sheet that only the service's packages have; the first sheet contains a few rules of our
 * own.
 */
const chatCode = /stream-io-api\.com|str-chat__channel-list-inner/;

/** Collects the scripts and styles that were loaded, and every request to another host. */
function watchRequests(
  context: BrowserContext,
  server: TestServer,
): { chatFiles: () => Promise<string[]>; foreign: string[] } {
  const files = new Set<string>();
  const foreign: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(server.url)) {
      foreign.push(request.url());
    }
  });
  context.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) {
      files.add(response.url());
    }
  });
  return {
    foreign,
    // Read from the server again: a browser on the next page no longer has what the last one loaded.
    chatFiles: async () => {
      const read = await Promise.all(
        [...files].map(async (url) => ({ url, text: await (await context.request.get(url)).text() })),
      );
      return read.filter(({ text }) => chatCode.test(text)).map(({ url }) => url);
    },
  };
}

test.describe('without a key', () => {
  let server: TestServer;
  test.beforeAll(async () => {
    server = await startServer({ ...site, ADMIN_TYPE: 'physician' });
  });
  test.afterAll(() => server.remove());

  test('an administrator sees how chat is set up, and nothing of it is downloaded', async ({ page, context }) => {
    const { chatFiles, foreign } = watchRequests(context, server);
    await signIn(page, server);
    await expect(page.getByRole('button', { name: 'Chat' })).toHaveCount(0);
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chat' }).click();
    await expect(page).toHaveURL(`${server.url}/chat`);
    await expect(page.getByText('STREAM_API_KEY')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    await page.screenshot({ path: 'test-results/chat-setup.png' });
    await page.goto(`${server.url}/patients`);
    await page.waitForLoadState('networkidle');
    expect([await chatFiles(), foreign]).toEqual([[], []]);
  });

  test('a clinician has no entry, and the page says so calmly', async ({ browser, page }) => {
    // What the server sends for the page, without the permissions of an administrator.
    await addNurse(browser, server);
    await page.goto(`${server.url}/sign_in`);
    await page.getByLabel('E-mail').fill('kim@example.org');
    await page.getByLabel('Password').fill('a long walk by the river');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chat' })).toHaveCount(0);
    await page.goto(`${server.url}/chat`);
    await expect(page.getByText('Chat is not set up on this installation.')).toBeVisible();
    await expect(page.getByText('STREAM_API_KEY')).toHaveCount(0);
  });
});

/**
 * Invites a nurse and accepts the invitation, each in a browser of its own: an open page whose cookies are removed asks
 * who is signed in, gets a 401, and writes that to the console at a time that the test cannot know.
 */
async function addNurse(browser: Browser, server: TestServer): Promise<void> {
  const administrator = await anotherBrowser(browser);
  const { page } = administrator;
  await signIn(page, server);
  const token = (await page.context().cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const headers = { 'X-XSRF-TOKEN': decodeURIComponent(token) };
  const invited = await page.request.post(`${server.url}/api/v2/admin/invitations`, {
    headers,
    data: { email: 'kim@example.org', type: 'nurse' },
  });
  expect(invited.status()).toBe(201);
  const { link } = (await invited.json()) as { link: string };
  await administrator.close();
  const nurse = await anotherBrowser(browser);
  const signedUp = await nurse.page.request.post(`${server.url}/api/v2/auth/sign-up`, {
    data: { invitation: link.split('=')[1], fname: 'Kim', lname: 'Example', password: 'a long walk by the river' },
  });
  expect(signedUp.status()).toBe(201);
  await nurse.close();
}

test.describe('with a key, while no token can be had', () => {
  let server: TestServer;
  test.use({ expectedConsole: /^Failed to connect user: / });
  test.beforeAll(async () => {
    server = await startServer({
      ...site,
      ADMIN_TYPE: 'physician',
      STREAM_API_KEY: 'abc123',
      STREAM_API_SECRET: 'a secret of the chat service',
    });
  });
  test.afterAll(() => server.remove());
  test.beforeEach(async ({ context }) => {
    // The server is never asked, so neither it nor the page calls the chat service.
    await context.route('**/api/v2/chat/**', (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'chat_unreachable', message: 'The chat service does not answer just now.' } },
      }),
    );
  });

  test('the chat says so calmly, beside the page and on its own, and covers nothing', async ({ page, context }) => {
    const { chatFiles, foreign } = watchRequests(context, server);
    await signIn(page, server);
    await page.goto(`${server.url}/patients`);
    await page.getByRole('button', { name: 'Chat' }).click();
    const drawer = page.getByRole('complementary', { name: 'Chat' });
    await expect(drawer.getByText('Chat cannot be reached')).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Try again' })).toBeVisible();
    const main = await page.getByRole('main').boundingBox();
    const beside = await drawer.boundingBox();
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
    await expectNoAxeViolationsDayAndNight(page);
    await page.screenshot({ path: 'test-results/chat-drawer.png' });
    await drawer.getByRole('link', { name: 'Open as a page' }).click();
    await expect(page).toHaveURL(`${server.url}/chat`);
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Chat cannot be reached')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    expect(foreign).toEqual([]);
    // With a key the package is loaded: what the tests above search for can be found.
    expect((await chatFiles()).length).toBeGreaterThan(0);
  });

  test('the banner that nothing is live is above the open chat', async ({ page }) => {
    await signIn(page, server);
    await page.getByRole('button', { name: 'Chat' }).click();
    await expect(page.getByRole('complementary', { name: 'Chat' })).toBeVisible();
    server.pause();
    try {
      const banner = page.getByText(/^NOT LIVE since/);
      await expect(banner).toBeVisible();
      const covered = await banner.evaluate((element) => {
        const { right, top, height } = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(right - 4, top + height / 2));
      });
      expect(covered).toBe(false);
      await expect(page.getByRole('complementary', { name: 'Chat' })).toBeVisible();
    } finally {
      server.resume();
    }
  });
});
