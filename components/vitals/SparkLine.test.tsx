import { render } from '@testing-library/react';
import type * as Module from '../../lib/vitals/sparkShape';
import { sparkShape } from '../../lib/vitals/sparkShape';
import { inventedSpark } from '../../test/inventedWard';
import { SparkLine } from './SparkLine';

jest.mock('../../lib/vitals/sparkShape', () => {
  const actual = jest.requireActual<typeof Module>('../../lib/vitals/sparkShape');
  return { ...actual, sparkShape: jest.fn(actual.sparkShape) };
});

type Props = Parameters<typeof SparkLine>[0];
const lineOf = (text: string | undefined, change: Partial<Props> = {}) => (
  <SparkLine kind="spo2" text={text} minutesOld={0} expectedEveryMs={1_000} isSpot={false} {...change} />
);
const show = (text: string | undefined, change: Partial<Props> = {}) => render(lineOf(text, change)).container;
const paths = (container: Element) => [...container.querySelectorAll('path')];

describe('a spark line', () => {
  it.each([
    ['while nothing is known', undefined],
    ['where nothing came', inventedSpark()],
    ['where something came', inventedSpark('97', '96')],
  ])('takes the same room %s', (_, text) => {
    const svg = show(text).querySelector('svg');
    expect([svg?.getAttribute('width'), svg?.getAttribute('height')]).toEqual(['60', '23']);
  });

  it('draws nothing and says nothing without values', () => {
    const container = show(inventedSpark('x', ''));
    expect(paths(container)).toEqual([]);
    expect(container.textContent).toBe('');
    expect(container.querySelector('[title]')).toBeNull();
  });

  it('draws what was measured, what is uncertain and what lies beyond the edge apart', () => {
    expect(paths(show(inventedSpark('97')))).toHaveLength(1);
    expect(paths(show(inventedSpark('97', '90-95?')))).toHaveLength(2);
    expect(paths(show(inventedSpark('97', '90-95?', '', '70-84')))).toHaveLength(3);
  });

  it('says in words what it shows, and hides the drawing from screen readers', () => {
    const container = show(inventedSpark('91-97', '', '94'));
    expect(container.textContent).toBe(', last hour 91 to 97');
    expect(container.querySelector('[title]')?.getAttribute('title')).toBe('Last hour: 91 to 97');
    expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true');
    expect(show(inventedSpark('97', '97')).textContent).toBe(', last hour 97');
    expect(show(inventedSpark('97', '80-96?')).textContent).toBe(', last hour 80 to 97, in part uncertain');
    expect(show(inventedSpark('0'), { kind: 'heartRate' }).textContent).toBe(', last hour 0');
  });

  it('moves on with the time while nothing newer comes, and forgets what is older than an hour', () => {
    const [old, ...rest] = Array<string>(60).fill('97');
    const { container, rerender } = render(lineOf([old, ...rest].join().replace('97', '85')));
    expect(container.textContent).toBe(', last hour 85 to 97');
    rerender(lineOf([old, ...rest].join().replace('97', '85'), { minutesOld: 2 }));
    expect(container.querySelector('svg')?.getAttribute('viewBox')).toBe('2 0 60 23');
    expect(container.textContent).toBe(', last hour 97');
    rerender(lineOf([old, ...rest].join(), { minutesOld: 60 }));
    expect(container.textContent).toBe('');
  });

  it('is not drawn again while nothing of it is new', () => {
    const { rerender } = render(lineOf(inventedSpark('97', '96')));
    const drawn = jest.mocked(sparkShape).mock.calls.length;
    rerender(lineOf(inventedSpark('97', '96')));
    expect(jest.mocked(sparkShape).mock.calls).toHaveLength(drawn);
    rerender(lineOf(inventedSpark('97', '95')));
    expect(jest.mocked(sparkShape).mock.calls.length).toBeGreaterThan(drawn);
  });
});
