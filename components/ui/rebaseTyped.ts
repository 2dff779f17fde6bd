/** A part of a form: a field, or a group of fields that belong together, such as unit and bed. */
interface Part {
  name: string;
  before: string;
  present: unknown;
  typed: unknown;
}

/** Returns the values of a form on a newer state: typed parts stay, all others are as they are now. */
export function rebaseTyped<Values extends object>(typed: Values, before: Values, present: Values): Values {
  const taken = partsOf(typed, before, present).filter((part) => textOf(part.typed) === part.before);
  return { ...typed, ...Object.fromEntries(taken.map(({ name, present: now }) => [name, now])) };
}

/** Returns the parts that were typed while somebody else changed them to another value, with that value. */
export function changedByBoth<Values extends object>(
  typed: Values,
  before: Values,
  present: Values,
): { name: string; present: string | number }[] {
  return partsOf(typed, before, present).flatMap((part) => {
    const now = textOf(part.present);
    const isChanged = now !== part.before && textOf(part.typed) !== part.before && textOf(part.typed) !== now;
    return isChanged && (typeof part.present === 'string' || typeof part.present === 'number')
      ? [{ name: part.name, present: part.present }]
      : [];
  });
}

function partsOf(typed: object, before: object, present: object): Part[] {
  const [typedNow, old] = [
    new Map<string, unknown>(Object.entries(typed)),
    new Map<string, unknown>(Object.entries(before)),
  ];
  return Object.entries(present).map(([name, value]: [string, unknown]) => ({
    name,
    before: textOf(old.get(name)),
    present: value,
    typed: typedNow.get(name),
  }));
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
