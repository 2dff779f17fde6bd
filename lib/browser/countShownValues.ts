import type { ReportContext } from '../reports/schema';
import { isVitalKind } from '../vitals/kinds';

type Tile = ReportContext['tiles'][number];

/** The states of `VitalValue`; a value without a signal is withdrawn as an old one is. */
const tileStates = {
  live: 'live',
  ageing: 'ageing',
  stale: 'stale',
  off: 'off',
  'no-signal': 'off',
  none: 'none',
} as const satisfies Record<string, Tile['state']>;

/** Returns how many values of each kind the page shows in each state. It tells no value and no patient. */
export function countShownValues(page: ParentNode): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const { dataset } of page.querySelectorAll<HTMLElement>('[data-vital]')) {
    const { vital: kind = '', state: shown = '' } = dataset;
    if (isVitalKind(kind) && isState(shown)) {
      const state = tileStates[shown];
      const tile = tiles.get(`${kind} ${state}`) ?? { kind, state, count: 0 };
      tiles.set(`${kind} ${state}`, { ...tile, count: tile.count + 1 });
    }
  }
  return [...tiles.values()];
}

function isState(text: string): text is keyof typeof tileStates {
  return Object.hasOwn(tileStates, text);
}
