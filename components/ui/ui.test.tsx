import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Checkbox, Drawer } from 'antd';
import fc from 'fast-check';
import { type ComponentType, useState } from 'react';
import { z } from 'zod';
import type { NumberMark } from '../../lib/alerts/numberMark';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { handOver } from '../../lib/monitoring/pageErrors';
import type { LatestValue } from '../../lib/vitals/schema';
import { axeViolations } from '../../test/axeViolations';
import { expectConsole } from '../../test/expectConsole';
import { inventedUser, wardNow } from '../../test/inventedWard';
import { AsyncView, type ViewState } from './AsyncView';
import { ErrorBoundary } from './ErrorBoundary';
import { FormDrawer } from './FormDrawer';
import { FormField } from './FormField';
import { Pages, pageNumbers } from './Pages';
import { SchemaForm, changedByBoth, rebaseTyped } from './SchemaForm';
import { VitalValue } from './VitalValue';
import { antdOnDemand } from './antdOnDemand';
import { onDemand } from './onDemand';
import { screenPage } from './screenPage';

jest.mock('next/head', () => ({ __esModule: true, default: ({ children }: { children: object }) => children }));

describe('antd in a page', () => {
  const root = join(__dirname, '../..');
  const pages = readdirSync(join(root, 'pages'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx') && name !== '_document.tsx')
    .map((name) => join('pages', name));

  /** Imports of values, static ones and by `import()`. A type brings no code. */
  const imports = /(?:^(?:import|export) (?!type\b)[^;]*?from |\bimport\()'([^']+)'/gm;
  /** What these open has the theme around it. */
  const themed = /antdOnDemand\(\s*\(\) =>\s*import\([^)]*\)/g;

  /** Returns the files on the way from a file to one that imports antd, if none of them has the theme; else null. */
  function wayToBareAntd(file: string, seen = new Set<string>()): string[] | null {
    seen.add(file);
    const text = readFileSync(join(root, file), 'utf8').replace(themed, '');
    const targets = [...text.matchAll(imports)].map(([, target = '']) => target);
    if (/<AntdTheme>|\bscreenPage\(/.test(text)) {
      return null;
    }
    if (targets.includes('antd')) {
      return [file];
    }
    for (const target of targets.filter((each) => each.startsWith('.'))) {
      const next = sourceOf(join(dirname(file), target));
      const way = next === null || seen.has(next) ? null : wayToBareAntd(next, seen);
      if (way !== null) {
        return [file, ...way];
      }
    }
    return null;
  }

  function sourceOf(path: string): string | null {
    const found = ['.tsx', '.ts'].map((ending) => join(root, path + ending)).find(existsSync);
    return found === undefined ? null : relative(root, found);
  }

  it.each(pages)('is drawn with its theme: %s', (page) => {
    expect(wayToBareAntd(page)).toBeNull();
  });

  it('is found where no theme is around it', () => {
    expect(wayToBareAntd('components/history/HistoryScreen.tsx')).not.toBeNull();
    expect(wayToBareAntd('components/alerts/AlertDrawer.tsx')).toEqual(['components/alerts/AlertDrawer.tsx']);
  });
});

describe('AsyncView', () => {
  const asOf = Date.parse('2026-03-07T15:00:05Z');
  const answered: ViewState<string[]> = {
    data: ['Ada'],
    error: undefined,
    isRefreshing: false,
    asOf,
    refresh: () => {},
  };

  function show(answer: Partial<ViewState<string[]>>, isFailureShownOutside?: boolean): void {
    render(
      <AsyncView
        answer={{ ...answered, ...answer }}
        isEmpty={(names) => names.length === 0}
        skeleton={<p>skeleton</p>}
        empty={() => <p>no patients</p>}
        timeZone="Europe/London"
        isFailureShownOutside={isFailureShownOutside}
      >
        {(names) => <p>{names.join()}</p>}
      </AsyncView>,
    );
  }

  it('keeps old data when a refresh fails, and marks them with their time', () => {
    show({ error: { message: 'The server cannot be reached.' } });
    expect(screen.getByRole('status').textContent).toContain(
      'Old data: as it was at 15:00:05. The server cannot be reached.',
    );
    expect(screen.getByText('Ada').closest('[data-old]')).not.toBeNull();
  });

  it('marks old data and says nothing if the failure is shown outside', () => {
    show({ error: { message: 'The server cannot be reached.' } }, true);
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByText('Ada').closest('[data-old]')).not.toBeNull();
  });

  it('does not invent a time for data that came with the page', () => {
    show({ error: { message: 'The server cannot be reached.' }, asOf: null });
    expect(screen.getByRole('status').textContent).toContain('Old data. The server');
  });

  it('says that nothing could be loaded if there are no old data', () => {
    show({ data: undefined, error: { message: 'The server cannot be reached.' } });
    expect(screen.getByRole('status').textContent).toContain('This could not be loaded. The server cannot be reached.');
    expect(screen.queryByText('skeleton')).toBeNull();
  });

  it.each([
    ['refused', { code: 'forbidden', status: 403 }],
    ['could not be read', { code: 'unreadable_response', status: 200 }],
  ])('offers to sign in again when the answer %s', (_, failure) => {
    show({ error: { message: 'No.', ...failure } });
    expect(screen.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe('/sign_in');
  });

  it.each([
    ['cannot be reached', { code: 'unreachable', status: null }],
    ['failed', { code: 'internal', status: 500 }],
  ])('offers another try only when the server %s', (_, failure) => {
    show({ error: { message: 'No.', ...failure } });
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('tries again on request', async () => {
    const refresh = jest.fn();
    show({ error: { message: 'The server cannot be reached.' }, refresh });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('shows the skeleton until data arrive', () => {
    show({ data: undefined });
    expect(screen.getByText('skeleton')).toBeTruthy();
  });

  it('says what to do next if there are no data', () => {
    show({ data: [] });
    expect(screen.getByText('no patients')).toBeTruthy();
  });

  it('does not change data while they are refreshed', () => {
    show({ isRefreshing: true });
    expect(screen.getByText('Ada').closest('[data-old]')).toBeNull();
    expect(screen.getByRole('status').textContent).toBe('');
  });
});

describe('ErrorBoundary', () => {
  function Broken(): never {
    throw new Error('MRN-1001 is missing');
  }

  it('shows the fixed message instead of a page that cannot be rendered', () => {
    expectConsole('error');
    render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    expect(within(screen.getByRole('alert')).getAllByRole('paragraph')[0]?.textContent).toBe(
      'Something went wrong. ' +
        'We have notified the Wardlight technical team and they have already started investigating.',
    );
    expect(screen.getByRole('img', { name: 'Wardlight' })).toBeTruthy();
  });

  it('reports it under the id that it shows, and offers to load the page again', () => {
    const lines = expectConsole('error');
    const sent: [unknown, string][] = [];
    handOver({
      send: (error, id) => {
        sent.push([error, id]);
      },
      setUser: () => undefined,
    });
    // The error of the test before waited for a receiver.
    sent.length = 0;
    render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    expect(sent).toEqual([[expect.objectContaining({ message: 'MRN-1001 is missing' }), expect.any(String)]]);
    expect(screen.getByText(sent[0]?.[1] ?? 'nothing was sent')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
    expect(lines).toContainEqual(['A page could not be drawn']);
  });

  it('tries again on another page', () => {
    expectConsole('error');
    const { rerender } = render(
      <ErrorBoundary resetKey="/patients">
        <Broken />
      </ErrorBoundary>,
    );
    rerender(<ErrorBoundary resetKey="/patient_details?ids=1">drawn</ErrorBoundary>);
    expect(screen.getByText('drawn')).toBeTruthy();
  });
});

describe('the pages of a list', () => {
  function show({ current = 10, total = 100 } = {}) {
    const onPage = jest.fn();
    const onSize = jest.fn();
    render(<Pages current={current} pageSize={5} total={total} sizes={[5, 10]} onPage={onPage} onSize={onSize} />);
    return { onPage, onSize };
  }

  it.each([
    ['Previous Page', 9],
    ['Next Page', 11],
    ['Previous 5 Pages', 5],
    ['Next 5 Pages', 15],
  ])('offer "%s", which leads to page %i', async (words, page) => {
    const { onPage } = show();
    const button = screen.getByRole('button', { name: words });
    // Visible, not only read out.
    expect(button.textContent).toBe(words);
    await userEvent.click(button);
    expect(onPage.mock.calls).toEqual([[page]]);
  });

  it('jump five pages and never past the ends', async () => {
    const { onPage } = show({ current: 17 });
    await userEvent.click(screen.getByRole('button', { name: 'Page 20' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Page' }), '4000{Enter}');
    await userEvent.type(screen.getByRole('textbox', { name: 'Page' }), '0{Enter}');
    expect(onPage.mock.calls).toEqual([[20], [20], [1]]);
  });

  it('lead nowhere beyond the first and the last page, and keep the focus there', async () => {
    const { onPage } = show({ current: 1, total: 5 });
    const buttons = ['Previous Page', 'Next Page'].map((name) => screen.getByRole('button', { name }));
    for (const button of buttons) {
      await userEvent.click(button);
      expect(button.getAttribute('aria-disabled')).toBe('true');
      expect(document.activeElement).toBe(button);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Page 1', current: 'page' }));
    expect(onPage).not.toHaveBeenCalled();
    expect(screen.queryByText(/^Go to/)).toBeNull();
  });

  it('go to the typed page, and nowhere for other text', async () => {
    const { onPage } = show();
    expect(screen.getByText(/^Go to/)).toBeTruthy();
    const box = screen.getByRole('textbox', { name: 'Page' });
    await userEvent.type(box, 'next{Enter}');
    await userEvent.type(box, ' 3 {Enter}');
    expect(onPage.mock.calls).toEqual([[3]]);
  });

  it('offer the sizes, also that of the address', async () => {
    const { onSize } = show();
    const box = screen.getByRole('combobox', { name: 'Page Size' });
    expect(screen.getByText(/^Page Size/)).toBe(box.closest('label'));
    expect([...box.querySelectorAll('option')].map((option) => option.textContent)).toEqual(['5', '10']);
    await userEvent.selectOptions(box, '10');
    expect(onSize.mock.calls).toEqual([[10]]);
  });

  it.each([
    [1, 100, '1–5 of 100'],
    [20, 98, '96–98 of 98'],
    [7, 3, '1–3 of 3'],
    [1, 0, '0–0 of 0'],
  ])('on page %i of %i rows say "%s"', (current, total, words) => {
    show({ current, total });
    expect(screen.getByText(words)).toBeTruthy();
  });
});

describe('SchemaForm', () => {
  const schema = z.strictObject({
    name: z.string().trim().min(1, 'is empty'),
    place: z.strictObject({ bed: z.string().max(3, 'is too long') }),
    times: z.array(z.string().regex(/^\d\d:\d\d$/, 'is not a time such as 07:30')),
  });
  type Body = z.infer<typeof schema>;

  const send = jest.fn<Promise<void>, [Body]>();
  beforeEach(() => {
    send.mockReset().mockResolvedValue();
  });

  function form(isEmptiedWhenSent = false) {
    return (
      <SchemaForm
        schema={schema}
        initial={{ name: '', place: { bed: '' }, times: '07:30' }}
        bodyOf={({ times, ...typed }) => ({ ...typed, times: times.split(' ') })}
        send={send}
        submitLabel="Save"
        isEmptiedWhenSent={isEmptiedWhenSent}
      >
        <FormField name="name" label="Name" />
        <FormField name={['place', 'bed']} label="Bed" isOptional />
        <FormField name="times" label="Times" hint="Such as 07:30" />
      </SchemaForm>
    );
  }
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

  describe('SchemaForm', () => {
    it('sends nothing with an error, shows each error at its field and focuses the first', async () => {
      render(form());
      await userEvent.type(field('Bed'), '1234');
      await userEvent.type(field('Times'), ' 7am');
      await save();
      await expect(screen.findByText('Name is empty')).resolves.toBeTruthy();
      expect(screen.getByText('Bed is too long')).toBeTruthy();
      // An error inside a list is at the field in which the list is typed.
      expect(screen.getByText('Times is not a time such as 07:30')).toBeTruthy();
      expect(document.activeElement).toBe(field('Name'));
      expect(field('Name').getAttribute('aria-invalid')).toBe('true');
      expect(send).not.toHaveBeenCalled();
    });

    it('checks nothing while it is first typed, and each letter after an error', async () => {
      render(form());
      await userEvent.type(field('Bed'), '1234');
      expect(screen.queryByText('Bed is too long')).toBeNull();
      await save();
      await screen.findByText('Bed is too long');
      await userEvent.type(field('Bed'), '{Backspace}');
      await waitFor(() => expect(field('Bed').getAttribute('aria-invalid')).toBeNull());
    });

    it('keeps refused values, with the error at the field until its value changes', async () => {
      send.mockRejectedValueOnce(
        new ApiFailure('refused', 'It cannot be saved.', { status: 422, fields: { 'place.bed': 'is taken' } }),
      );
      render(form());
      await userEvent.type(field('Name'), ' Ada B');
      await userEvent.type(field('Bed'), '4');
      await save();
      await expect(screen.findByText('Bed is taken')).resolves.toBeTruthy();
      expect(screen.getByRole('alert').textContent).toBe('Not saved. It cannot be saved.');
      expect(document.activeElement).toBe(field('Bed'));
      expect(field('Name').value).toBe(' Ada B');
      await userEvent.type(field('Bed'), '5');
      await waitFor(() => expect(field('Bed').getAttribute('aria-invalid')).toBeNull());
      await save();
      await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
      expect(send.mock.lastCall?.[0]).toEqual({ name: 'Ada B', place: { bed: '45' }, times: ['07:30'] });
      expect(screen.getByRole('alert').textContent).toBe('');
    });

    it('keeps its values if the server cannot be reached, and can be sent again', async () => {
      send.mockRejectedValueOnce(clientFailure('unreachable'));
      render(form());
      await userEvent.type(field('Name'), 'Ada');
      await save();
      await expect(screen.findByText('Not saved. The server cannot be reached.')).resolves.toBeTruthy();
      expect(field('Name').value).toBe('Ada');
      await save();
      await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    });

    it('says that the outcome is not known if the response was lost', async () => {
      send.mockRejectedValueOnce(clientFailure('no_response'));
      render(form());
      await userEvent.type(field('Name'), 'Ada');
      await save();
      await expect(screen.findByText(/^It is not known whether this was saved\. /)).resolves.toBeTruthy();
      expect(screen.queryByText(/Not saved/)).toBeNull();
    });

    it('sends once however often it is clicked', async () => {
      let finish = (): void => undefined;
      send.mockReturnValue(new Promise((resolve) => (finish = resolve)));
      render(form());
      await userEvent.type(field('Name'), 'Ada');
      const button = screen.getByRole('button', { name: 'Save' });
      await userEvent.dblClick(button);
      await userEvent.type(field('Name'), '{Enter}');
      expect(send).toHaveBeenCalledTimes(1);
      await act(async () => {
        finish();
        await Promise.resolve();
      });
    });

    it('empties its fields after a success only if this is wanted', async () => {
      const { unmount } = render(form());
      await userEvent.type(field('Name'), 'Ada');
      await save();
      await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
      expect(field('Name').value).toBe('Ada');
      unmount();
      render(form(true));
      await userEvent.type(field('Name'), 'Ada');
      await save();
      await waitFor(() => expect(field('Name').value).toBe(''));
    });

    it('ticks a checkbox with Enter and does not send', async () => {
      render(
        <SchemaForm
          schema={z.object({ isOn: z.boolean() })}
          initial={{ isOn: false }}
          send={() => send({ name: '', place: { bed: '' }, times: [] })}
          submitLabel="Save"
        >
          <FormField name="isOn" label="Administration" valuePropName="checked">
            <Checkbox>Is on</Checkbox>
          </FormField>
        </SchemaForm>,
      );
      const box = screen.getByRole<HTMLInputElement>('checkbox');
      box.focus();
      await userEvent.keyboard('{Enter}');
      expect(box.checked).toBe(true);
      expect(send).not.toHaveBeenCalled();
    });

    it('has no accessibility violation, with and without errors', async () => {
      const { container } = render(form());
      await expect(axeViolations(container)).resolves.toEqual([]);
      await save();
      await screen.findByText('Name is empty');
      await expect(axeViolations(container)).resolves.toEqual([]);
    });
  });

  describe('FormDrawer', () => {
    const onClose = jest.fn();
    beforeEach(() => {
      onClose.mockReset();
    });
    const show = () =>
      render(
        <FormDrawer title="Add unit" onClose={onClose}>
          {form()}
        </FormDrawer>,
      );
    const close = () => userEvent.click(screen.getByRole('button', { name: 'Close' }));

    it('asks before it discards typed values', async () => {
      show();
      await userEvent.type(field('Name'), 'Ada');
      await close();
      expect(onClose).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
      expect(field('Name').value).toBe('Ada');
      await close();
      await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
      expect(onClose).toHaveBeenCalledTimes(1);
    });

    it('opens with the focus in the first field', async () => {
      show();
      await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    });

    it('closes at once if nothing was typed, or all was sent', async () => {
      show();
      await close();
      expect(onClose).toHaveBeenCalledTimes(1);
      await userEvent.type(field('Name'), 'Ada');
      await save();
      await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
      await close();
      expect(onClose).toHaveBeenCalledTimes(2);
    });
  });
});

describe('VitalValue', () => {
  const now = Date.parse('2026-03-07T15:00:00Z');
  const secondsAgo = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

  function latest(change: Partial<LatestValue> = {}): LatestValue {
    return {
      value: 97,
      unit: '%',
      takenAt: secondsAgo(2),
      receivedAt: secondsAgo(2),
      asOf: secondsAgo(2),
      quality: 'good',
      source: 'monitor',
      expectedEveryMs: 1_000,
      lastValid: null,
      ...change,
    };
  }

  function show(props: Partial<Parameters<typeof VitalValue>[0]>) {
    const { container } = render(
      <VitalValue kind="spo2" latest={latest()} now={now} serverLost={null} timeZone="Europe/London" {...props} />,
    );
    const vital = container.querySelector('[data-vital]');
    return {
      container,
      state: vital?.getAttribute('data-state'),
      text: vital?.textContent,
      struck: container.querySelector('s')?.textContent,
    };
  }

  it('says of a value that came by the bed alone that it did, and why that matters', () => {
    const { container, text } = show({ latest: latest({ isByBed: true, quality: 'questionable' }) });
    expect(text).toBe('97?%uncertain, by bed, 2 s old');
    expect(container.querySelector('[title^="Matched by bed"]')?.textContent).toBe('by bed, ');
  });

  it('names the device of a value that replaces that of the assigned one', () => {
    expect(show({ latest: latest({ source: 'oximeter', isSubstitute: true }) }).text).toBe('97%oximeter, 2 s old');
    expect(show({ latest: latest({ source: 'oximeter' }) }).text).toBe('97%2 s old');
  });

  it.each([
    [-2.001, 'off', '--time unknown, last 97', undefined],
    [-2, 'live', '97%0 s old', undefined],
    [0, 'live', '97%0 s old', undefined],
    [10, 'live', '97%10 s old', undefined],
    [10.001, 'ageing', '97%ageing, 10 s old', undefined],
    [30, 'ageing', '97%ageing, 30 s old', undefined],
    [30.001, 'stale', '97%stale, 30 s old', '97'],
    [60, 'stale', '97%stale, 1 min old', '97'],
    [60.001, 'off', '--no data, last 97, 14:58', undefined],
    [86_400, 'off', '--no data, last 97, 06 Mar, 15:00', undefined],
  ] as const)('withdraws a value of every second step by step: at %d s it is %s', (seconds, state, text, struck) => {
    expect(show({ latest: latest({ asOf: secondsAgo(seconds) }) })).toMatchObject({ state, text, struck });
  });

  it.each([
    [450, 'live'],
    [600, 'ageing'],
    [1_200, 'stale'],
    [1_201, 'off'],
  ] as const)('waits longer for a value that is due every 5 min: at %d s it is %s', (seconds, state) => {
    expect(show({ latest: latest({ asOf: secondsAgo(seconds), expectedEveryMs: 300_000 }) }).state).toBe(state);
  });

  it('says what another device says, if that disagrees and is not shown beside it already', () => {
    const other = { value: 74, asOf: latest().asOf, expectedEveryMs: 1_000, source: 'second' };
    expect(show({ latest: latest({ other }) }).text).toBe('97%2 s old, other source 74');
    expect(show({ latest: latest({ other }), isOtherNamed: true }).text).toBe('97%2 s old');
    expect(show({ latest: latest({ other: { ...other, value: 95 } }) }).text).toBe('97%2 s old');
  });

  it('marks an uncertain value, because its words take the room of the last hour', () => {
    const isMarked = (quality: LatestValue['quality']) =>
      show({ latest: latest({ quality }) }).container.querySelector('[data-uncertain]') !== null;
    expect(isMarked('questionable')).toBe(true);
    expect(isMarked('good')).toBe(false);
  });

  it('shows a heart rate of 0 as a value', () => {
    expect(show({ kind: 'heartRate', latest: latest({ value: 0, unit: '/min' }) })).toMatchObject({
      state: 'live',
      text: '0/min2 s old',
    });
  });

  it('never shows the number of a sample without a signal', () => {
    const { state, text } = show({ latest: latest({ value: 0, quality: 'invalid' }) });
    expect({ state, text }).toEqual({ state: 'no-signal', text: '--no signal' });
  });

  it('shows beside "no signal" the last value that was one, and when', () => {
    const lastValid = { value: 93, takenAt: secondsAgo(300), asOf: secondsAgo(300) };
    expect(show({ latest: latest({ value: 0, quality: 'invalid', lastValid }) }).text).toBe(
      '--no signal, last 93, 14:55',
    );
  });

  it('says that there are no data once even the samples without a signal have ended', () => {
    const lastValid = { value: 93, takenAt: secondsAgo(300), asOf: secondsAgo(300) };
    expect(show({ latest: latest({ value: 0, quality: 'invalid', asOf: secondsAgo(61), lastValid }) })).toMatchObject({
      state: 'off',
      text: '--no data, last 93, 14:55',
    });
  });

  it('shows no negative age, whatever the clocks say', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), fc.integer({ min: 1, max: 1e8 }), (ageMs, expectedEveryMs) => {
        const asOf = new Date(now - ageMs).toISOString();
        const { text, state } = show({ latest: latest({ asOf, expectedEveryMs }) });
        expect(text).not.toMatch(/-\d/);
        expect(state === 'off' || ageMs >= -2_000).toBe(true);
        cleanup();
      }),
    );
  });

  it('marks an uncertain value by shape and in words', () => {
    expect(show({ latest: latest({ quality: 'questionable' }) }).text).toBe('97?%uncertain, 2 s old');
    expect(show({ latest: latest({ notStored: true }) }).text).toBe('97%not stored, 2 s old');
  });

  it('says that the age is unknown while the clock of the device is', () => {
    expect(show({ latest: latest({ quality: 'questionable', ageUnknown: true }) }).text).toBe(
      '97?%uncertain, age unknown',
    );
  });

  it('says that a value is not live while the server is lost', () => {
    expect(show({ serverLost: now - 12_000 }).text).toBe('97%not live, 2 s old');
  });

  it('says that there was never a value', () => {
    expect(show({ latest: undefined })).toMatchObject({ state: 'none', text: '--no value yet' });
  });

  const mark: NumberMark = { look: 'filled', priority: 'high', side: 'low', words: 'high-priority alert' };
  const boxOf = (props: Partial<Parameters<typeof VitalValue>[0]>) => {
    const { container, text } = show(props);
    const box = container.querySelector('[data-mark]');
    const drawn = box?.querySelector('[data-sign]');
    const sign = drawn == null ? undefined : `${drawn.getAttribute('data-sign')}, ${drawn.children.length} drawn`;
    return { text, look: box?.getAttribute('data-mark'), priority: box?.getAttribute('data-priority'), sign };
  };

  it('has no box without an alert, however uncertain it is', () => {
    expect(boxOf({}).look).toBeUndefined();
    expect(boxOf({ latest: latest({ quality: 'questionable' }) }).look).toBeUndefined();
  });

  it('carries its alert, and says so before its name and its number', () => {
    expect(boxOf({ mark })).toEqual({
      text: 'high-priority alert, SpO2 97%2 s old',
      look: 'filled',
      priority: 'high',
      sign: 'low low, 2 drawn',
    });
    const rate = { ...mark, look: 'outlined', priority: 'medium', side: 'high', words: 'medium' } as const;
    expect(boxOf({ kind: 'heartRate', mark: rate, isNamed: true })).toEqual({
      text: 'medium, HR 97%2 s old',
      look: 'outlined',
      priority: 'medium',
      sign: 'high, 1 drawn',
    });
  });

  it('keeps the box of an alert whose value is withdrawn, was lost or never came', () => {
    const filled = { look: 'filled', sign: 'low low, 2 drawn' };
    expect(boxOf({ mark, latest: latest({ asOf: secondsAgo(61) }) })).toMatchObject({
      ...filled,
      text: 'high-priority alert, SpO2 --no data, last 97, 14:58',
    });
    expect(boxOf({ mark, latest: latest({ quality: 'invalid' }) })).toMatchObject(filled);
    expect(boxOf({ mark, latest: undefined })).toMatchObject(filled);
  });

  it('shows three points of NEWS2 in no alarm colour', () => {
    const bold = { look: 'bold', side: 'high', words: '3 points of NEWS2' } as const;
    expect(boxOf({ mark: bold })).toEqual({
      text: '3 points of NEWS2, SpO2 97%2 s old',
      look: 'bold',
      priority: null,
      sign: 'high, 1 drawn',
    });
  });

  it('rounds as the rules do', () => {
    expect(show({ kind: 'temperature', latest: latest({ value: 38.05, unit: '°C' }) }).text).toBe('38.1°C2 s old');
  });

  it.each(['good', 'questionable', 'invalid'] as const)(
    'has no accessibility violation with quality %s',
    async (quality) => {
      const { container } = show({ latest: latest({ quality }) });
      await expect(axeViolations(container)).resolves.toEqual([]);
    },
  );
});

describe('a drawer of antd’s', () => {
  const Opened = antdOnDemand<{ onClose: () => void }>(() =>
    Promise.resolve(({ onClose }: { onClose: () => void }) => <Drawer open title="Ada" onClose={onClose} />),
  );
  const sheets = (): number => document.querySelectorAll('link[rel="stylesheet"]').length;

  it('says that its styles could not be loaded, tries again when asked, and brings them once', async () => {
    const prepend = jest.spyOn(document.head, 'prepend').mockImplementation((link) => {
      if (link instanceof HTMLLinkElement) {
        queueMicrotask(() => link.dispatchEvent(new Event('error')));
      }
    });
    render(<Opened onClose={() => undefined} />);
    await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
    expect(screen.queryByText('Ada')).toBeNull();
    prepend.mockRestore();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await expect(screen.findByText('Ada')).resolves.toBeTruthy();
    expect(sheets()).toBe(1);
    render(<Opened onClose={() => undefined} />);
    await waitFor(() => expect(screen.getAllByText('Ada')).toHaveLength(2));
    expect(sheets()).toBe(1);
  });
});

describe('a page of one screen', () => {
  const Page = screenPage(
    'Devices',
    'readDevices',
    function Devices({ now }) {
      return <p>The devices at {now}</p>;
    },
    function NotForYou({ title }) {
      return <h1>{title}: not for you</h1>;
    },
  );

  it('keeps its screen from users without the permission', () => {
    const { container } = render(<Page user={inventedUser({ permissions: ['readAudit'] })} now={wardNow} />);
    expect([container.textContent, document.title]).toEqual(['Devices: not for you', 'Devices - Wardlight']);
  });

  it('shows it to users with the permission', () => {
    const { container } = render(<Page user={inventedUser({ permissions: ['readDevices'] })} now={wardNow} />);
    expect([container.textContent, document.title]).toEqual([`The devices at ${wardNow}`, 'Devices - Wardlight']);
  });
});

describe('onDemand', () => {
  interface DrawerProps {
    name: string;
    onClose: () => void;
  }
  function Drawer({ name, onClose }: DrawerProps) {
    return <button onClick={onClose}>Drawer of {name}</button>;
  }

  const load = jest.fn<Promise<ComponentType<DrawerProps>>, []>();
  const Downloaded = onDemand(load);

  function Screen() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <button onClick={() => setIsOpen(true)}>Open</button>
        {isOpen ? <Downloaded name="Ada" onClose={() => setIsOpen(false)} /> : null}
      </>
    );
  }

  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  beforeEach(() => {
    load.mockReset().mockResolvedValue(Drawer);
    render(<Screen />);
  });

  describe('a drawer whose code is downloaded when it opens', () => {
    it('says that the download failed, and tries again when asked', async () => {
      load.mockRejectedValueOnce(new Error('ChunkLoadError'));
      await press('Open');
      await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
      await press('Try again');
      await expect(screen.findByText('Drawer of Ada')).resolves.toBeTruthy();
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(load).toHaveBeenCalledTimes(2);
    });

    it('tries again when it is opened again after a failure', async () => {
      load.mockRejectedValueOnce(new Error('ChunkLoadError'));
      await press('Open');
      await screen.findByRole('dialog', { name: 'This could not be loaded' });
      await press('Close');
      expect(screen.queryByRole('dialog')).toBeNull();
      await press('Open');
      await expect(screen.findByText('Drawer of Ada')).resolves.toBeTruthy();
    });

    it('says every failure, however often it is tried', async () => {
      load.mockRejectedValue(new Error('ChunkLoadError'));
      await press('Open');
      for (const attempts of [2, 3]) {
        await screen.findByRole('dialog', { name: 'This could not be loaded' });
        await press('Try again');
        expect(load).toHaveBeenCalledTimes(attempts);
      }
      await expect(screen.findByRole('dialog', { name: 'This could not be loaded' })).resolves.toBeTruthy();
    });

    it('gives the focus back to the button that opened it', async () => {
      await press('Open');
      await userEvent.click(await screen.findByText('Drawer of Ada'));
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
    });

    it('gives the focus back after a failed download too', async () => {
      load.mockRejectedValueOnce(new Error('ChunkLoadError'));
      await press('Open');
      await screen.findByRole('dialog', { name: 'This could not be loaded' });
      await press('Close');
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }));
    });

    it('opens with its values and closes', async () => {
      expect(load).not.toHaveBeenCalled();
      await press('Open');
      await userEvent.click(await screen.findByText('Drawer of Ada'));
      expect(screen.queryByText('Drawer of Ada')).toBeNull();
    });
  });
});

describe('the pages that are offered', () => {
  it.each([
    [1, 1, [1]],
    [1, 5, [1, 2, 3, 4, 5]],
    [1, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 8, [1, 2, 3, 4, 5, 'next 5', 8]],
    [3, 20, [1, 2, 3, 4, 5, 'next 5', 20]],
    [5, 20, [1, 2, 3, 4, 5, 6, 7, 'next 5', 20]],
    [6, 20, [1, 'previous 5', 4, 5, 6, 7, 8, 'next 5', 20]],
    [15, 20, [1, 'previous 5', 13, 14, 15, 16, 17, 'next 5', 20]],
    [16, 20, [1, 'previous 5', 14, 15, 16, 17, 18, 19, 20]],
    [20, 20, [1, 'previous 5', 16, 17, 18, 19, 20]],
  ])('on page %i of %i are %j', (current, last, expected) => {
    expect(pageNumbers(current, last)).toEqual(expected);
  });

  it('name every page once, in their order, and leave none out without a jump', () => {
    for (let last = 1; last <= 30; last += 1) {
      for (let current = 1; current <= last; current += 1) {
        const places = pageNumbers(current, last);
        const numbers = places.filter((place) => typeof place === 'number');
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect([numbers[0], numbers.at(-1), numbers.includes(current)]).toEqual([1, last, true]);
        const silentGaps = places.filter((place, index) => {
          const next = places[index + 1];
          return typeof place === 'number' && typeof next === 'number' && next !== place + 1;
        });
        expect(silentGaps).toEqual([]);
      }
    }
  });
});

describe('a form on a newer state', () => {
  const values = fc.record({ name: fc.string(), age: fc.integer(), place: fc.record({ unit: fc.string() }) });

  it('keeps every part that was typed, and takes all others as they are now', () => {
    const before = { name: 'A', sex: 'male', place: { unit: 'East', bed: '' } };
    const present = { name: 'B', sex: 'female', place: { unit: 'West', bed: '' } };
    const typed = { ...before, sex: 'other', place: { unit: 'East', bed: '4' } };
    expect(rebaseTyped(typed, before, present)).toEqual({ name: 'B', sex: 'other', place: { unit: 'East', bed: '4' } });
    expect(changedByBoth(typed, before, present)).toEqual([{ name: 'sex', present: 'female' }]);
  });

  it('is the present state if nothing was typed, and what was typed if nothing else changed', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        expect(rebaseTyped(one, one, other)).toEqual(other);
        expect(rebaseTyped(other, one, one)).toEqual(other);
        expect(changedByBoth(one, one, other)).toEqual([]);
        expect(changedByBoth(other, one, one)).toEqual([]);
      }),
    );
  });
});
