import type { BrowserContext } from '@playwright/test';
import { expectNoAxeViolationsDayAndNight } from './expectNoAxeViolations';
import { anotherBrowser, expect, test } from './test';
import { addPerson, enter, openSession, openWard, type Site } from './ward';

/**
 * The script and the style sheet that only the service's packages have; the first sheet contains a few rules of our
 * own.
 */
const chatCode = /stream-io-api\.com|str-chat__channel-list-inner/;

/** Collects the scripts and styles that were loaded, and every request to another host. */
function watchRequests(
  context: BrowserContext,
  server: Site,
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

test('without a key an administrator sees how chat is set up, and a clinician no entry; nothing is downloaded', async ({
  page,
  context,
  browser,
}) => {
  const server = await openWard();
  const { chatFiles, foreign } = watchRequests(context, server);
  await enter(page, server);
  await expect(page.getByRole('button', { name: 'Chat' })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chat' }).click();
  await expect(page).toHaveURL(`${server.url}/chat`);
  await expect(page.getByText('STREAM_API_KEY')).toBeVisible();
  await expectNoAxeViolationsDayAndNight(page);
  await page.goto(`${server.url}/patients`);
  await page.waitForLoadState('networkidle');
  expect([await chatFiles(), foreign]).toEqual([[], []]);

  // What the server sends for the page, without the permissions of an administrator.
  const nurse = { email: 'kim@example.org', fname: 'Kim', lname: 'Example', type: 'nurse', unitIds: [] };
  await addPerson(server, await openSession(server), nurse);
  const { page: theirs, close } = await anotherBrowser(browser);
  await enter(theirs, server, nurse.email);
  await expect(theirs.getByRole('navigation', { name: 'Sections' })).toBeVisible();
  await expect(theirs.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Chat' })).toHaveCount(0);
  await theirs.goto(`${server.url}/chat`);
  await expect(theirs.getByText('Chat is not set up on this installation.')).toBeVisible();
  await expect(theirs.getByText('STREAM_API_KEY')).toHaveCount(0);
  await close();
});

test.describe('with a key, while no token can be had', () => {
  test.use({ expectedConsole: /^Failed to (connect user: |update last active)/ });

  test('the chat says so calmly, beside the page and on its own, and covers nothing, nor that nothing is live', async ({
    page,
    context,
  }) => {
    const server = await openWard('chat');
    const { chatFiles, foreign } = watchRequests(context, server);
    // The server is never asked, so neither it nor the page calls the chat service.
    await context.route('**/api/v2/chat/**', (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: 'chat_unreachable', message: 'The chat service does not answer just now.' } },
      }),
    );
    await page.clock.install();
    await enter(page, server, undefined, '/patients');
    await page.getByRole('button', { name: 'Chat' }).click();
    const drawer = page.getByRole('complementary', { name: 'Chat' });
    await expect(drawer.getByText('Chat cannot be reached')).toBeVisible();
    await expect(drawer.getByRole('button', { name: 'Try again' })).toBeVisible();
    const main = await page.getByRole('main').boundingBox();
    const beside = await drawer.boundingBox();
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
    await expectNoAxeViolationsDayAndNight(page);

    await test.step('the banner that nothing is live is above the open chat', async () => {
      await page.route('**/api/**', (route) => route.abort());
      const banner = page.getByText(/^NOT LIVE since/);
      await expect
        .poll(() => page.clock.fastForward(1_000).then(() => banner.isVisible()), { intervals: [100] })
        .toBe(true);
      const covered = await banner.evaluate((element) => {
        const { right, top, height } = element.getBoundingClientRect();
        return !element.contains(document.elementFromPoint(right - 4, top + height / 2));
      });
      expect(covered).toBe(false);
      await expect(drawer).toBeVisible();
      await page.unroute('**/api/**');
      await expect(banner).toHaveCount(0);
    });

    await drawer.getByRole('link', { name: 'Open as a page' }).click();
    await expect(page).toHaveURL(`${server.url}/chat`);
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Chat cannot be reached')).toBeVisible();
    await expectNoAxeViolationsDayAndNight(page);
    expect(foreign).toEqual([]);
    // With a key the package is loaded: what the test above searches for can be found.
    expect((await chatFiles()).length).toBeGreaterThan(0);
  });
});
