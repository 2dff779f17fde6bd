/** Below this width cards take what room there is, and a step whose target is hidden is passed over. */
export const narrowQuery = '(max-width: 699px)';

/** The distance between a target and what is above it, in CSS pixels (product specification, section 9). */
export const scrollOffset = 20;

/** Returns the element of a step; null if the page has none. */
export function findTarget(target: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(target);
}

/** Returns whether an element, or one that contains it, is not drawn. */
export function isHidden(element: HTMLElement): boolean {
  for (let each: HTMLElement | null = element; each !== null; each = each.parentElement) {
    const { display, visibility } = getComputedStyle(each);
    if (display === 'none' || visibility === 'hidden') {
      return true;
    }
  }
  return false;
}

/**
 * Returns the lowest edge that stays at the top of the window over a target, in CSS pixels from the top: banners and
 * header, and what sticks below them in the page.
 */
export function stickyEdge(target: HTMLElement): number {
  const { left, right, top: targetTop } = target.getBoundingClientRect();
  const stuck = [...document.querySelectorAll<HTMLElement>('#content *')].flatMap((element) => {
    const { position, top } = getComputedStyle(element);
    const isBefore = (target.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    if (position !== 'sticky' || top === 'auto' || !isBefore || element.contains(target)) {
      return [];
    }
    const box = element.getBoundingClientRect();
    const room = element.parentElement?.getBoundingClientRect();
    // It sticks within its parent alone.
    const reaches = box.right > left && box.left < right && room !== undefined && room.bottom > targetTop;
    return reaches ? [parseFloat(top) + box.height] : [];
  });
  return Math.max(bannersHeight(), ...stuck);
}

/** Less of a target than this at the end of the window is not in sight, in CSS pixels. */
const leastInSight = 100;

/** Between a target and the card below it, in CSS pixels. */
const cardGap = 30;

/**
 * Scrolls the page to a target that is not in sight, or that its card would cover: the engine scrolls only the nearest
 * element around it that scrolls, which on a narrow screen is a table or a strip. `offset` is its distance from the top
 * of the window.
 */
export function bringIntoSight(target: HTMLElement | null, offset: number): void {
  if (target === null || target === document.body) {
    return;
  }
  const { top, height, left, right } = target.getBoundingClientRect();
  const card = document.querySelector('[data-tour-card]')?.getBoundingClientRect().height ?? 0;
  const seen = Math.min(height, leastInSight);
  if (top < offset - scrollOffset || top + seen + cardGap + card > window.innerHeight) {
    window.scrollBy({ top: top - offset });
  }
  if (left < 0 || right > window.innerWidth) {
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}

/** Returns where the room for cards begins: below the banners, and below the header where it scrolls with the page. */
export function freeFrom(): number {
  const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  return Math.max(bannersHeight(), header, 0);
}

function bannersHeight(): number {
  const height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--wl-banners-height'));
  return Number.isNaN(height) ? 0 : height;
}

const rowTarget = '[data-tour="patient-row"]';

/** Returns the id of the patient whose row the walkthrough points at; null if the list has no row. */
export function tourPatientId(): number | null {
  const id = Number(findTarget(rowTarget)?.dataset.patient);
  return Number.isInteger(id) ? id : null;
}

/** How often and how long the row is clicked: the list ignores clicks for half a second after it has moved. */
const clickEveryMs = 200;
const clickTimes = 15;

/** Selects the third patient of the list, else the last one, unless it is selected. Returns what stops it. */
export function selectTourRow(): () => void {
  let left = clickTimes;
  const click = (): void => {
    const row = findTarget(rowTarget);
    left -= 1;
    if (left < 0 || row?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.checked === true) {
      clearInterval(timer);
      return;
    }
    row?.click();
  };
  const timer = setInterval(click, clickEveryMs);
  click();
  return () => clearInterval(timer);
}

/** Returns whether a row of the list of patients is selected. */
export function isAnyRowSelected(): boolean {
  return document.querySelector('#content tbody input[type="checkbox"]:checked') !== null;
}

/** Returns whether the page has a dialog, or text that someone has typed and not sent. */
export function isPageBusy(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    '#content textarea, #content input:is(:not([type]), [type="text"], [type="search"], [type="number"])',
  );
  return (
    document.querySelector('dialog[open], [role="dialog"]') !== null ||
    [...fields].some(({ value, readOnly }) => !readOnly && value.trim() !== '')
  );
}
