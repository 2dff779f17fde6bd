import { useState, type SubmitEvent } from 'react';
import { nativeControl } from './nativeControl';
import styles from './Pages.module.css';

interface PagesProps {
  /** The page that is shown, from 1. */
  current: number;
  pageSize: number;
  /** Rows of all pages together. */
  total: number;
  /** The sizes to choose from; omitted if there is only one. */
  sizes?: readonly number[];
  onPage: (page: number) => void;
  onSize?: (pageSize: number) => void;
  className?: string;
}

/** The product specification (section 9) fixes the words, and screens.md that they can be seen. */
const jumpLabels = { 'previous 5': 'Previous 5 Pages', 'next 5': 'Next 5 Pages' } as const;

/** One place in the row of pages: a page, or a jump of five pages over those left out. */
type PagePlace = number | 'previous 5' | 'next 5';

/** The number of pages that are named on each side of the current one. */
const beside = 2;

/**
 * Takes the current page and the last, both from 1, and returns what to offer: always the first and the last page,
 * those around the current one, and a jump wherever that leaves some out. There are at least five neighbours, so that
 * the row keeps its width at its ends.
 */
export function pageNumbers(current: number, last: number): PagePlace[] {
  const from = Math.max(1, Math.min(current - beside, last - 2 * beside));
  const to = Math.min(last, Math.max(current + beside, 1 + 2 * beside));
  const between = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [...leftOut(1, from, 'previous 5'), ...between, ...leftOut(last, to, 'next 5')];
}

/** Returns the places between an end of the row and the pages that are named. A gap of one page shows that page. */
function leftOut(end: number, nearest: number, jump: 'previous 5' | 'next 5'): PagePlace[] {
  const step = end < nearest ? 1 : -1;
  const places: PagePlace[] = [[], [end], [end, end + step]][Math.abs(nearest - end)] ?? [end, jump];
  return step === 1 ? places : places.reverse();
}

/**
 * The pages of a list: one step, five steps, a page by its number, and how many rows a page has. Native controls:
 * antd's own adds its menus and its forms, 50 kB that every first load would wait for.
 */
export function Pages({ current, pageSize, total, sizes, onPage, onSize, className = '' }: PagesProps) {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const shown = Math.min(Math.max(1, current), last);
  const turn = (page: number): void => {
    const wanted = Math.min(Math.max(1, page), last);
    if (wanted !== current) {
      onPage(wanted);
    }
  };
  const first = (shown - 1) * pageSize + 1;
  return (
    <nav aria-label="Pages" className={`${styles.pages} ${className}`}>
      <span>{`${Math.min(first, total)}–${Math.min(shown * pageSize, total)} of ${total}`}</span>
      <ul className={styles.row}>
        <li>
          <Step label="Previous Page" isOff={shown === 1} onPress={() => turn(shown - 1)} />
        </li>
        {pageNumbers(shown, last).map((place) => (
          <li key={place}>
            <Place place={place} isShown={place === shown} onPress={() => turn(pageOf(place, shown))} />
          </li>
        ))}
        <li>
          <Step label="Next Page" isOff={shown === last} onPress={() => turn(shown + 1)} />
        </li>
      </ul>
      {sizes === undefined ? null : (
        <label className={styles.size}>
          Page Size
          <select className={nativeControl} value={pageSize} onChange={({ target }) => onSize?.(Number(target.value))}>
            {(sizes.includes(pageSize) ? sizes : [...sizes, pageSize].sort((a, b) => a - b)).map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
      {sizes === undefined || last === 1 ? null : <Jump onPage={turn} />}
    </nav>
  );
}

function pageOf(place: PagePlace, shown: number): number {
  switch (place) {
    case 'previous 5':
      return shown - 5;
    case 'next 5':
      return shown + 5;
    default:
      return place;
  }
}

/** A step that leads nowhere keeps its place and the focus. */
function Step({ label, isOff, onPress }: { label: string; isOff: boolean; onPress: () => void }) {
  return (
    <button type="button" className={styles.place} aria-disabled={isOff} onClick={onPress}>
      {label}
    </button>
  );
}

function Place({ place, isShown, onPress }: { place: PagePlace; isShown: boolean; onPress: () => void }) {
  if (typeof place === 'number') {
    return (
      <button type="button" className={styles.place} aria-current={isShown ? 'page' : undefined} onClick={onPress}>
        <span className="visually-hidden">Page </span>
        {place}
      </button>
    );
  }
  return (
    <button type="button" className={styles.place} onClick={onPress}>
      {jumpLabels[place]}
    </button>
  );
}

/** Goes to the typed page on Enter. A number past the end means the last page. */
function Jump({ onPage }: { onPage: (page: number) => void }) {
  const [typed, setTyped] = useState('');
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const wanted = typed.trim();
    setTyped('');
    if (/^\d{1,9}$/.test(wanted)) {
      onPage(Number(wanted));
    }
  };
  return (
    <form className={styles.jump} onSubmit={onSubmit}>
      Go to
      <input
        className={nativeControl}
        aria-label="Page"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      Page
    </form>
  );
}
