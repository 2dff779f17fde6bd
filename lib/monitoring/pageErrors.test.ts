import type * as PageErrors from './pageErrors';

const notFirst = (): void => undefined;

/** Loads the module as a new page does: what waits in one page does not wait in the next. */
function newPage(): typeof PageErrors {
  let page: typeof PageErrors | undefined;
  jest.isolateModules(() => {
    page = jest.requireActual<typeof PageErrors>('./pageErrors');
  });
  if (page === undefined) {
    throw new Error('The module was not loaded');
  }
  return page;
}

function newReporter() {
  const sent: [unknown, string][] = [];
  const users: (number | null)[] = [];
  return {
    sent,
    users,
    reporter: {
      send: (error: unknown, id: string) => {
        sent.push([error, id]);
      },
      setUser: (id: number | null) => {
        users.push(id);
      },
    },
  };
}

describe('errors of a page', () => {
  it('wait for the code that sends them, and are handed over in their order under the ids that were shown', () => {
    const page = newPage();
    const { reporter, sent } = newReporter();
    const first = page.reportError('one');
    const second = page.reportError('two');
    page.handOver(reporter);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(first).not.toBe(second);
    expect(sent).toEqual([
      ['one', first],
      ['two', second],
    ]);
  });

  it('are sent at once when it is there', () => {
    const page = newPage();
    const { reporter, sent } = newReporter();
    page.handOver(reporter);
    const id = page.reportError('three');
    expect(sent).toEqual([['three', id]]);
  });

  it('are kept from the first uncaught one until other code receives them', () => {
    const page = newPage();
    const { reporter, sent } = newReporter();
    const first = jest.fn();
    page.holdErrors(first);
    const problem = new Error('x');
    window.dispatchEvent(new ErrorEvent('error', { error: problem }));
    window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'refused' }));
    expect(first).toHaveBeenCalledTimes(3);
    page.handOver(reporter);
    expect(sent.map(([error]) => error)).toEqual([problem, 'Script error.', 'refused']);
    // The test's own listener: without it the environment fails the test for an uncaught error.
    const heard = jest.fn();
    window.addEventListener('error', heard, { once: true });
    window.dispatchEvent(new ErrorEvent('error', { error: problem }));
    expect(heard).toHaveBeenCalled();
    expect(sent).toHaveLength(3);
  });

  it('are limited to twenty', () => {
    const page = newPage();
    const { reporter, sent } = newReporter();
    page.holdErrors(notFirst);
    for (let count = 0; count < 1_000; count += 1) {
      page.reportError(count);
    }
    page.handOver(reporter);
    expect(sent.map(([error]) => error)).toEqual(Array.from({ length: 20 }, (_, count) => count));
  });

  it('name the user by number, whether the user was known before or after', () => {
    const page = newPage();
    const { reporter, users } = newReporter();
    page.setReportedUser(7);
    page.handOver(reporter);
    page.setReportedUser(null);
    expect(users).toEqual([7, null]);
  });
});
