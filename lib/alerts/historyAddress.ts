import { priorities } from './priority';

/** What the address of the page of alerts says. An empty text filters nothing. Days are the site's. */
export interface HistoryAddress {
  view: 'history' | 'budget';
  days: '1' | '7' | '14';
  unit: string;
  patient: string;
  priority: string;
  rule: string;
  state: string;
  person: string;
  from: string;
  to: string;
}

const id = /^[1-9]\d{0,14}$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** Reads the query of an address. What it does not know is left out: people edit and shorten addresses. */
export function readHistoryAddress(query: Readonly<Record<string, string | string[] | undefined>>): HistoryAddress {
  const text = (name: string, isKnown: (value: string) => boolean): string => {
    const value = query[name];
    return typeof value === 'string' && isKnown(value) ? value : '';
  };
  const oneOf = (known: readonly string[]) => (value: string) => known.includes(value);
  const of = (pattern: RegExp) => (value: string) => pattern.test(value);
  const days = text('days', oneOf(['7', '14']));
  return {
    view: text('view', oneOf(['budget'])) === 'budget' ? 'budget' : 'history',
    days: days === '7' || days === '14' ? days : '1',
    unit: text('unit', of(id)),
    patient: text('patient', of(id)),
    priority: text('priority', oneOf(priorities)),
    rule: text('rule', of(/^[A-Za-z0-9_.]{1,60}$/)),
    state: text('state', oneOf(['open', 'closed'])),
    person: text('person', of(id)),
    from: text('from', of(day)),
    to: text('to', of(day)),
  };
}

/** Returns the query of an address, without what is as usual. */
export function historyQueryOf({ view, days, ...filters }: HistoryAddress): Record<string, string> {
  return {
    ...(view === 'history' ? {} : { view }),
    ...(days === '1' ? {} : { days }),
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
  };
}
