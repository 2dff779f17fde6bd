import { maxPatientsAtOnce } from '../paths';

export interface ParsedIds {
  /** The patients to show, in the order asked for, each once, at most `maxPatientsAtOnce`. */
  ids: number[];
  /** Well-formed ids past that limit. */
  overLimit: number[];
  /** Parts that are no row id, as written, cut short. */
  malformed: string[];
}

const longestShown = 20;

/**
 * Reads the `ids` of an address, "4" or "4,2,7". Takes what Next found there: a text, several if the parameter was
 * repeated, or nothing. Blanks around an id are accepted, because people paste; nothing else is.
 */
export function parseIds(wanted: string | readonly string[] | undefined): ParsedIds {
  const parts = [wanted ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wellFormed = new Set(parts.filter(isRowId).map(Number));
  const malformed = new Set(parts.filter((part) => !isRowId(part)).map((part) => part.slice(0, longestShown)));
  return {
    ids: [...wellFormed].slice(0, maxPatientsAtOnce),
    overLimit: [...wellFormed].slice(maxPatientsAtOnce),
    malformed: [...malformed],
  };
}

/** The same form as the calls' `:id`: digits only, and small enough to be exact as a number. */
function isRowId(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}
